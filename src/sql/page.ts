import type { CheckedQuery } from '../apl/check/checked.js'
import { cursorColumns } from './cursor.js'
import { type ColumnUse, column, columnName, type Rows, selectInOrder, subquery } from './rows.js'
import { type Sql, sql } from './sql.js'
import { readOnce } from './stage/event-text.js'

/** The last SELECT: the columns of the result, in its order, and no more rows than the limit. */
export function page(
  query: CheckedQuery,
  rows: Rows,
  options: { readonly limit: bigint; readonly use: ColumnUse; readonly hasCursors: boolean },
): { readonly statement: Sql; readonly rows: Rows } {
  const { limit, use } = options
  const least = rows.limit !== undefined && rows.limit < limit ? rows.limit : limit
  const last = withTexts(query, { ...rows, limit: least }, use)
  const out = query.columns.map(({ id }) => {
    const cell = last.columns.get(id)
    if (!cell) throw new Error(`the result has no column ${id}`)
    return column(cell, columnName(id))
  })
  if (options.hasCursors) out.push(...cursorColumns(query, last))
  return { statement: selectInOrder(last, out), rows: last }
}

/** Fields are read out of the events' texts when the rows of the page are picked, and for no others. */
function withTexts(query: CheckedQuery, rows: Rows, use: ColumnUse): Rows {
  const ids = query.columns.map(({ id }) => id)
  if (!ids.some((id) => rows.columns.get(id)?.kind === 'text')) return rows
  return readOnce(subquery(rows, use), ids, use)
}

/** Counts the rows that there are now. */
export function countQuery(rows: Rows): Sql {
  return unordered(rows, sql`count() AS matched`)
}

/** Reads them, and nothing in them. */
export function scanQuery(rows: Rows): Sql {
  return unordered(rows, sql`1 AS row`)
}

function unordered({ order: _order, limit: _limit, ...rows }: Rows, out: Sql): Sql {
  return selectInOrder({ ...rows, order: [] }, [out])
}
