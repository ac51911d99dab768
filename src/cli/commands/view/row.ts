import { columnOf, type Table, type TableField } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'

/** The values of an event, or of another row, by field. */
export type Cells = ReadonlyMap<string, JsonText>

export interface ViewRow {
  readonly cells: Cells
  /** The position among the rows of the query; missing for rows without a cursor, and for rows that no query returned. */
  readonly cursor?: string
  /** True for an event beside a match. */
  readonly isBeside?: boolean
  /** True when events between the row before it and this one are left out. */
  readonly isApart?: boolean
  /** The number of similar events that the row stands for, and the time and cursor of the last of them. */
  readonly repeats?: { readonly count: number; until: JsonText | undefined; cursor?: string }
}

/** Returns the cursor of the last event that a row stands for. */
export function endCursor({ cursor, repeats }: ViewRow): string | undefined {
  return repeats?.cursor ?? cursor
}

export function isNumeric({ type }: Pick<TableField, 'type'>): boolean {
  return /integer|float/.test(type)
}

export interface HeldRows {
  readonly items: readonly ViewRow[]
  readonly columns: readonly TableField[]
}

/** Returns the columns of rows. Until a query has returned columns, these are the fields of the first row. */
export function heldColumns({ columns, items }: HeldRows): readonly TableField[] {
  if (columns.length > 0) return columns
  return [...(items[0]?.cells ?? [])].map(([name, cell]) => ({ name, type: typeOfCell(cell) }))
}

/** Returns the type of a value of which only its JSON is known. */
export function typeOfCell(cell: JsonText): string {
  if (cell.startsWith('"')) return 'string'
  if (cell === 'true' || cell === 'false') return 'boolean'
  if (cell.startsWith('{')) return 'object'
  if (cell.startsWith('[')) return 'array'
  return /^-?\d+$/.test(cell) ? 'integer' : 'float'
}

const CURSOR_FIELD = '_cursor'

/** Returns the rows of a table and their columns. Fields without a value are left out of a row. */
export function rowsOf(table: Table | undefined): {
  readonly rows: readonly ViewRow[]
  readonly columns: readonly TableField[]
} {
  if (table === undefined) return { rows: [], columns: [] }
  const { fields, columns } = table
  const shown = fields.flatMap((field, index) =>
    field.name === CURSOR_FIELD ? [] : [{ field, cells: columns[index]! }],
  )
  const cursors = columnOf(table, CURSOR_FIELD)
  const count = columns[0]?.length ?? 0
  const rows = Array.from({ length: count }, (_, row): ViewRow => {
    const cells = new Map<string, JsonText>()
    for (const { field, cells: values } of shown) {
      const cell = values[row]!
      if (cell !== 'null') cells.set(field.name, cell)
    }
    const cursor = cursors?.[row]
    return { cells, ...(cursor !== undefined && { cursor: cursor.slice(1, -1) }) }
  })
  return { rows, columns: shown.map(({ field }) => field) }
}
