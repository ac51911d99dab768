import { readCsvRow } from '../wire/csv/csv-row.js'
import type { LogFormat } from './log/log-format.js'

/** Number of lines examined; the majority decides. */
const SAMPLED_LINES = 32

const CLF = / \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)? [+-]\d\d:?\d\d\] "/
const SYSLOG = /^(?:[1-9]\d* )?<\d{1,3}>\S|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)? \S/
/**
 * The format in which current syslog daemons write files; other logs begin like it, with a level in place of the host.
 */
const DATED_SYSLOG =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d) (?!\[?(?:trace|debug|info|notice|warn|warning|error|fatal|critical)\b)\S+ [\w./-]+(?:\[\d+\])?: /i
const PAIR = /(?:^|\s)[A-Za-z_@][\w.@/-]*=(?:"(?:[^"\\]|\\.)*"|[^\s"]*)(?=\s|$)/g

const LOGS: readonly (readonly [format: LogFormat, isLine: (line: string) => boolean])[] = [
  ['clf', (line) => CLF.test(line)],
  ['syslog', (line) => SYSLOG.test(line) || DATED_SYSLOG.test(line)],
  ['logfmt', (line) => /^[^\s="]+=/.test(line) && (line.match(PAIR)?.length ?? 0) >= 2],
]

/**
 * Detects the format of lines that are not JSON; undefined while more lines are needed. Log formats take precedence
 * over tables: a comma in every message does not make columns.
 */
export function recognizeLines(
  text: string,
  { isWhole }: { readonly isWhole: boolean },
): LogFormat | 'csv' | 'tsv' | undefined {
  const end = isWhole ? text.length : text.lastIndexOf('\n') + 1
  const lines = text
    .slice(0, end)
    .split('\n')
    .map((line) => line.trim().slice(0, 4096))
    .filter((line) => line !== '')
    .slice(0, SAMPLED_LINES)
  if (lines.length === 0) return undefined
  const log = LOGS.find(([, isLine]) => lines.filter(isLine).length * 2 > lines.length)
  if (log !== undefined) return log[0]
  // The second line is needed to recognize a header.
  if (lines.length === 1 && !isWhole && /[,\t]/.test(lines[0]!)) return undefined
  if (isTable(text.slice(0, end), '\t')) return 'tsv'
  return isTable(text.slice(0, end), ',') ? 'csv' : 'text'
}

const SAMPLED_ROWS = 16

/** True when the text looks like a header followed by rows of as many cells. */
function isTable(text: string, delimiter: string): boolean {
  const [header, ...rows] = rowsOf(text, delimiter)
  if (header === undefined || !isHeader(header)) return false
  const even = rows.filter((row) => row.length === header.length)
  const isWider = rows.some((row) => row.length > header.length)
  return !isWider && even.length * 2 >= rows.length
}

/** True for distinct names that are neither numbers nor parts of a sentence. */
function isHeader(cells: readonly string[]): boolean {
  const isSentence = cells.length < 3 && cells.some((cell) => /^\s/.test(cell))
  return (
    cells.length > 1 &&
    !isSentence &&
    new Set(cells).size === cells.length &&
    cells.every((cell) => cell.length <= 100 && /\S/.test(cell) && !/^[\s\d.:+-]+$/.test(cell))
  )
}

/** Returns the cells of the first rows; of a malformed row, those in front of the error. */
function rowsOf(text: string, delimiter: string): readonly (readonly string[])[] {
  const rows: string[][] = []
  for (let at = 0; at < text.length && rows.length < SAMPLED_ROWS; ) {
    const row = readCsvRow(text, at, { delimiter, isEnd: true })!
    const cells = row.cells.map((cell = '') => cell)
    if (cells.length > 1 || cells[0]?.trim() !== '') rows.push(cells)
    at = row.end
  }
  return rows
}
