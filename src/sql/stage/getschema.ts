import type { CheckedGetSchema } from '../../apl/check/checked.js'
import type { Type } from '../../apl/type.js'
import { WIRE_TYPES } from '../describe.js'
import { columnName, type OrderKey, type Rows } from '../rows.js'
import { list, type Sql, sql, text } from '../sql.js'

/** `getschema`: rows that are known before the query runs. */
export function getschema({ columns, described }: CheckedGetSchema, rows: Rows): Rows {
  const entries = described.map(
    ({ name, type }, i) =>
      sql`(${text(name)}, ${text(dataType(type))}, toInt64(${i}), ${text(type)})`,
  )
  const members = [columns.name, columns.dataType, columns.ordinal, columns.type]
  const out = members.map(({ id }, i) => sql`tupleElement(entry, ${i + 1}) AS ${columnName(id)}`)
  const from: Sql = sql`(SELECT ${list(out)} FROM (SELECT arrayJoin([${list(entries)}]) AS entry))`
  const ordinal: OrderKey = {
    sql: columnName(columns.ordinal.id),
    direction: 'asc',
    column: columns.ordinal.id,
  }
  const cells = members.map(({ id, type }) => {
    const value = { sql: columnName(id), type, nullable: false }
    return [id, { kind: 'stored', value }] as const
  })
  return { from, columns: new Map(cells), filters: [], order: [ordinal], hidden: rows.hidden }
}

/** The wire name of a type. */
function dataType(type: Type): string {
  return WIRE_TYPES[type] || 'dynamic'
}
