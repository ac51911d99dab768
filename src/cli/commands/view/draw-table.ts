// Draws rows as a table: rows that are not events, and rows of a query that selects columns.
import { escapeControls } from '../../../render/escape-controls.js'
import { cutText, withoutColumns } from '../../../render/fit-text.js'
import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, CYAN, PLAIN, type Style, styleOf, UNDERLINE } from '../../../render/screen/style.js'
import { tonesOf } from '../../../render/tone.js'
import { width as widthOf } from '../../../text/width.js'
import type { TableField } from '../../../wire/http/tabular-result.js'
import type { TimeZone } from '../../../wire/time/time-zone.js'
import { textInZone } from './clock.js'
import { isNumeric, type ViewRow } from './row.js'
import { GUTTER } from './screen-lines.js'
import { markSearch } from './search-marks.js'
import { firstLine, linesOf, type State } from './state.js'

/** The maximum width of a column, except for the last one, on a screen of up to twice this width. */
const MOST_COLUMN_WIDTH = 40

/** The widths of the name and of the widest value of a column. */
interface ColumnWidths {
  readonly heading: number
  readonly cells: number
}

const widths = new WeakMap<readonly ViewRow[], readonly ColumnWidths[]>()

export function drawTable(grid: Grid, state: State): void {
  const { rows, shift, search } = state
  const shown = rows.columns.filter(({ name }) => name !== '_sysTime')
  const columnWidths = widthsOf(rows.items, shown, state.zone)
  const most = Math.max(MOST_COLUMN_WIDTH, Math.floor(grid.width / 2))
  let column = GUTTER - shift
  for (const [index, field] of shown.entries()) {
    const { heading = 0, cells = 0 } = columnWidths[index] ?? {}
    const width = Math.max(heading, Math.min(most, cells))
    // The end of the last column can be scrolled into the screen.
    const isLast = index === shown.length - 1
    drawColumn(grid, state, { field, column, width, room: isLast ? grid.width + shift : width })
    column += width + 2
  }
  const first = firstLine(state) + 1
  for (let line = 0; line < linesOf(state); line++) {
    if (rows.top + line === rows.selected) grid.put(first + line, 0, '▌', CYAN)
    if (search !== undefined) markSearch(grid, first + line, search, GUTTER)
  }
}

function widthsOf(
  items: readonly ViewRow[],
  columns: readonly TableField[],
  zone: TimeZone,
): readonly ColumnWidths[] {
  const known = widths.get(items)
  if (known !== undefined) return known
  const found = columns.map(({ name, type }) => {
    const cells = items.map((row) => widthOf(textOf(row.cells.get(name), type, zone)))
    const widest = cells.reduce((most, width) => Math.max(most, width), 0)
    return { heading: widthOf(escapeControls(name)), cells: widest }
  })
  widths.set(items, found)
  return found
}

interface PlacedColumn {
  readonly field: TableField
  /** The screen column where it begins; less than `GUTTER` when its beginning is scrolled out of the screen. */
  readonly column: number
  readonly width: number
  /** The maximum width of a value; longer ones are cut. */
  readonly room: number
}

function drawColumn(grid: Grid, state: State, { field, column, width, room }: PlacedColumn): void {
  const { items, top, selected } = state.rows
  const { name, type } = field
  const heading = firstLine(state)
  const put = (y: number, at: number, text: string, style: Style) =>
    grid.put(y, Math.max(at, GUTTER), withoutColumns(text, GUTTER - at), style, column + room)
  put(heading, column, escapeControls(name), BOLD | UNDERLINE)
  const visible = items.slice(top, top + linesOf(state))
  const cells = visible.map((row) => row.cells.get(name) ?? 'null')
  const tone = tonesOf({ name, type }, cells)
  for (const [line, cell] of cells.entries()) {
    const text = cutText(textOf(cell, type, state.zone), room)
    const space = isNumeric(field) ? Math.max(0, width - widthOf(text)) : 0
    const style = styleOf(tone(line)) | (top + line === selected ? BOLD : PLAIN)
    put(heading + 1 + line, column + space, text, style)
  }
}

function textOf(cell: string | undefined, type: string, zone: TimeZone): string {
  return cell === undefined ? '' : escapeControls(textInZone(cell, type, zone))
}
