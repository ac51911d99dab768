import type { CheckedGetSchema, CheckedRows } from '../../apl/check/checked.js'
import { type Type, WIRE_TYPES } from '../../apl/type.js'
import type { LastUse } from '../last-use.js'
import { type Cell, columnName, type OrderKey, type Rows, storedCell } from '../rows.js'
import { list, raw, type Sql, sql, text } from '../sql.js'
import { constant, typeName } from '../value.js'

/** The index of a row in the `datatable`. */
const PLACE = raw('h0')

/** The rows of a `datatable`, in their order. */
export function literalRows({ columns: all, rows }: CheckedRows, uses: LastUse): Rows {
  const places = rows.map((_, i) => sql`${i}`)
  const arrays: Sql[] = [sql`CAST([${list(places)}], 'Array(UInt64)') AS ${PLACE}`]
  const columns = new Map<number, Cell>()
  for (const [i, { id, type }] of all.entries()) {
    if (!uses.has(id)) continue
    const cells = rows.map((row) => constant(type, row[i]!.value))
    const nullable = cells.some((cell) => cell.nullable)
    const item = nullable ? `Nullable(${typeName(type)})` : typeName(type)
    const array = sql`CAST([${list(cells.map((cell) => cell.sql))}], ${text(`Array(${item})`)})`
    arrays.push(sql`${array} AS ${columnName(id)}`)
    columns.set(id, storedCell(id, { type, nullable }))
  }
  const names = [PLACE, ...[...columns.keys()].map(columnName)]
  return {
    from: sql`(SELECT ${list(names)} FROM (SELECT 1) ARRAY JOIN ${list(arrays)})`,
    columns,
    filters: [],
    order: [{ sql: PLACE, direction: 'asc' }],
    hidden: 1,
  }
}

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
    return [id, storedCell(id, { type, nullable: false })] as const
  })
  return { from, columns: new Map(cells), filters: [], order: [ordinal], hidden: rows.hidden }
}

function dataType(type: Type): string {
  return WIRE_TYPES[type] || 'dynamic'
}
