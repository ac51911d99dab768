import { type Sql, sql, text } from '../sql.js'

/**
 * Returns the text of a value as a part of an object: the engine writes a double such as `1e20` as an integer, and fails to parse
 * one beyond 64 bits.
 */
export function parsableAgain(json: Sql): Sql {
  const tokens = sql`extractAll(${json}, ${text(TOKEN)})`
  const isTooLong = sql`match(token, '^-?[0-9]{19,}$') AND isNull(toInt64OrNull(token)) AND isNull(toUInt64OrNull(token))`
  const repaired = sql`arrayStringConcat(arrayMap(token -> if(${isTooLong}, concat(token, '.0'), token), ${tokens}))`
  return sql`if(match(${json}, '[0-9]{19}'), ${repaired}, ${json})`
}

/** A string, a number, or what is between them. */
const TOKEN = '"(?:[^"\\\\]|\\\\.)*"|-?[0-9][-+.0-9eE]*|[^-"0-9]+|-'
