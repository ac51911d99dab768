import type { Command } from 'commander'
import type { TimeZone } from '../../wire/time/time-zone.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'
import { hiddenOptions } from './option.js'
import { parseTime } from './time.js'

/** The flags that bound a query in time, under all the names they may have. */
export interface TimeRangeFlags {
  readonly since?: string
  readonly from?: string
  readonly startTime?: string
  readonly until?: string
  readonly to?: string
  readonly endTime?: string
  /** Whose clocks times without a zone are read from. */
  readonly timezone?: TimeZone
}

/** The bounds of a request: the start is within them, the end is not. */
export interface TimeRange {
  readonly startTime?: string
  readonly endTime?: string
}

/** Gives a command the flags that bound its query in time. */
export function addTimeOptions(command: Command): Command {
  command
    .option('--since <time>', 'oldest event time: 1h, 7d, 2026-01-31, today, now-1d/d')
    .option('--until <time>', 'event time to stop before; also +30m after --since')
  const others = ['--from <time>', '--start-time <time>', '--to <time>', '--end-time <time>']
  for (const option of hiddenOptions(...others)) command.addOption(option)
  return command
}

/** What the flags mean at this moment, as RFC 3339. */
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

/** Whether any bound is given. */
export function isBounded({ since, from, startTime, until, to, endTime }: TimeRangeFlags): boolean {
  return [since, from, startTime, until, to, endTime].some((time) => time !== undefined)
}

/** A range as the end of a sentence; nothing for one that is open. */
export function describeRange({ startTime, endTime }: TimeRange): string {
  const from = startTime === undefined ? '' : ` from ${startTime}`
  return endTime === undefined ? from : `${from} until ${endTime}`
}

function only(name: string, values: readonly (string | undefined)[]): string | undefined {
  const given = values.filter((value) => value !== undefined)
  if (given.length > 1) throw new UsageError(`\`${name}\` and its other names are given together.`)
  return given[0]
}
