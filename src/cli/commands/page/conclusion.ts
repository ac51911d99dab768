import type { Progress } from '../../../client/pages/pages.js'
import { counted, formatInteger } from '../../../text/integer.js'
import type { Context } from '../../context.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { shortDuration } from '../../option/quantity.js'

interface ExportResult {
  readonly progress: Progress
  /** Columns missing from the file. */
  readonly lost: readonly string[]
  /** The limit of the query or `--max-rows`. */
  readonly maxRows?: number | undefined
  readonly assertRows: (rows: number) => ExitCode
  readonly elapsedMs: number
  /** The number of rows that an earlier run wrote. */
  readonly before: number
}

/** True when all matching rows were written. */
export function isExportComplete(progress: Progress): boolean {
  const { rows, matched, isPartial, isDoubtful, isCut } = progress
  return !isPartial && !isCut && (matched === undefined ? !isDoubtful : matched === rows)
}

export function concludeExport(ended: ExportResult, context: Context): ExitCode {
  const { progress, lost, maxRows } = ended
  const { rows, matched, isCut } = progress
  const isComplete = warnOfGaps({ progress, lost }, context)
  if (isCut) {
    const of = matched === undefined ? 'there may be more' : `${formatInteger(matched)} matched`
    context.warn(`Limited to ${counted(maxRows ?? rows, 'row')}; ${of}.`)
  }
  context.info(summary(ended))
  const asserted = ended.assertRows(rows)
  if (asserted !== EXIT.done) return asserted
  return isComplete ? EXIT.done : EXIT.incomplete
}

/** Warns of rows and columns that an export lacks, or may lack. Returns false when there are any. */
export function warnOfGaps(
  { progress, lost }: Pick<ExportResult, 'progress' | 'lost'>,
  { warn }: Pick<Context, 'warn'>,
): boolean {
  const { rows, matched, isPartial, isCut } = progress
  const isDoubtful = progress.isDoubtful && matched === undefined
  const isOff = !isCut && matched !== undefined && matched !== rows
  if (isPartial) warn('The export is partial: the service could not examine all data.')
  if (isOff) warn(countMismatch(rows, matched))
  if (lost.length > 0) warn(lostColumnsText(lost))
  if (matched === undefined && rows > 0 && !isDoubtful && !isCut) {
    warn('The service does not report the number of matching rows, so it was not verified.')
  }
  if (isDoubtful) {
    warn(
      'The export may be incomplete or contain duplicates: the service does not report the number of matching rows.',
    )
  }
  return !isPartial && !isOff && !isDoubtful && lost.length === 0
}

function lostColumnsText(lost: readonly string[]): string {
  const names = lost.map((name) => `\`${name}\``).join(', ')
  return `The file lacks ${names}, which appeared after its first line was written. Run the export again without its checkpoint to include ${lost.length === 1 ? 'it' : 'them'}.`
}

function summary({ progress, elapsedMs, before }: ExportResult): string {
  const { rows, matched, pages } = progress
  const all = rows > 0 && matched === rows ? ' (all matching)' : ''
  const rate =
    elapsedMs >= 1000
      ? ` (${formatInteger(Math.round(((rows - before) / elapsedMs) * 1000))}/s)`
      : ''
  return `${counted(rows, 'row')}${all} in ${counted(pages, 'page')}, ${shortDuration(elapsedMs)}${rate}`
}

function countMismatch(rows: number, matched: number): string {
  const numbers = `${counted(rows, 'row')} received, but the service reports ${formatInteger(matched)} matching`
  const missing = matched - rows
  return rows < matched
    ? `${numbers}: ${formatInteger(missing)} ${missing === 1 ? 'is' : 'are'} missing, or arrived during the export.`
    : `${numbers}: events arrived during the export, or are duplicated.`
}

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
