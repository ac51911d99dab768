/**
 * SQL as a value. Only this file quotes: strings from outside reach a statement through `text`,
 * `identifier` and similar functions, or not at all.
 */
export interface Sql {
  readonly kind: 'sql'
  readonly text: string
}

/** A template tag: literal parts are SQL; values must be SQL or integers. Throws a `RangeError` for other numbers. */
export function sql(
  parts: TemplateStringsArray,
  ...values: readonly (Sql | bigint | number)[]
): Sql {
  return raw(parts.reduce((all, part, i) => bounded(all + written(values[i - 1]!)) + part))
}

/** SQL written by this program itself; never anything from a query or an event. */
export function raw(text: string): Sql {
  return { kind: 'sql', text: bounded(text) }
}

/** The maximum length of a statement, in UTF-16 code units: parsing longer ones takes the engine minutes and gigabytes. */
const MAX_LENGTH = 64 * 1024 * 1024

/** Thrown when a statement exceeds the maximum length, usually because nested expressions repeat their arguments. */
export class SqlTooLongError extends Error {
  override readonly name = 'SqlTooLongError'

  constructor() {
    super('the statement is too long')
  }
}

function bounded(text: string): string {
  if (text.length > MAX_LENGTH) throw new SqlTooLongError()
  return text
}

export function text(value: string): Sql {
  // ClickHouse reads `\` as an escape inside quotes, so doubling the quote alone would let
  // a value that ends in `\` swallow the closing quote. NUL is escaped too.
  const escaped = value.replace(/[\\']/g, '\\$&').replaceAll('\0', '\\0')
  return raw(`'${escaped}'`)
}

/** A string literal with these bytes, in hexadecimal digits. Throws a `RangeError` for other characters. */
export function bytes(hex: string): Sql {
  if (!/^(?:[\da-f]{2})*$/.test(hex)) throw new RangeError(`not hexadecimal: ${hex}`)
  return raw(`'${hex.replace(/../g, '\\x$&')}'`)
}

/** The quoted name of a table or column. */
export function identifier(name: string): Sql {
  // The same escape rule applies inside backquotes: a field called  \` or 1=1 --  must not end the name early.
  return raw(`\`${name.replace(/[\\`]/g, '\\$&').replaceAll('\0', '\\0')}\``)
}

export function list(pieces: readonly Sql[]): Sql {
  return joined(pieces, ', ')
}

export function joined(pieces: readonly Sql[], separator: string): Sql {
  const length = pieces.reduce((sum, piece) => sum + piece.text.length, 0)
  if (length > MAX_LENGTH) throw new SqlTooLongError()
  return raw(pieces.map((piece) => piece.text).join(separator))
}

export function joinedBy(sign: 'AND' | 'OR', conditions: readonly Sql[]): Sql {
  return sql`(${joined(conditions, ` ${sign} `)})`
}

function written(value: Sql | bigint | number): string {
  if (typeof value === 'object') return value.text
  if (typeof value === 'number' && !Number.isSafeInteger(value)) {
    throw new RangeError(`not an integer: ${value}`)
  }
  // A negative number after a minus sign would begin a comment.
  return value < 0 ? `(${value})` : String(value)
}
