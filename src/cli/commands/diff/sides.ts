import { DURATION_SYNTAX, parseDuration } from '../../../wire/time/duration.js'
import { formatTimestamp, parseTimestamp } from '../../../wire/time/timestamp.js'
import type { Flags } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import type { TimeRange } from '../../option/time-range.js'

/** The flags that say what a result is compared with. */
export interface AgainstFlags {
  readonly against?: string
  readonly againstProfile?: string
  readonly againstQuery?: string
}

/** A query, its range, and the flags of its deployment. */
export interface Side {
  readonly apl: string
  readonly range: TimeRange
  readonly flags: Flags
}

/** The two sides of a comparison. */
export interface Sides {
  readonly before: Side
  readonly after: Side
  /** The time between the two ranges, in nanoseconds. */
  readonly shift: bigint
}

/** Returns what is compared. Throws a `UsageError` when the flags do not say with what, or the range has no start. */
export function sidesOf(after: Side, against: AgainstFlags, now: bigint): Sides {
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
  return {
    shift,
    after: fixed,
    before: {
      apl: apl ?? after.apl,
      range: earlier(fixed.range, shift),
      flags: profile === undefined ? after.flags : withProfile(after.flags, profile),
    },
  }
}

/** Returns the flags of another deployment: those about the address of this one do not apply to it. */
function withProfile(flags: Flags, profile: string): Flags {
  const {
    url: _url,
    ingestUrl: _ingestUrl,
    orgId: _orgId,
    tokenFile: _tokenFile,
    ...others
  } = flags
  return { ...others, profile }
}

function shiftOf(text: string): bigint {
  const shift = parseDuration(text)
  if (shift !== undefined && shift > 0n) return shift
  throw new UsageError(
    `\`--against\` takes the time between the two ranges, ${DURATION_SYNTAX}, not \`${text}\`.`,
  )
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
