import type { JsonText } from '../../wire/json/json-text.js'

export interface LineFormat {
  /** Returns the line that names the columns; empty when each row names its own. */
  heading(names: readonly string[]): string | Promise<string>
  /** Returns the encoding of rows with these columns. */
  encoding(names: readonly string[]): LineEncoding
}

export type LineEncoding = DelimitedEncoding | NdjsonEncoding

export interface DelimitedEncoding {
  readonly kind: 'delimited'
  /** The byte between cells. */
  readonly delimiter: number
  /** Represents null: at most four ASCII characters. */
  readonly nullText: string
  /** True when empty strings and strings with a comma keep their quotes. */
  readonly keepsQuotes: boolean
  /** Encodes a cell that cannot be copied: a string with escapes, or a nested value. */
  readonly encode: (cell: JsonText) => string
}

interface NdjsonEncoding {
  readonly kind: 'ndjson'
  /** The bytes in front of the value of each column: `,"name":`. */
  readonly keys: readonly Uint8Array[]
  /** Encodes a nested value with line ends. */
  readonly encode: (cell: JsonText) => string
}

/** Converts lines of NDJSON to elements of an array, after its `[` or previous elements. */
export function arrayElements(lines: Uint8Array, isFirst: boolean): Uint8Array {
  const text = Buffer.from(lines.buffer, lines.byteOffset, lines.length - 1).toString('latin1')
  return Buffer.from(`${isFirst ? '[' : ','}\n${text.replaceAll('\n', ',\n')}`, 'latin1')
}

export function arrayEnd(isEmpty: boolean): string {
  return isEmpty ? '[]\n' : '\n]\n'
}
