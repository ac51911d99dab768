import { formatInteger } from '../../../text/integer.js'
import type { QueryStatus } from '../../../wire/http/tabular-result.js'
import type { Context } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import type { PrintSummary } from '../../output/printer.js'

/** The time range of a result, for the summary. */
interface RangeNotes {
  /** True when the range is the default of a terminal. */
  readonly isRecent?: boolean
  /** A time from which on the query has rows, as it is given to `--since`. */
  readonly earlier?: string
  /** The word that sets the start of the range; `--since` if undefined. */
  readonly sinceWord?: string
}

/** Returns the last line of a query: the number of rows, events examined and the elapsed time. */
function summarize(
  { elapsedTime, rowsExamined }: QueryStatus,
  { rows, isRecent, earlier, sinceWord = '--since' }: RangeNotes & { readonly rows: number },
): string {
  const examined = `${counted(rowsExamined, 'event')} examined${took(elapsedTime)}`
  if (rows === 0 && earlier !== undefined) {
    const where = isRecent ? ' of the last hour' : ''
    return `no rows${where} (\`${sinceWord} ${earlier}\` finds some), ${examined}`
  }
  if (!isRecent) return `${rows === 0 ? 'no rows' : counted(rows, 'row')}, ${examined}`
  const further = `of the last hour (\`${sinceWord} 7d\` looks further back)`
  if (rows === 0) return `no rows ${further}, ${examined}`
  if (rowsExamined === 0) return `${counted(rows, 'row')}, no events ${further}`
  return `${counted(rows, 'row')} of the last hour, ${examined}`
}

/** Returns the lines of `--stats`. */
function describeStats(status: QueryStatus): readonly string[] {
  return [
    `matched: ${counted(status.rowsMatched, 'event')}, ${counted(status.numGroups, 'group')}`,
    `blocks: ${formatInteger(status.blocksExamined)} examined, ${formatInteger(status.blocksCached)} cached, ${formatInteger(status.blocksMatched)} matched`,
    `times: ${status.minBlockTime || '-'} to ${status.maxBlockTime || '-'}`,
  ]
}

function counted(count: number, noun: string): string {
  return `${formatInteger(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns the elapsed time; nothing for 0, which means unknown. */
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

/** Prints the messages about a result and returns the exit code. */
export function reportResult(
  { status, rows }: PrintSummary,
  { stats, strict, ...notes }: ResultFlags & RangeNotes,
  context: Context,
): ExitCode {
  const messages = status.messages ?? []
  for (const { msg } of messages) if (msg !== '') context.warn(msg)
  if (status.isPartial)
    context.warn('The result is partial: the service could not examine all of it.')
  if (stats) for (const line of describeStats(status)) context.warn(line)
  context.info(summarize(status, { ...notes, rows }))
  const isCut = strict === true && messages.some(({ code }) => code.includes('limit'))
  return status.isPartial || isCut ? EXIT.incomplete : EXIT.done
}
