import type { CheckedDistinct, CheckedSummarize, ComputedColumn } from '../../apl/check/checked.js'
import { expression } from '../expression.js'
import {
  type Cell,
  columnName,
  column as listed,
  type OrderKey,
  type Rows,
  type Summary,
  select,
  storedCell,
} from '../rows.js'
import type { Scope } from '../scope.js'
import { joined, list, type Sql, sql } from '../sql.js'
import { groupingKey } from '../type/compare.js'
import { convert } from '../type/convert.js'
import type { Value } from '../value.js'

/** `summarize`: ordered by time, then by the first aggregate, descending. */
export function summarize(operator: CheckedSummarize, rows: Rows, scope: Scope): Rows {
  const grouped = group(operator, rows, scope)
  const time = operator.by.flatMap(timeBin)[0]
  const keys = operator.by.map(({ column }) => column.id).filter((id) => id !== time?.column)
  const weight = operator.aggregates[0]?.column.id
  const summary: Summary = {
    time,
    keys,
    weight,
    byGroups: time !== undefined && keys.length > 0 && weight !== undefined,
  }
  const order: OrderKey[] = []
  const add = (id: number, direction: 'asc' | 'desc') => {
    const cell = grouped.columns.get(id)
    if (cell) order.push(orderKey(id, direction, cell.value))
  }
  if (time) add(time.column, 'asc')
  if (weight !== undefined) add(weight, 'desc')
  for (const id of keys) add(id, 'asc')
  return { ...grouped, order, summary }
}

/** `distinct`: ordered by the values. */
export function distinct(operator: CheckedDistinct, rows: Rows, scope: Scope): Rows {
  const grouped = group({ by: operator.computed, aggregates: [] }, rows, scope)
  const order = [...grouped.columns].map(([id, { value }]) => orderKey(id, 'asc', value))
  return { ...grouped, order }
}

/** The order by a key or an aggregate; nulls are smallest. */
export function orderKey(id: number, direction: 'asc' | 'desc', value: Value): OrderKey {
  const nulls = direction === 'asc' ? 'first' : 'last'
  return { sql: columnName(id), direction, column: id, ...(value.nullable && { nulls }) }
}

/** Returns one row for each combination of keys; exactly one row when there are no keys. */
function group(
  { by, aggregates }: Pick<CheckedSummarize, 'by' | 'aggregates'>,
  rows: Rows,
  scope: Scope,
): Rows {
  const columns = new Map<number, Cell>()
  const out: Sql[] = []
  const add = (id: number, value: Value) => {
    out.push(listed({ kind: 'computed', value }, columnName(id)))
    columns.set(id, storedCell(id, value))
  }
  const computed = ({ column, value }: ComputedColumn) =>
    convert(expression(value, scope), column.type)
  for (const one of by) add(one.column.id, groupingKey(computed(one)))
  for (const one of aggregates) add(one.column.id, computed(one))
  const names = by.map(({ column }) => columnName(column.id))
  const grouping = names.length > 0 ? [sql`GROUP BY ${list(names)}`] : []
  const from = joined([select(rows, out), ...grouping], ' ')
  return { from: sql`(${from})`, columns, filters: [], order: [], hidden: rows.hidden }
}

/** `bin(<time>, <size>)`: the key that makes the result a table over time. */
export function timeBin({ column, value }: ComputedColumn): { column: number; size: bigint }[] {
  if (value.kind !== 'invocation' || value.function !== 'bin' || value.type !== 'datetime')
    return []
  const size = value.arguments[1]
  if (size?.kind !== 'constant' || typeof size.value !== 'bigint') return []
  return [{ column: column.id, size: size.value }]
}
