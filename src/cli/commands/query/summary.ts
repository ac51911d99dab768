import type { Command } from 'commander'
import { counted, formatInteger } from '../../../text/integer.js'
import { ownValue } from '../../../text/own-value.js'
import type { QueryStatus } from '../../../wire/http/tabular-result.js'
import { NANOSECONDS } from '../../../wire/time/duration.js'
import { clockAt, type TimeZone, UTC } from '../../../wire/time/time-zone.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { type Context, clock } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { PrintSummary } from '../../output/printer.js'
import { type DefaultRange, formatHour } from './default-range.js'

/** The time range of a result, for the summary. */
export interface RangeNotes {
  readonly range?: DefaultRange | undefined
  /** True when a range was searched in which the query has rows. */
  readonly isExplained?: boolean
  /** The start of the range that was found, as a value of `--since`. */
  readonly earlier?: string
  /** The word that sets the start of the range; `--since` if undefined. */
  readonly sinceWord?: string
  readonly timezone?: TimeZone
}

/** Returns the number of rows as the last line of a query says it. */
export function rowCount(rows: number): string {
  return rows === 0 ? 'no rows' : counted(rows, 'row')
}

/** Returns the last line of a query: the number of rows, events examined and the elapsed time. */
function summarize(
  { elapsedTime, rowsExamined }: QueryStatus,
  notes: RangeNotes & { readonly rows: number },
  now: bigint,
): string {
  const { rows, range, isExplained, earlier, sinceWord = '--since', timezone: zone } = notes
  const found = rowCount(rows)
  if (range?.kind === 'no-events') return `${found}, the dataset has no events`
  const isNowhere = rows === 0 && isExplained === true && earlier === undefined
  const where = range === undefined ? '' : ` of the ${HOUR_NAMES[range.kind]}`
  const before = range !== undefined && isNowhere ? ' or earlier' : ''
  const further = isNowhere ? undefined : furtherBack()
  const details = [
    ...(range?.kind === 'newest-hour' ? [formatHour(range, zone)] : []),
    ...(earlier !== undefined
      ? [`\`${sinceWord} ${earlier}\` finds some`]
      : further === undefined
        ? []
        : [`\`${sinceWord} ${further}\` looks further back`]),
  ]
  const detail = details.length === 0 ? '' : ` (${details.join('; ')})`
  if (range?.kind === 'last-hour' && rows > 0 && rowsExamined === 0) {
    return `${found}, no events${where}${detail}`
  }
  const examined = `${counted(rowsExamined, 'event')} examined${took(elapsedTime)}`
  return `${found}${where}${before}${detail}, ${examined}`

  /** Returns the start of a wider range, as a value of `--since`; undefined when there is no reason to widen the range. */
  function furtherBack(): string | undefined {
    if (range?.kind === 'newest-hour') return sinceText(range.end - SIX_DAYS, { now, zone })
    const isEmpty = rows === 0 || rowsExamined === 0
    return range !== undefined && isEmpty ? '7d' : undefined
  }
}

const HOUR_NAMES = { 'last-hour': 'last hour', 'newest-hour': 'newest hour' } as const

const SIX_DAYS = 6n * NANOSECONDS.d!

/** Returns the lines of `--stats`. */
function describeStats(status: QueryStatus): readonly string[] {
  return [
    `matched: ${counted(status.rowsMatched, 'event')}, ${counted(status.numGroups, 'group')}`,
    `blocks: ${formatInteger(status.blocksExamined)} examined, ${formatInteger(status.blocksCached)} cached, ${formatInteger(status.blocksMatched)} matched`,
    `times: ${status.minBlockTime || '-'} to ${status.maxBlockTime || '-'}`,
  ]
}

/** Returns the elapsed time; an empty string for 0, which means unknown. */
function took(microseconds: number): string {
  if (microseconds <= 0) return ''
  const ms = microseconds / 1000
  if (ms < 10) return ` in ${ms.toFixed(1)} ms`
  return ms < 1000 ? ` in ${Math.round(ms)} ms` : ` in ${(ms / 1000).toFixed(1)} s`
}

// Messages about a result that all commands share.

/** The flags for messages about a result and for its exit code. */
export interface ResultFlags {
  readonly stats?: boolean
  readonly strict?: boolean
}

export function addResultOptions(command: Command): Command {
  return command
    .option('--stats', 'also print execution statistics')
    .option('--strict', 'exit with 3 when a default limit truncated the result')
    .option(
      '--why',
      'explain why there are no rows (a count of 0 is a row); automatic on a terminal',
    )
}

/** Flags and commands for the messages of a service about its limits. */
const LIMIT_ADVICE: Readonly<Record<string, string>> = {
  default_limit_warning: '`-n` sets the limit of the request; `evq page` exports all rows.',
  service_limit_warning: '`evq page` exports all rows.',
}

/** The same for queries of files, which can't be exported page by page. */
const LIMIT_ADVICE_ON_FILES: Readonly<Record<string, string>> = {
  default_limit_warning: '`-n` sets the limit of the request.',
}

export function reportResult(
  { status, rows }: PrintSummary,
  {
    stats,
    strict,
    hasInputs,
    ...notes
  }: ResultFlags & RangeNotes & { readonly hasInputs?: boolean },
  context: Context,
): ExitCode {
  const messages = status.messages ?? []
  const advice = hasInputs ? LIMIT_ADVICE_ON_FILES : LIMIT_ADVICE
  for (const { code, msg } of messages) {
    if (msg !== '') context.warn([msg, ownValue(advice, code)].join(' ').trim())
  }
  if (status.isPartial)
    context.warn('The result is partial: the service could not examine all of it.')
  if (stats) for (const line of describeStats(status)) context.warn(line)
  context.info(summarize(status, { ...notes, rows }, clock(context.io)()))
  const isCut = strict === true && messages.some(({ code }) => code.includes('limit'))
  return status.isPartial || isCut ? EXIT.incomplete : EXIT.done
}

const DAY = NANOSECONDS.d!
const HOUR = NANOSECONDS.h!

/** Returns a short value of `--since` whose range includes an instant: `3h`, `5d` or a date. */
export function sinceText(
  instant: bigint,
  { now, zone = UTC }: { readonly now: bigint; readonly zone?: TimeZone | undefined },
): string {
  const age = now - instant
  if (age < 0n) return 'now'
  // One unit more than the age, because time passes until the hint is used.
  if (age < 2n * DAY) return `${age / HOUR + 1n}h`
  if (age < 14n * DAY) return `${age / DAY + 1n}d`
  return formatTimestamp(clockAt(instant, zone)).slice(0, 'YYYY-MM-DD'.length)
}
