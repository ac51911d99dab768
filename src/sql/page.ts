import type { CheckedQuery } from '../apl/check/checked.js'
import type { MemberColumn } from './compiled-query.js'
import { cursorColumns, cursorPair } from './cursor.js'
import {
  type Cell,
  type ColumnUse,
  column,
  columnName,
  named,
  type Rows,
  selectInOrder,
  subquery,
} from './rows.js'
import { raw, type Sql, sql } from './sql.js'
import { readOnce } from './stage/event-text.js'

/**
 * Returns the outermost SELECT: the columns of the result in their order, limited to the page. In the format Native, columns that are
 * members of a map are omitted, and the map is the last column.
 */
export function page(
  query: CheckedQuery,
  rows: Rows,
  options: {
    readonly limit: bigint | undefined
    readonly use: ColumnUse
    readonly hasCursors: boolean
    readonly isNative: boolean
  },
): {
  readonly statement: Sql
  readonly rows: Rows
  readonly members?: readonly MemberColumn[]
} {
  const { limit = rows.limit, use } = options
  const least =
    rows.limit !== undefined && limit !== undefined && rows.limit < limit ? rows.limit : limit
  const last = withTexts(query, { ...rows, limit: least }, use)
  const cells = query.columns.map(({ id }) => {
    const cell = last.columns.get(id)
    if (!cell) throw new Error(`column ${id} is missing from the result`)
    return { id, cell }
  })
  if (options.isNative) return { ...nativePage(cells, last), rows: last }
  const out = cells.map(({ id, cell }) => column(cell, columnName(id)))
  if (options.hasCursors) out.push(...cursorColumns(query, last))
  return { statement: selectInOrder(last, out), rows: last }
}

/** With fewer columns than this, each is computed and written on its own. */
const MANY_MEMBERS = 16

/** Events have few of the fields of a wide dataset: a map is as long as an event, and a column is as long as the result. */
function nativePage(
  cells: readonly { readonly id: number; readonly cell: Cell }[],
  rows: Rows,
): { readonly statement: Sql; readonly members?: readonly MemberColumn[] } {
  const found = cells.flatMap(({ cell }, index) => {
    const member = memberIn(cell)
    return member === undefined ? [] : [{ column: index, ...member }]
  })
  const map = found[0]?.map
  const ofMap = found.filter((one) => one.map.text === map?.text)
  const members = ofMap.length < MANY_MEMBERS ? [] : ofMap
  const omitted = new Set(members.map((member) => member.column))
  const out = cells.flatMap(({ id, cell }, index) =>
    omitted.has(index) ? [] : [nativeColumn(cell, id)],
  )
  out.unshift(...cursorPair(rows))
  if (map === undefined || members.length === 0) return { statement: selectInOrder(rows, out) }
  // Other members of the events have the key 0.
  out.push(sql`mapFilter((key, member) -> key > 0, ${map})`)
  return {
    statement: selectInOrder(rows, out),
    members: members.map((member) => ({ column: member.column, key: member.key })),
  }
}

/** Returns the map and the key of a cell that is an element of a map as it is. */
function memberIn({ value }: Cell): { readonly map: Sql; readonly key: number } | undefined {
  const { json, type, sql: written } = value
  const isWhole = json?.path.length === 0 && json.document.text === written.text
  return isWhole && type === 'dynamic' ? json.element : undefined
}

/** Returns floating-point numbers as text: only the engine writes the shortest text that is equal to a number. */
function nativeColumn(cell: Cell, id: number): Sql {
  if (cell.value.type !== 'real') return column(cell, columnName(id))
  // Not under the name of the column, to which filters refer.
  return named(sql`toJSONString(${cell.value.sql})`, raw(`t${id}`))
}

/** Extracts fields from `line` after the rows of the page are selected, so that only those rows are parsed. */
function withTexts(query: CheckedQuery, rows: Rows, use: ColumnUse): Rows {
  const ids = query.columns.map(({ id }) => id)
  if (!ids.some((id) => rows.columns.get(id)?.kind === 'text')) return rows
  return readOnce(subquery(rows, use), ids, use)
}

/** Returns a statement that counts the rows as `matched`. */
export function countQuery(rows: Rows): Sql {
  return unordered(rows, sql`count() AS matched`)
}

/** Returns a statement that scans the rows without reading columns. */
export function scanQuery(rows: Rows): Sql {
  return unordered(rows, sql`1 AS row`)
}

function unordered({ order: _order, limit: _limit, ...rows }: Rows, out: Sql): Sql {
  return selectInOrder({ ...rows, order: [] }, [out])
}
