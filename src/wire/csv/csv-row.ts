import { CSV_CELLS } from '../limits.js'

export interface CsvRow {
  /** The cells, at most one more than `CSV_CELLS`: undefined for an empty cell, but a string for an empty cell in quotes. */
  readonly cells: readonly (string | undefined)[]
  readonly end: number
  /** Set when the row is malformed; `cells` are then the cells before the error. */
  readonly error?: string
}

interface RowOptions {
  readonly delimiter: string
  /** True when no more text follows, so that the row needs no line feed. */
  readonly isEnd: boolean
}

/** CSV that can't be read, or has an invalid header. */
export class CsvError extends Error {
  override readonly name = 'CsvError'
}

/**
 * Row : Cell (delimiter Cell)* line end
 *
 * Reads any row, by the grammar of CSV. `CsvRows` converts ordinary rows faster, and `CsvScanner` only finds line ends. Returns
 * undefined when the text ends before the row does.
 */
export function readCsvRow(
  text: string,
  start: number,
  { delimiter, isEnd }: RowOptions,
): CsvRow | undefined {
  const cells: (string | undefined)[] = []
  let at = start
  /** The position of the next line feed, -1 when no line feed follows; undefined before the first search. */
  let feed: number | undefined
  for (;;) {
    const isQuoted = text[at] === '"'
    const close = isQuoted ? closingQuote(text, at + 1) : at
    if (close === -1) return isEnd ? unclosed(text, at) : undefined
    const after = isQuoted ? close + 1 : at
    // Searched once per line: a search from each cell of a long line would take quadratic time.
    if (feed === undefined || (feed !== -1 && feed < after)) feed = text.indexOf('\n', after)
    // A quote at the very end may close the cell or be the first of two.
    if (feed === -1 && !isEnd) return undefined
    const lineEnd = feed === -1 ? text.length : feed
    const found = text.slice(after, lineEnd).indexOf(delimiter)
    const cellEnd = found === -1 ? lineEnd : after + found
    const tail =
      found === -1 ? withoutReturn(text.slice(after, cellEnd)) : text.slice(after, cellEnd)
    const end = feed === -1 ? text.length : feed + 1
    if (isQuoted && tail !== '') {
      return { cells, end, error: `cell ${cells.length + 1} has text after its closing quote` }
    }
    // The other cells are only read for the end of the row.
    if (cells.length <= CSV_CELLS) {
      cells.push(isQuoted ? text.slice(at + 1, close).replaceAll('""', '"') : bare(tail))
    }
    if (found === -1) return { cells, end }
    at = cellEnd + delimiter.length
  }
}

/** Returns the position of the quote that closes a cell, or -1. Two quotes represent one. */
function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from)
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2)
  return at
}

function unclosed(text: string, at: number): CsvRow {
  return { cells: [], end: text.length, error: `a quote is never closed: ${excerpt(text, at)}` }
}

/** Returns the beginning of a cell for a message. The text is latin1, one character per byte. */
function excerpt(text: string, at: number): string {
  const start = Buffer.from(text.slice(at, at + 24), 'latin1').toString()
  return `\`${start.replace(/[\r\n].*/s, '')}\``
}

function bare(text: string): string | undefined {
  return text === '' ? undefined : text
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
