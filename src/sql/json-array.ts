import { type Sql, sql } from './sql.js'

/** A JSON array of elements that are JSON texts; null is JSON's null. */
export function jsonArray(elements: Sql): Sql {
  return sql`concat('[', arrayStringConcat(arrayMap(element -> ifNull(element, 'null'), ${elements}), ','), ']')`
}
