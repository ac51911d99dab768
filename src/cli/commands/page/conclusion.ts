import type { Progress } from '../../../client/pages/pages.js'
import { formatInteger } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted, shortDuration } from '../../option/quantity.js'

/** An export that came to its end. */
export interface ExportResult {
  readonly progress: Progress
  /** Columns that the file lacks. */
  readonly lost: readonly string[]
  /** What the query itself, or `--max-rows`, takes. */
  readonly maxRows?: number | undefined
  readonly demand: (rows: number) => ExitCode
  readonly elapsedMs: number
  /** Rows that an earlier run had written. */
  readonly before: number
}

/** Whether the rows that were written are those that the service has, all of them. */
export function isExportComplete({
  rows,
  matched,
  isPartial,
  isDoubtful,
  isCut,
}: Progress): boolean {
  return !isPartial && !isCut && (matched === undefined ? !isDoubtful : matched === rows)
}

/** Says what became of an export; returns what the command ends with. */
export function concludeExport(ended: ExportResult, { warn, info }: Context): ExitCode {
  const { progress, lost, maxRows } = ended
  const { rows, matched, isPartial, isCut } = progress
  const isDoubtful = progress.isDoubtful && matched === undefined
  const isOff = !isCut && matched !== undefined && matched !== rows
  if (isPartial) warn('The export is partial: the service could not examine all of it.')
  if (isOff) warn(countMismatch(rows, matched))
  if (lost.length > 0) warn(lostColumnsText(lost))
  if (matched === undefined && rows > 0 && !isDoubtful) {
    warn("The service does not say how many rows there are, so their number can't be compared.")
  }
  if (isDoubtful) {
    warn(
      "It can't be told whether all rows came, and each once: the service does not say how many there are.",
    )
  }
  if (isCut) {
    const of = matched === undefined ? 'there may be more' : `${formatInteger(matched)} matched`
    warn(`Cut at ${counted(maxRows ?? rows, 'row')}, as asked; ${of}.`)
  }
  const demanded = ended.demand(rows)
  info(summary(ended))
  if (demanded !== EXIT.done) return demanded
  return isPartial || isOff || isDoubtful || lost.length > 0 ? EXIT.incomplete : EXIT.done
}

/** Tells of the columns that a file lacks. */
export function lostColumnsText(lost: readonly string[]): string {
  const names = lost.map((name) => `\`${name}\``).join(', ')
  return `The file lacks ${names}: new since its first line was written. The same export, made anew, has ${lost.length === 1 ? 'it' : 'them'}.`
}

/** The last line. */
function summary({ progress, elapsedMs, before }: ExportResult): string {
  const { rows, matched, pages } = progress
  const all = rows > 0 && matched === rows ? ', all that matched,' : ''
  const rate =
    elapsedMs >= 1000
      ? ` (${formatInteger(Math.round(((rows - before) / elapsedMs) * 1000))}/s)`
      : ''
  return `${counted(rows, 'row')}${all} in ${counted(pages, 'page')}, ${shortDuration(elapsedMs)}${rate}`
}

function countMismatch(rows: number, matched: number): string {
  const numbers = `${counted(rows, 'row')} came, and by the service ${formatInteger(matched)} matched`
  return rows < matched
    ? `${numbers}: ${formatInteger(matched - rows)} are missing.`
    : `${numbers}: events arrived meanwhile, or came twice.`
}

/** What moves on a terminal meanwhile. */
export function progressText(
  { rows, matched }: Progress,
  { elapsedMs, before }: { readonly elapsedMs: number; readonly before: number },
): string {
  const rate = (rows - before) / Math.max(elapsedMs, 1)
  const speed = rows > before ? `, ${formatInteger(Math.round(rate * 1000))}/s` : ''
  if (matched === undefined || matched === 0) return `${counted(rows, 'row')}${speed}`
  const percent = Math.floor(Math.min(rows / matched, 1) * 100)
  const left = rows > before && matched > rows ? (matched - rows) / rate : undefined
  const eta = left === undefined ? '' : `, ${shortDuration(left)} left`
  return `${formatInteger(rows)} of ${formatInteger(matched)} rows (${percent}%)${speed}${eta}`
}
