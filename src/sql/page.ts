import type { CheckedQuery } from '../apl/check/checked.js'
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

/** Returns the outermost SELECT: the columns of the result in their order, limited to the page. */
export function page(
  query: CheckedQuery,
  rows: Rows,
  options: {
    readonly limit: bigint | undefined
    readonly use: ColumnUse
    readonly hasCursors: boolean
    readonly isNative: boolean
  },
): { readonly statement: Sql; readonly rows: Rows } {
  const { limit = rows.limit, use } = options
  const least =
    rows.limit !== undefined && limit !== undefined && rows.limit < limit ? rows.limit : limit
  const last = withTexts(query, { ...rows, limit: least }, use)
  const out = query.columns.map(({ id }) => {
    const cell = last.columns.get(id)
    if (!cell) throw new Error(`column ${id} is missing from the result`)
    return options.isNative ? nativeColumn(cell, id) : column(cell, columnName(id))
  })
  if (options.isNative) out.unshift(...cursorPair(last))
  else if (options.hasCursors) out.push(...cursorColumns(query, last))
  return { statement: selectInOrder(last, out), rows: last }
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
