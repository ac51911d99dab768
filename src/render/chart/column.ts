// Views the columns of a table as parts of a chart.
import type { Table, TableField } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { escapeControls } from '../escape-controls.js'
import { isNumericColumn, labelText } from '../table-layout.js'

/** More bars or sparklines would not be readable at a glance. */
export const MAX_ROWS = 50

/** A column of a table that may have a part in a chart. */
export interface Column {
  readonly field: TableField
  /** The name of the field without control characters. */
  readonly heading: string
  readonly cells: readonly JsonText[]
  readonly isNumeric: boolean
  readonly isGroup: boolean
  /** True when the values may name the rows: in a group, or in any column of a table without groups. */
  readonly isName: boolean
}

export function columnsOf({ fields, columns, groups }: Table): readonly Column[] {
  const groupNames = new Set(groups.map(({ name }) => name))
  return fields.map((field, index) => {
    const cells = columns[index]!
    const isGroup = groupNames.has(field.name)
    return {
      field,
      heading: escapeControls(field.name),
      cells,
      isNumeric: isNumericColumn(cells),
      isGroup,
      isName: isGroup || groups.length === 0,
    }
  })
}

/** Returns the names of as many rows: their values in these columns. */
export function rowNames(columns: readonly Column[], rows: number): readonly string[] {
  return Array.from({ length: rows }, (_, row) =>
    columns.map(({ cells, field }) => labelText(cells[row]!, field.type)).join(', '),
  )
}
