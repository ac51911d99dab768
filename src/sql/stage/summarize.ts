import type {
  CheckedDistinct,
  CheckedExpression,
  CheckedSummarize,
  ComputedColumn,
} from '../../apl/check/checked.js'
import { type ByValue, byValue } from '../aggregate/collection.js'
import { rowAtExtreme } from '../aggregate/extreme.js'
import { argumentsOf, expression } from '../expression.js'
import {
  type Cell,
  columnName,
  column as listed,
  MANY_KEYS,
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
import { derived, type Value } from '../value.js'
import { areEvents, arrivalOf, isReadOnce } from './read-again.js'
import { type Grouping, rowFound, type SharedRow, sharedRows } from './shared-row.js'

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

/** True when the engine aggregates the rows, and does not only drop those that are equal to another one. */
export function isAggregated({ by, aggregates }: Grouping): boolean {
  return aggregates.length > 0 || by.length <= MANY_KEYS
}

/** Returns one row for each combination of keys; exactly one row when there are no keys. */
function group({ by, aggregates }: Grouping, rows: Rows, scope: Scope): Rows {
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
  // Events are read once more for it instead: a filter of the number excludes groups before values are collected.
  const isCountedApart = areEvents(rows) && arrivalOf(rows) !== undefined && !isReadOnce(rows, out)
  const counts = isCountedApart ? [] : aggregates.filter(({ value }) => isCount(value))
  const [only, ...others] = aggregates.filter((one) => !counts.includes(one))
  const first = only && others.length === 0 && byValueIn(only.value, scope)
  if (first) {
    const numbers = counts.map((one) => computed(one).sql)
    const { from, found, sums } = groupedByValue(first, rows, { keys: out, names, numbers })
    const values = new Map(counts.map(({ column }, i) => [column.id, sums[i]!]))
    values.set(only.column.id, found)
    for (const [id, value] of values) columns.set(id, storedCell(id, value))
    const shown = Array.from(values, ([id, value]) => named(value.sql, columnName(id)))
    const top = sql`SELECT ${list([...names, ...shown])} FROM ${from}`
    return { ...closed, from: sql`(${joined([top, ...grouping], ' ')})`, isRegrouped: true }
  }
  const keys = [...out]
  const shared = sharedRows({ by, aggregates }, { rows, scope })
  out.push(...shared.map((row) => named(rowAtExtreme(row, scope.group ?? {}), row.name)))
  const parts = new Map(shared.flatMap((row) => [...row.parts]))
  for (const { column, value } of aggregates) {
    const part = parts.get(column.id)
    if (part === undefined) add(column.id, computed({ column, value }))
    else columns.set(column.id, part.kind === 'text' ? part : storedCell(column.id, part.value))
  }
  const [row] = shared
  const own = apartFrom(aggregates, row, scope)
  const isReadAgain = own.length > 0 && !isReadOnce(rows, out)
  const arrival = isReadAgain ? arrivalOf(rows) : undefined
  if (arrival && own.length < aggregates.length) {
    return groupedApart({ by, aggregates, own }, rows, scope)
  }
  const grouped =
    row && arrival
      ? rowFound(row, { arrival, keys, grouping, rows, scope })
      : isAggregated({ by, aggregates })
        ? joined([select(rows, out), ...grouping], ' ')
        : sql`SELECT DISTINCT * FROM (${select(rows, out)})`
  const wanted = [...columns].flatMap(([id, { kind }]) => {
    const part = parts.get(id)
    if (kind === 'text') return []
    return [part ? listed(part, columnName(id)) : columnName(id)]
  })
  wanted.push(...shared.flatMap(({ carriers }) => carriers))
  const from = parts.size === 0 ? grouped : sql`SELECT ${list(wanted)} FROM (${grouped})`
  return { ...closed, from: sql`(${from})`, isRegrouped: arrival !== undefined }
}

/** True for a number of rows, which is the sum of the numbers of their groups. */
function isCount(node: CheckedExpression): boolean {
  return node.kind === 'aggregate' && (node.function === 'count' || node.function === 'countif')
}

/** The aggregate of a grouping besides numbers of rows, when it can group the rows by value first. */
function byValueIn(node: CheckedExpression, scope: Scope): ByValue | undefined {
  if (node.kind !== 'aggregate') return undefined
  return byValue(node.function, argumentsOf(node, scope), scope.group ?? {})
}

/** Groups rows by value first, which takes a fraction of the time of adding up maps of values. Adds up numbers of rows. */
function groupedByValue(
  { key, number, found }: ByValue,
  rows: Rows,
  {
    keys,
    names,
    numbers,
  }: {
    readonly keys: readonly Sql[]
    readonly names: readonly Sql[]
    readonly numbers: readonly Sql[]
  },
): { readonly from: Sql; readonly found: Value; readonly sums: readonly Value[] } {
  const internal = (i: number) => raw(`h${rows.hidden + i}`)
  const [value, own] = [internal(0), internal(1)]
  const counted = numbers.map((one, i) => named(one, internal(i + 2)))
  const all = [...keys, named(key.sql, value), named(number, own), ...counted]
  const from = sql`(${select(rows, all)} GROUP BY ${list([...names, value])})`
  const sums = numbers.map((_, i) => derived('int', sql`sum(${internal(i + 2)})`, []))
  return { from, found: found(value, own), sums }
}

/** Returns the aggregates that are grouped faster without others: the fields of a row, or one that groups by value first. */
function apartFrom(
  aggregates: readonly ComputedColumn[],
  row: SharedRow | undefined,
  scope: Scope,
): readonly ComputedColumn[] {
  if (row) return aggregates.filter(({ column }) => row.parts.has(column.id))
  const some = aggregates.filter(({ value }) => byValueIn(value, scope) !== undefined)
  return some.length > MOST_APART ? [] : some.slice(0, 1)
}

/** The events are read once more for each aggregate that groups by value. */
const MOST_APART = 3

/** Groups some aggregates apart from the others, by the same keys. */
function groupedApart(
  { by, aggregates, own }: Grouping & { readonly own: readonly ComputedColumn[] },
  rows: Rows,
  scope: Scope,
): Rows {
  const others = aggregates.filter((one) => !own.includes(one))
  const first = group({ by, aggregates: own }, rows, scope)
  const rest = group({ by, aggregates: others }, rows, scope)
  const keys = by.map(({ column }) => columnName(column.id))
  const columns = new Map(first.columns)
  // A field in the text of another row needs a column: both rows have a column with that name.
  const shown = others.map(({ column: { id } }) => {
    const cell = rest.columns.get(id)!
    columns.set(id, storedCell(id, cell.value))
    return listed(cell, columnName(id))
  })
  const renamed = keys.map((key, i) => named(key, raw(`k${i}`)))
  const right = sql`SELECT ${list([...renamed, ...shown])} FROM ${rest.from}`
  const equal = keys.map((key, i) => sql`${key} <=> ${raw(`k${i}`)}`)
  const on = equal.length > 0 ? joined(equal, ' AND ') : sql`1`
  const names = others.map(({ column }) => columnName(column.id))
  const from = sql`(SELECT l.*, ${list(names)} FROM ${first.from} AS l INNER JOIN (${right}) AS r ON ${on})`
  return { ...first, from, columns, isRegrouped: true }
}

/** `bin(<time>, <size>)`: the key that makes the result a table over time. */
export function timeBin({ column, value }: ComputedColumn): { column: number; size: bigint }[] {
  if (value.kind !== 'invocation' || value.function !== 'bin' || value.type !== 'datetime')
    return []
  const size = value.arguments[1]
  if (size?.kind !== 'constant' || typeof size.value !== 'bigint') return []
  return [{ column: column.id, size: size.value }]
}
