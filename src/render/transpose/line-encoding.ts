import type { JsonText } from '../../wire/json/json-text.js'

/** The lines of a format. */
export interface LineFormat {
  /** The line that names the columns; empty where each row names its own. */
  heading(names: readonly string[]): string | Promise<string>
  /** How the rows of these columns become lines. */
  encoding(names: readonly string[]): LineEncoding
}

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

/** Lines of NDJSON as elements of an array, after its `[` or the elements before them. */
export function arrayElements(lines: Uint8Array, isFirst: boolean): Uint8Array {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length - 1).toString('latin1')
  return Buffer.from(`${isFirst ? '[' : ','}\n${text.replaceAll('\n', ',\n')}`, 'latin1')
}

/** What stands behind the last element. */
export function arrayEnd(isEmpty: boolean): string {
  return isEmpty ? '[]\n' : '\n]\n'
}
