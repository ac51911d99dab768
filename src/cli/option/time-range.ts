import type { Command } from 'commander'
import { type TimeZone, UTC } from '../../wire/time/time-zone.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'
import { aliasOption } from './option.js'
import { CLOCK, parseTime } from './time.js'

/** The flags that bound a query in time. */
export interface TimeRangeFlags {
  readonly since?: string
  readonly until?: string
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
  return command
    .addOption(aliasOption('--from <time>', 'since'))
    .addOption(aliasOption('--start-time <time>', 'since'))
    .addOption(aliasOption('--to <time>', 'until'))
    .addOption(aliasOption('--end-time <time>', 'until'))
}

/** Returns the time range of the flags as RFC 3339. Throws a `UsageError` when it is invalid or empty. */
export function timeRange(flags: TimeRangeFlags, now: bigint): TimeRange {
  const { since, until, timezone: zone } = flags
  const start = since === undefined ? undefined : parseTime(since, { now, zone })
  if (since !== undefined && CLOCK.test(since) && start! > now) {
    throw new UsageError(
      `\`${since}\` is in the future: it is a time of today, in UTC unless \`--timezone\` sets a zone. \`yesterday+10h\` is a time of yesterday.`,
    )
  }
  const end = until === undefined ? undefined : parseTime(until, { now, start, zone })
  if (start !== undefined && end !== undefined && end <= start) {
    const from = formatTimestamp(start)
    throw new UsageError(
      end < start
        ? `The range ends (${formatTimestamp(end)}) before it begins (${from}).`
        : `The range is empty: it begins and ends at ${from}.`,
    )
  }
  return {
    ...(start !== undefined && { startTime: formatTimestamp(start) }),
    ...(end !== undefined && { endTime: formatTimestamp(end) }),
  }
}

export function isBounded({ since, until }: TimeRangeFlags): boolean {
  return since !== undefined || until !== undefined
}

/** Formats a range as the end of a sentence; empty for a range without bounds. */
export function describeRange({ startTime, endTime }: TimeRange, zone = UTC): string {
  const from = startTime === undefined ? '' : ` from ${inZone(startTime, zone)}`
  return endTime === undefined ? from : `${from} until ${inZone(endTime, zone)}`
}

function inZone(time: string, zone: TimeZone): string {
  const instant = parseTimestamp(time)
  return instant === undefined ? time : formatTimestamp(instant, zone.offsetAt(instant))
}
