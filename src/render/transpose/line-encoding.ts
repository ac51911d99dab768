import type { JsonText } from '../../wire/json/json-text.js'

/** The lines of a format. */
export interface Lines {
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
