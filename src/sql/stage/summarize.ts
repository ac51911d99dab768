import type {
  CheckedDistinct,
  CheckedExpression,
  CheckedSummarize,
  ComputedColumn,
} from '../../apl/check/checked.js'
import { isRowAggregate } from '../../apl/check/expression/row-aggregate.js'
import type { Type } from '../../apl/type.js'
import { addTo } from '../../text/lists.js'
import { countedBy, mostFrequentOf } from '../aggregate/collection.js'
import { rowAtExtreme } from '../aggregate/extreme.js'
import { argumentsOf, expression } from '../expression.js'
import {
  type Cell,
  columnName,
  column as listed,
  named,
  type OrderKey,
  type Rows,
  type Summary,
  select,
  storedCell,
} from '../rows.js'
import type { Scope } from '../scope.js'
import { joined, list, raw, type Sql, sql } from '../sql.js'
import { groupingKey } from '../type/compare.js'
import { convert } from '../type/convert.js'
import { nullable, type Value } from '../value.js'

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
  const names = by.map(({ column }) => columnName(column.id))
  const grouping = names.length > 0 ? [sql`GROUP BY ${list(names)}`] : []
  const closed = { columns, filters: [], order: [], hidden: rows.hidden }
  const [only, ...others] = aggregates
  const counted = only && others.length === 0 && countedIn(only.value, scope)
  if (counted) {
    const { from, found } = mostFrequentIn(counted, rows, { keys: out, names })
    const id = only.column.id
    columns.set(id, storedCell(id, found))
    const top = sql`SELECT ${list([...names, named(found.sql, columnName(id))])} FROM ${from}`
    return { ...closed, from: sql`(${joined([top, ...grouping], ' ')})` }
  }
  const shared = sharedRows(aggregates, { rows, scope })
  out.push(...shared.map(({ found, name }) => sql`${found} AS ${name}`))
  const parts = new Map(shared.flatMap((row) => [...row.parts]))
  for (const { column, value } of aggregates) {
    if (parts.has(column.id)) columns.set(column.id, storedCell(column.id, parts.get(column.id)!))
    else add(column.id, computed({ column, value }))
  }
  const grouped = joined([select(rows, out), ...grouping], ' ')
  const wanted = [...columns.keys()].map((id) => {
    const value = parts.get(id)
    return value ? listed({ kind: 'computed', value }, columnName(id)) : columnName(id)
  })
  const from = parts.size === 0 ? grouped : sql`SELECT ${list(wanted)} FROM (${grouped})`
  return { ...closed, from: sql`(${from})` }
}

/** The value that a grouping with `topk` as its only aggregate counts. */
function countedIn(node: CheckedExpression, scope: Scope) {
  return node.kind === 'aggregate' ? countedBy(node.function, argumentsOf(node, scope)) : undefined
}

/** Counts rows by value first, which takes a fraction of the time of adding up maps of values. */
function mostFrequentIn(
  { key, most }: NonNullable<ReturnType<typeof countedBy>>,
  rows: Rows,
  { keys, names }: { readonly keys: readonly Sql[]; readonly names: readonly Sql[] },
): { readonly from: Sql; readonly found: Value } {
  const [value, count] = [raw(`h${rows.hidden}`), raw(`h${rows.hidden + 1}`)]
  const all = [...keys, named(key.sql, value), sql`toInt64(count()) AS ${count}`]
  const from = sql`(${select(rows, all)} GROUP BY ${list([...names, value])})`
  return { from, found: mostFrequentOf({ ...key, sql: value }, count, most) }
}

/** A row that several aggregates are fields of, and its parts by the ids of their columns. */
interface SharedRow {
  readonly found: Sql
  readonly name: Sql
  readonly parts: ReadonlyMap<number, Value>
}

/** So many fields of a row are aggregated one by one. */
const FEW_FIELDS = 8

/** Returns the rows of `arg_max(x, *)` over many fields: comparing a row for each of its fields takes most of the time. */
function sharedRows(
  aggregates: readonly ComputedColumn[],
  { rows, scope }: { readonly rows: Rows; readonly scope: Scope },
): readonly SharedRow[] {
  const all = aggregates.flatMap(({ column, value: node }) => {
    if (node.kind !== 'aggregate' || !isRowAggregate(node.function)) return []
    const [value, field = value!] = argumentsOf(node, scope)
    return { side: node.function, value: value!, column, field: convert(field, column.type) }
  })
  const groups = new Map<string, typeof all>()
  for (const one of all) {
    addTo(groups, `${one.side} ${one.value.sql.text}`, one)
  }
  const many = [...groups.values()].filter((fields) => fields.length > FEW_FIELDS)
  return many.map((fields, i) => {
    const name = raw(`h${rows.hidden + i}`)
    const part = (place: number, type: Type) => nullable(type, sql`tupleElement(${name}, ${place})`)
    return {
      name,
      found: rowAtExtreme(
        fields[0]!,
        fields.map(({ field }) => field),
        scope.group ?? {},
      ),
      parts: new Map(fields.map(({ column }, i) => [column.id, part(i + 1, column.type)])),
    }
  })
}

/** `bin(<time>, <size>)`: the key that makes the result a table over time. */
export function timeBin({ column, value }: ComputedColumn): { column: number; size: bigint }[] {
  if (value.kind !== 'invocation' || value.function !== 'bin' || value.type !== 'datetime')
    return []
  const size = value.arguments[1]
  if (size?.kind !== 'constant' || typeof size.value !== 'bigint') return []
  return [{ column: column.id, size: size.value }]
}
