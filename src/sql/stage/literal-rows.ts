import type { CheckedRows } from '../../apl/check/checked.js'
import type { LastUse } from '../last-use.js'
import { type Cell, columnName, type Rows } from '../rows.js'
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
    columns.set(id, { kind: 'stored', value: { sql: columnName(id), type, nullable } })
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
