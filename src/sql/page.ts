import type { CheckedQuery } from '../apl/check/checked.js'
import type { NativeReals } from '../wire/http/native-result.js'
import type { MemberColumn } from '../wire/native/member-column.js'
import { cursorColumns } from './cursor.js'
import {
  type Cell,
  type ColumnUse,
  column,
  columnName,
  isDocument,
  named,
  type Rows,
  select,
  selectInOrder,
  subquery,
} from './rows.js'
import { raw, type Sql, sql } from './sql.js'
import { LINE, readOnce } from './stage/event-text.js'

/**
 * Returns the outermost SELECT: the columns of the result in their order, limited to the page. In the format Native, columns that are
 * members of the remainders of events are omitted, and the remainders are the last column.
 */
export function page(
  query: CheckedQuery,
  rows: Rows,
  options: {
    readonly limit: bigint | undefined
    readonly use: ColumnUse
    readonly hasCursors: boolean
    readonly native: NativeReals | undefined
    /** The number of fields of the dataset that are in the remainders. */
    readonly fieldsInText: number
  },
): {
  readonly statement: Sql
  readonly rows: Rows
  readonly members?: readonly MemberColumn[]
  readonly documents?: readonly number[]
} {
  const { limit = rows.limit, use, native } = options
  const least =
    rows.limit !== undefined && limit !== undefined && rows.limit < limit ? rows.limit : limit
  const members = native ? membersOf(query, rows, options) : []
  const omitted = new Set(members.map((member) => member.column))
  const selected = query.columns.filter((_, index) => !omitted.has(index))
  const last = withTexts(selected, { ...rows, limit: least }, use)
  const cells = selected.map(({ id }) => {
    const cell = last.columns.get(id)
    if (!cell) throw new Error(`column ${id} is missing from the result`)
    return { id, cell }
  })
  if (native) {
    const out = cells.map(({ id, cell }) => nativeColumn(cell, id, native))
    const remainders = members.length > 0 ? [LINE] : []
    const all = [...cursorColumns(last), ...out, ...remainders]
    const documents = query.columns.flatMap(({ id }, i) =>
      isDocument(last.columns.get(id)) ? [i] : [],
    )
    return { statement: selectInOrder(last, all), rows: last, members, documents }
  }
  const out = cells.map(({ id, cell }) => column(cell, columnName(id)))
  if (options.hasCursors) out.push(...cursorColumns(last))
  return { statement: selectInOrder(last, out), rows: last }
}

/**
 * Returns the columns that are members of the remainders as they are. Clients find all of them in one pass in less time than the
 * engine finds one, unless most of the remainders is not needed.
 */
function membersOf(
  { columns }: CheckedQuery,
  rows: Rows,
  { fieldsInText }: { readonly fieldsInText: number },
): readonly MemberColumn[] {
  const found = columns.flatMap(({ id }, index) => {
    const cell = rows.columns.get(id)
    const field = cell?.kind === 'text' && cell.carrier === LINE ? cell.field : undefined
    const [path, ...others] = field?.paths ?? []
    if (field === undefined || field.isDivided || path === undefined || others.length > 0) return []
    return [{ column: index, path, isNoObject: field.hasMembers }]
  })
  return 2 * found.length < fieldsInText ? [] : found
}

/**
 * Returns floating-point numbers as text for clients that write text, since the engine finds the shortest text that is equal to a number
 * in the least time, and arrays as they are stored: clients write them as the engine would.
 */
function nativeColumn(cell: Cell, id: number, reals: NativeReals): Sql {
  if (isDocument(cell)) return named(cell.carrier, columnName(id))
  const { type, sql: value } = cell.value
  if (type !== 'real') return column(cell, columnName(id))
  const written =
    reals === 'texts' ? sql`toJSONString(${value})` : sql`if(isFinite(${value}), ${value}, NULL)`
  // Not under the name of the column, to which filters refer.
  return named(written, raw(`t${id}`))
}

/** Extracts fields from `line` after the rows of the page are selected, so that no other rows are parsed. */
function withTexts(columns: CheckedQuery['columns'], rows: Rows, use: ColumnUse): Rows {
  const ids = columns.map(({ id }) => id)
  if (!ids.some((id) => rows.columns.get(id)?.kind === 'text')) return rows
  return readOnce(subquery(rows, use), ids, use)
}

/** Returns a statement that counts the rows as `matched`. */
export function countQuery(rows: Rows): Sql {
  return select(rows, [sql`count() AS matched`])
}
