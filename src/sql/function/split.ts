import { type Sql, sql } from '../sql.js'

/**
 * The engine splits by a constant only. Bytes spelt `-2f` begin with what no other part of them holds, so
 * that in the spelling the delimiter is found exactly where it is in the text, and `|` nowhere.
 */
export function splitBy(delimiter: Sql, source: Sql): Sql {
  const spelt = (value: Sql) => sql`replaceRegexpAll(hex(${value}), '(..)', '-\\\\1')`
  const marked = sql`replaceAll(${spelt(source)}, ${spelt(delimiter)}, '|')`
  return sql`arrayMap(piece -> unhex(replaceAll(piece, '-', '')), splitByChar('|', ${marked}))`
}
