import type { JsonText } from '../../wire/json/json-text.js'

export interface LineFormat {
  /** Returns the line that names the columns; empty when each row names its own. */
  heading(names: readonly string[]): string | Promise<string>
  /** Returns the encoding of rows with these columns. */
  encoding(names: readonly string[]): LineEncoding
}

export interface LineEncoding {
  /** The form of the lines; lines of `ndjson` end with a brace. */
  readonly form: 'csv' | 'tsv' | 'ndjson'
  /** The text in front of the value of each column. */
  readonly keys: readonly string[]
  /** Represents null: at most four ASCII characters. */
  readonly nullText: string
  /** Encodes a value other than null that cannot be copied, such as a string with escapes. */
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
