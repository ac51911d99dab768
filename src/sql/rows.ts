import type { LastUse } from './last-use.js'
import type { FieldLayout } from './layout.js'
import { joined, list, raw, type Sql, sql } from './sql.js'
import type { Value } from './value.js'

/**
 * The rows at one point of the pipeline, as a SELECT that is still open: filters, an order and a
 * limit can be added to it. Steps that need the current rows as a table wrap it (`subquery`).
 */
export interface Rows {
  /** A table, or a SELECT in parentheses. */
  readonly from: Sql
  /** For a union: the SELECTs of its parts, whose rows together are the rows of `from`. */
  readonly parts?: readonly Sql[]
  readonly columns: ReadonlyMap<number, Cell>
  readonly filters: readonly Sql[]
  /** The current order, made total by tie breakers. */
  readonly order: readonly OrderKey[]
  readonly limit?: bigint
  /** Set after `summarize`. */
  readonly summary?: Summary
  /** True when `summarize` reads the rows more than once, or groups groups: the engine counts other rows than were grouped. */
  readonly isRegrouped?: boolean
  /** The number of internal columns (`h0`, `h1`, …) created so far. */
  readonly hidden: number
  /** The number of subqueries in `from` since the source, the last grouping or the last join; 0 if missing. */
  readonly levels?: number
}

/** A column's value in the open SELECT. */
export type Cell = OwnCell | InText

/** A column of `from`, or an expression over its columns. */
interface OwnCell {
  readonly kind: 'stored' | 'computed'
  readonly value: Value
}

/** A value that is still inside another column: a field in `line`, or in the packed column of a union. */
export interface InText {
  readonly kind: 'text'
  readonly value: Value
  /** The field, when the value is one. */
  readonly field?: TextField
  /** The column of `from` that it is extracted from. */
  readonly carrier: Sql
  /** Other columns of `from`, each of which holds the value in some rows. */
  readonly beside?: readonly Value[]
}

/** Returns the columns of `from` that a value is in. */
export function carriersOf({ carrier, beside = [] }: InText): readonly Sql[] {
  return [carrier, ...beside.map(({ sql: column }) => column)]
}

/** True for a value that is all of the JSON text in its column, which need not be as the engine writes it. */
export function isDocument(cell: Cell | undefined): cell is InText {
  if (cell?.kind !== 'text') return false
  const { json } = cell.value
  return json?.path.length === 0 && json.document.text === cell.carrier.text
}

/** A field without a typed column. */
export interface TextField extends FieldLayout {
  /** True when some events have an object at the field's path, whose members are separate fields. */
  readonly hasMembers: boolean
  /** True when `inColumns` has values in some rows and the text in all others; otherwise the text has all of them. */
  readonly isDivided: boolean
}

export interface OrderKey {
  readonly sql: Sql
  readonly direction: 'asc' | 'desc'
  /** The position of nulls; absent when the key is never null. */
  readonly nulls?: 'first' | 'last'
  /** The id of the column, when the key is one. */
  readonly column?: number
  /** True for the order of arrival. */
  readonly arrival?: true
  /** True for the time of the events; after the order of arrival, which is total, the key only tells the age of events. */
  readonly instant?: true
  /** True for the name of an event's dataset. */
  readonly dataset?: true
  /** True for a text of places, which orders the rows that were made of the same event. */
  readonly places?: true
}

/** The columns of a `summarize`, for later steps and the description of the result. */
export interface Summary {
  readonly time?: { readonly column: number; readonly size: bigint }
  readonly keys: readonly number[]
  /** The first aggregate, by which groups are ranked. */
  readonly weight?: number
  /** True while `limit` selects whole groups of a time-binned table; a sort ends this. */
  readonly byGroups: boolean
}

/** The name of a column in SQL, independent of its name in the query. */
export function columnName(id: number): Sql {
  return raw(`c${id}`)
}

/** A column in the list of a SELECT. */
export function column({ kind, value }: Cell, name: Sql): Sql {
  return named(storedValue({ kind, value }), name)
}

/** The SQL of a cell as a column has it. */
export function storedValue({ kind, value }: Pick<Cell, 'kind' | 'value'>): Sql {
  // Comparisons return UInt8, which would be rendered as a number.
  const isTest = kind === 'computed' && value.type === 'bool'
  return isTest ? sql`toBool(${value.sql})` : value.sql
}

/** `x AS name`, or just the name when they are identical. */
export function named(value: Sql, name: Sql): Sql {
  return value.text === name.text ? name : sql`${value} AS ${name}`
}

/** Renders the SELECT with this list, without order and limit. */
export function select(rows: Rows, columns: readonly Sql[]): Sql {
  // A SELECT needs at least one column, even when only the number of rows matters.
  const parts = [sql`SELECT ${columns.length > 0 ? list(columns) : sql`1`} FROM ${rows.from}`]
  if (rows.filters.length > 0) parts.push(sql`WHERE ${joined(rows.filters, ' AND ')}`)
  return joined(parts, ' ')
}

/** Renders the SELECT with this list, in the current order and with the current limit. */
export function selectInOrder(rows: Rows, columns: readonly Sql[]): Sql {
  const parts = [select(firstOfParts(rows), columns)]
  if (rows.order.length > 0) parts.push(orderBy(rows.order))
  if (rows.limit !== undefined) parts.push(sql`LIMIT ${rows.limit}`)
  return joined(parts, ' ')
}

/** Filters and limits the parts of a union one by one: the engine would read all columns of their rows. */
function firstOfParts(rows: Rows): Rows {
  const { parts, ...whole } = rows
  const { limit, order } = whole
  if (parts === undefined || limit === undefined || order.length === 0) return rows
  const firsts = parts.map((part) => {
    return sql`(${selectInOrder({ ...whole, from: sql`(${part})` }, [raw('*')])})`
  })
  return { ...rows, from: sql`(${joined(firsts, ' UNION ALL ')})`, filters: [] }
}

/** With more keys than this, planning `ORDER BY` or `GROUP BY` can take longer than the query: the time grows with their square. */
export const MANY_KEYS = 64

/** Renders an `ORDER BY` clause. */
export function orderBy(order: readonly OrderKey[]): Sql {
  const keys = order[0]?.arrival ? order.filter(({ instant }) => !instant) : order
  const isUniform = keys.every(({ direction, nulls }) => direction === 'asc' && nulls !== 'last')
  if (keys.length > MANY_KEYS && isUniform) {
    // The engine makes keys of the elements of a tuple unless a function returns it.
    const all = sql`identity(tuple(${list(keys.map(({ sql: key }) => key))}))`
    return sql`ORDER BY ${all} ASC NULLS FIRST`
  }
  const written = keys.map(({ sql: key, direction, nulls }) => {
    const way = raw(direction === 'desc' ? 'DESC' : 'ASC')
    return nulls ? sql`${key} ${way} ${raw(`NULLS ${nulls.toUpperCase()}`)}` : sql`${key} ${way}`
  })
  return sql`ORDER BY ${list(written)}`
}

/** The columns that operators from `step` on still use. */
export interface ColumnUse {
  readonly uses: LastUse
  readonly step: number
}

/**
 * Wraps the open SELECT as a subquery: computed columns become stored columns of the new SELECT,
 * and the pending limit is applied. Fields in `line` stay there, and `line` is selected too.
 */
export function subquery(rows: Rows, use: ColumnUse, extra: readonly Sql[] = []): Rows {
  const out = new Map<string, Sql>()
  const columns = new Map<number, Cell>()
  for (const [id, cell] of rows.columns) {
    if (!isNeeded(id, rows, use)) continue
    if (cell.kind === 'text') {
      for (const name of carriersOf(cell)) out.set(name.text, name)
      columns.set(id, cell)
    } else {
      out.set(columnName(id).text, column(cell, columnName(id)))
      columns.set(id, storedCell(id, cell.value))
    }
  }
  const { order, hidden } = keptOrder(rows, out)
  const list = [...out.values(), ...extra]
  // Without a limit, the order of a subquery has no effect.
  const inner = rows.limit === undefined ? select(rows, list) : selectInOrder(rows, list)
  const { limit: _taken, parts: _merged, ...rest } = rows
  const levels = (rows.levels ?? 0) + 1
  return { ...rest, from: sql`(${inner})`, columns, filters: [], order, hidden, levels }
}

/** Returns a value as a column of `from`, which has the name of the id. */
export function storedCell(id: number, { type, nullable }: Pick<Value, 'type' | 'nullable'>): Cell {
  return { kind: 'stored', value: { sql: columnName(id), type, nullable } }
}

function isNeeded(id: number, { summary }: Rows, { uses, step }: ColumnUse): boolean {
  if ((uses.get(id) ?? -1) >= step) return true
  if (!summary) return false
  const ranks = summary.byGroups && [summary.time?.column, summary.weight, ...summary.keys]
  return ranks !== false && ranks.includes(id)
}

/** Returns the name of the column that a key is identical to; undefined when there is none. */
function keptColumn({ column: id, sql: key }: OrderKey, { columns }: Rows): Sql | undefined {
  if (id === undefined) return undefined
  return columns.get(id)?.value.sql.text === key.text ? columnName(id) : undefined
}

/** Selects sort keys that are not columns of the new SELECT as internal columns. */
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
