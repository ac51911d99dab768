import type { Command } from 'commander'
import type { TimeZone } from '../../wire/time/time-zone.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'
import { hiddenOptions } from './option.js'
import { parseTime } from './time.js'

/** The flags that bound a query in time, under all of their names. */
export interface TimeRangeFlags {
  readonly since?: string
  readonly from?: string
  readonly startTime?: string
  readonly until?: string
  readonly to?: string
  readonly endTime?: string
  /** The time zone of times without a zone. */
  readonly timezone?: TimeZone
}

/** The time range of a request, which includes its start and excludes its end. */
export interface TimeRange {
  readonly startTime?: string
  readonly endTime?: string
}

export function addTimeOptions(command: Command): Command {
  command
    .option('--since <time>', 'start of the time range: 1h, 7d, 2026-01-31, today, now-1d/d')
    .option('--until <time>', 'end of the time range, exclusive; +30m counts from --since')
  const others = ['--from <time>', '--start-time <time>', '--to <time>', '--end-time <time>']
  for (const option of hiddenOptions(...others)) command.addOption(option)
  return command
}

/** Returns the time range of the flags as RFC 3339. Throws a `UsageError` when it is invalid or empty. */
export function timeRange(flags: TimeRangeFlags, now: bigint): TimeRange {
  const { timezone: zone } = flags
  const since = only('--since', [flags.since, flags.from, flags.startTime])
  const until = only('--until', [flags.until, flags.to, flags.endTime])
  const start = since === undefined ? undefined : parseTime(since, { now, zone })
  const end = until === undefined ? undefined : parseTime(until, { now, start, zone })
  if (start !== undefined && end !== undefined && end <= start) {
    throw new UsageError(
      `The range ends (${formatTimestamp(end)}) before it begins (${formatTimestamp(start)}).`,
    )
  }
  return {
    ...(start !== undefined && { startTime: formatTimestamp(start) }),
    ...(end !== undefined && { endTime: formatTimestamp(end) }),
  }
}

export function isBounded({ since, from, startTime, until, to, endTime }: TimeRangeFlags): boolean {
  return [since, from, startTime, until, to, endTime].some((time) => time !== undefined)
}

/** Formats a range as the end of a sentence; empty for a range without bounds. */
export function describeRange({ startTime, endTime }: TimeRange): string {
  const from = startTime === undefined ? '' : ` from ${startTime}`
  return endTime === undefined ? from : `${from} until ${endTime}`
}

function only(name: string, values: readonly (string | undefined)[]): string | undefined {
  const given = values.filter((value) => value !== undefined)
  if (given.length > 1) throw new UsageError(`\`${name}\` and its aliases can't be combined.`)
  return given[0]
}
