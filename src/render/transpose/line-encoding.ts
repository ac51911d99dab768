import type { JsonText } from '../../wire/json-text.js'
import { cellText, oneLine } from '../cell.js'
import { tsvCell } from '../tsv.js'

/** How rows become lines. */
export type LineEncoding = DelimitedEncoding | NdjsonEncoding

export interface DelimitedEncoding {
  readonly kind: 'delimited'
  /** The byte between cells. */
  readonly delimiter: number
  /** What stands for a null: at most four ASCII characters. */
  readonly nothing: string
  /** Whether an empty text, and one with a comma in it, keeps its quotes. */
  readonly quotes: boolean
  /** A cell that can't stay as it is: a text with escapes, or a nested value. */
  readonly encode: (cell: JsonText) => string
}

interface NdjsonEncoding {
  readonly kind: 'ndjson'
  /** What stands before the value of each column: `,"name":`. */
  readonly keys: readonly Uint8Array[]
  /** A nested value with line ends. */
  readonly encode: (cell: JsonText) => string
}

/** RFC 4180, as `renderCsv` writes it. */
export const CSV_LINES: LineEncoding = {
  kind: 'delimited',
  delimiter: 0x2c,
  nothing: '',
  quotes: true,
  encode(cell) {
    const text = cellText(cell) ?? ''
    return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  },
}

/** As `renderTsv` writes it. */
export const TSV_LINES: LineEncoding = {
  kind: 'delimited',
  delimiter: 0x09,
  nothing: '\\N',
  quotes: false,
  encode: (cell) => tsvCell(cellText(cell)),
}

/** Objects with these names, in their order. */
export function ndjsonLines(names: readonly string[]): LineEncoding {
  const keys = names.map((name, i) => Buffer.from(`${i === 0 ? '{' : ','}${JSON.stringify(name)}:`))
  return { kind: 'ndjson', keys, encode: oneLine }
}
