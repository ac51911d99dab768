import { type Sql, sql } from '../sql.js'

/**
 * The engine splits by a constant only. Each byte is encoded as `-2f`, which starts with a character that
 * no encoding contains elsewhere: the encoded delimiter matches at byte boundaries only, and `|` never occurs.
 */
export function splitBy(delimiter: Sql, source: Sql): Sql {
  const spelt = (value: Sql) => sql`replaceRegexpAll(hex(${value}), '(..)', '-\\\\1')`
  const marked = sql`replaceAll(${spelt(source)}, ${spelt(delimiter)}, '|')`
  return sql`arrayMap(piece -> unhex(replaceAll(piece, '-', '')), splitByChar('|', ${marked}))`
}
