/**
 * SQL as a value. Only this file puts quotes around anything: text that came from outside reaches a
 * statement through `text`, `identifier` and their like, or not at all.
 */
export interface Sql {
  readonly kind: 'sql'
  readonly text: string
}

/** The template tag: what stands in the source is SQL, what is put in must be SQL already or a whole number. */
export function sql(
  parts: TemplateStringsArray,
  ...values: readonly (Sql | bigint | number)[]
): Sql {
  return raw(parts.reduce((all, part, i) => bounded(all + written(values[i - 1]!)) + part))
}

/** SQL that this program wrote itself: names from its own tables, never anything from a query or an event. */
export function raw(text: string): Sql {
  return { kind: 'sql', text: bounded(text) }
}

/** The longest statement, in UTF-16 units: the engine would need minutes and gigabytes to read more. */
const LONGEST = 64 * 1024 * 1024

/** SQL has become longer than any that is run: what stands within something that writes it down twice doubles each time. */
export class SqlTooLongError extends Error {
  constructor() {
    super('a statement is too long')
    this.name = 'SqlTooLongError'
  }
}

function bounded(text: string): string {
  if (text.length > LONGEST) throw new SqlTooLongError()
  return text
}

/** A string literal. */
export function text(value: string): Sql {
  // ClickHouse reads `\` as an escape inside quotes, so doubling the quote alone would let
  // a value that ends in `\` swallow the closing quote. A NUL is written as an escape too.
  const escaped = value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')
  return raw(`'${escaped}'`)
}

/** A name of a table or column. */
export function identifier(name: string): Sql {
  // The same escape rule holds inside backquotes: a field called  \` or 1=1 --  must not end the name early.
  return raw(`\`${name.replace(/[\\`]/g, '\\$&').replaceAll('\0', '\\0')}\``)
}

/** Pieces with commas between them. */
export function list(pieces: readonly Sql[]): Sql {
  return joined(pieces, ', ')
}

/** Pieces with `separator` between them. */
export function joined(pieces: readonly Sql[], separator: string): Sql {
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
  if (length > LONGEST) throw new SqlTooLongError()
  return raw(pieces.map((piece) => piece.text).join(separator))
}

function written(value: Sql | bigint | number): string {
  if (typeof value === 'object') return value.text
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`not a whole number: ${value}`)
  }
  // A negative number behind a minus sign would begin a comment.
  return value < 0 ? `(${value})` : String(value)
}
