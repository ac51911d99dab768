import type { LastUse } from './last-use.js'
import type { FieldLayout } from './layout.js'
import { joined, list, raw, type Sql, sql } from './sql.js'
import type { Value } from './value.js'

/**
 * The rows at one point of the pipeline, as a SELECT that is still open: filters, an order and a
 * limit can be added to it. What needs the rows as they are then puts it in parentheses (`closed`).
 */
export interface Rows {
  /** A table, or a SELECT in parentheses. */
  readonly from: Sql
  readonly columns: ReadonlyMap<number, Cell>
  readonly filters: readonly Sql[]
  /** The order at hand, made total by what tells the rows apart. */
  readonly order: readonly OrderKey[]
  readonly limit?: bigint
  /** What the rows are after `summarize`. */
  readonly summary?: Summary
  /** How many columns that no name of the query stands for were made so far. */
  readonly hidden: number
}

/** A column's value in the open SELECT. */
export type Cell = Stored | Computed | InText

/** A column of `from`. */
export interface Stored {
  readonly kind: 'stored'
  readonly value: Value
}

/** An expression over the columns of `from`. */
export interface Computed {
  readonly kind: 'computed'
  readonly value: Value
}

/** A value that is still in a column with others: a field in the event's text, or what the parts of a union gave. */
export interface InText {
  readonly kind: 'text'
  readonly value: Value
  /** The field, where it is one. */
  readonly field?: TextField
  /** The column of `from` that it is read out of. */
  readonly carrier: Sql
}

/** A field that has no typed column. */
export interface TextField extends FieldLayout {
  /** Whether some events have an object there, whose members are fields of their own. */
  readonly hasMembers: boolean
}

/** What rows are put in order by. */
export interface OrderKey {
  readonly sql: Sql
  readonly direction: 'asc' | 'desc'
  /** Where nulls go; absent when there can be none. */
  readonly nulls?: 'first' | 'last'
  /** The column that it is, when it is one. */
  readonly column?: number
  /** Whether it is the order in which events arrived. */
  readonly arrival?: true
  /** Whether it is the time of the events. */
  readonly instant?: true
  /** Whether it is the name of the dataset that an event is in. */
  readonly dataset?: true
}

/** The columns of a `summarize`: what later steps and the answer's description ask about. */
export interface Summary {
  readonly time?: { readonly column: number; readonly size: bigint }
  readonly keys: readonly number[]
  /** The first aggregate, by which groups are ranked. */
  readonly weight?: number
  /** Whether a limit still takes whole groups of a time-binned table: until a sort. */
  readonly byGroups: boolean
}

/** What a column is called in SQL, whatever its name in the query. */
export function columnName(id: number): Sql {
  return raw(`c${id}`)
}

/** A column of a SELECT's list. */
export function column({ kind, value }: Cell, name: Sql): Sql {
  // Comparisons give small integers, which answers would show as numbers.
  const isTest = kind === 'computed' && value.type === 'bool'
  return named(isTest ? sql`toBool(${value.sql})` : value.sql, name)
}

/** `x AS name`, or only the name where it is called so already. */
export function named(value: Sql, name: Sql): Sql {
  return value.text === name.text ? name : sql`${value} AS ${name}`
}

/** The SELECT with this list. */
export function select(rows: Rows, columns: readonly Sql[]): Sql {
  // A SELECT of nothing is no SELECT; the rows are there all the same.
  const parts = [sql`SELECT ${columns.length > 0 ? list(columns) : sql`1`} FROM ${rows.from}`]
  if (rows.filters.length > 0) parts.push(sql`WHERE ${joined(rows.filters, ' AND ')}`)
  return joined(parts, ' ')
}

/** The same with the order and limit at hand. */
export function selectInOrder(rows: Rows, columns: readonly Sql[]): Sql {
  const parts = [select(rows, columns)]
  if (rows.order.length > 0) parts.push(orderBy(rows.order))
  if (rows.limit !== undefined) parts.push(sql`LIMIT ${rows.limit}`)
  return joined(parts, ' ')
}

/** `ORDER BY` these keys. */
export function orderBy(keys: readonly OrderKey[]): Sql {
  const written = keys.map(({ sql: key, direction, nulls }) => {
    const way = raw(direction === 'desc' ? 'DESC' : 'ASC')
    return nulls ? sql`${key} ${way} ${raw(`NULLS ${nulls.toUpperCase()}`)}` : sql`${key} ${way}`
  })
  return sql`ORDER BY ${list(written)}`
}

/** What is still needed of the columns: those that an operator from `step` on uses. */
export interface ColumnUse {
  readonly uses: LastUse
  readonly step: number
}

/**
 * Puts the open SELECT in parentheses: columns that were computed are stored columns of the new one,
 * and the limit at hand has been taken. Fields in the text stay there: the text comes along.
 */
export function subquery(rows: Rows, use: ColumnUse, extra: readonly Sql[] = []): Rows {
  const out = new Map<string, Sql>()
  const columns = new Map<number, Cell>()
  for (const [id, cell] of rows.columns) {
    if (!isNeeded(id, rows, use)) continue
    const name = cell.kind === 'text' ? cell.carrier : columnName(id)
    out.set(name.text, cell.kind === 'text' ? name : column(cell, name))
    columns.set(
      id,
      cell.kind === 'text' ? cell : { kind: 'stored', value: stored(name, cell.value) },
    )
  }
  const { order, hidden } = keptOrder(rows, out)
  const list = [...out.values(), ...extra]
  // Without a limit the order means nothing inside parentheses.
  const inner = rows.limit === undefined ? select(rows, list) : selectInOrder(rows, list)
  const { limit: _taken, ...rest } = rows
  return { ...rest, from: sql`(${inner})`, columns, filters: [], order, hidden }
}

/** The value as the column of that name. */
export function stored(name: Sql, { type, nullable }: Value): Value {
  return { sql: name, type, nullable }
}

function isNeeded(id: number, { summary }: Rows, { uses, step }: ColumnUse): boolean {
  if ((uses.get(id) ?? -1) >= step) return true
  if (!summary) return false
  const ranks = summary.byGroups && [summary.time?.column, summary.weight, ...summary.keys]
  return ranks !== false && ranks.includes(id)
}

/** The name of the column that a key is, not merely is made of. */
function keptColumn({ column: id, sql: key }: OrderKey, { columns }: Rows): Sql | undefined {
  if (id === undefined) return undefined
  return columns.get(id)?.value.sql.text === key.text ? columnName(id) : undefined
}

/** Keys that are no column of the new SELECT come along under names of their own. */
function keptOrder(rows: Rows, out: Map<string, Sql>): Pick<Rows, 'order' | 'hidden'> {
  let { hidden } = rows
  const order = rows.order.map((key) => {
    const kept = keptColumn(key, rows)
    if (kept && out.has(kept.text)) return { ...key, sql: kept }
    const name = /^h\d+$/.test(key.sql.text) ? key.sql : raw(`h${hidden++}`)
    out.set(name.text, named(key.sql, name))
    return { ...key, sql: name }
  })
  return { order, hidden }
}
