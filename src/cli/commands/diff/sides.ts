import { formatTimestamp, parseTimestamp } from '../../../wire/time/timestamp.js'
import type { Flags } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import type { TimeRange } from '../../option/time-range.js'
import { connectionSettings } from '../../settings/connection-settings.js'

export interface AgainstFlags {
  /** Milliseconds. */
  readonly against?: number
  readonly againstProfile?: string
  readonly againstQuery?: string
}

/** A query, its range, and the flags of its deployment. */
export interface Side {
  readonly apl: string
  readonly range: TimeRange
  readonly flags: Flags
}

/** Returns the sides to compare, and the time between their ranges in nanoseconds. Throws a `UsageError` when no flag selects the other side, or the range to move has no start. */
export function sidesOf(after: Side, against: AgainstFlags, now: bigint) {
  const { againstProfile: profile, againstQuery: apl } = against
  if ([against.against, profile, apl].every((one) => one === undefined)) {
    throw new UsageError(
      'There is nothing to compare with: set `--against 1d` for the same range a day earlier, `--against-profile` for another deployment or `--against-query` for another query.',
    )
  }
  if (apl?.trim() === '') throw new UsageError('The query of `--against-query` is empty.')
  const shift = against.against === undefined ? 0n : shiftOf(against.against)
  const ended: Side =
    after.range.endTime === undefined
      ? { ...after, range: { ...after.range, endTime: formatTimestamp(now) } }
      : after
  if (shift > 0n && after.range.startTime === undefined) {
    throw new UsageError('`--against` moves a time range: set its start with `--since`.')
  }
  const fixed = shift > 0n ? ended : after
  const before: Side = {
    apl: apl ?? after.apl,
    range: earlier(fixed.range, shift),
    flags: profile === undefined ? after.flags : withProfile(after.flags, profile),
  }
  return { before, after: fixed, shift }
}

/** Returns the flags of another deployment, without the flags that belong to this one. */
function withProfile(flags: Flags, profile: string): Flags {
  const own = connectionSettings.flatMap(([name, { isOfDeployment }]) =>
    isOfDeployment ? name : [],
  )
  return { ...flags, ...Object.fromEntries(own.map((name) => [name, undefined])), profile }
}

function shiftOf(ms: number): bigint {
  if (ms === 0) throw new UsageError('`--against` takes a duration above 0.')
  return BigInt(Math.round(ms * 1e6))
}

function earlier({ startTime, endTime }: TimeRange, shift: bigint): TimeRange {
  return {
    ...(startTime !== undefined && { startTime: moved(startTime, shift) }),
    ...(endTime !== undefined && { endTime: moved(endTime, shift) }),
  }
}

function moved(time: string, shift: bigint): string {
  const instant = parseTimestamp(time)
  return instant === undefined ? time : formatTimestamp(instant - shift)
}
