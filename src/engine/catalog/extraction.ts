import { list, type Sql, sql, text } from '../../sql/sql.js'
import type { FieldPath } from '../../wire/json/field-path.js'

// `null` is reserved: the engine uses it for the null map of a column.
const PLAIN_KEY = /^(?!null$)\P{Cc}{1,150}$/u

/** True for a key that the engine accepts in a type and in a column name. */
export function isPlainKey(key: string): boolean {
  return PLAIN_KEY.test(key)
}

/** Returns the value at a path in a separate pass. */
export function extractOne(path: FieldPath): Sql {
  return sql`JSONExtract(line, ${pathLiterals(path)}, 'Dynamic')`
}

/** Returns a path as the arguments of the engine's JSON functions. */
export function pathLiterals(path: FieldPath): Sql {
  return list(path.map(text))
}

/** Returns a parenthesized list of literals for `IN`. */
export function literalSet(values: readonly string[]): Sql {
  return sql`(${list(values.map(text))})`
}
