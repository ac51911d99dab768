import type { Table } from '../wire/http/tabular-result.js'
import { cutText, fitText } from './fit-text.js'
import { type Paint, paintOf } from './paint.js'
import { renderRecords } from './record.js'
import { type RenderOptions, tableTitle } from './renderer.js'
import { type ColumnLayout, layOutTable, type TableLayout } from './table-layout.js'

/** `cli-table3` compares each cell with all rows above it: 10,000 rows take 17 seconds. */
const MAX_PACKAGE_ROWS = 200

/** Text whose width `cli-table3` measures correctly; it fails for combining marks and joined emoji. */
const MEASURED_RIGHT =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2026\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Renders tables with borders, fitted to the width; as records when one does not fit. */
export async function renderTables(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const { width, note } = options
  const layouts = tables
    .map((table) => layOutTable(table, options))
    .filter((layout) => layout !== undefined)
  if (layouts.length < tables.length) {
    note?.(
      `The columns do not fit in ${width} characters, so each row is shown as a record. Use \`--columns a,b\` to select columns.`,
    )
    return renderRecords(tables, options)
  }
  const pieces: Iterable<string>[] = []
  for (const [number, layout] of layouts.entries()) {
    if (number > 0) pieces.push(['\n'])
    const title = tableTitle(tables, number)
    if (title !== undefined) pieces.push([`${title}\n`])
    pieces.push(await renderLayout(layout, options))
  }
  return chain(pieces)
}

async function renderLayout(
  layout: TableLayout,
  { header, color }: RenderOptions,
): Promise<Iterable<string>> {
  const options = { header, paint: paintOf(color) }
  return layout.rows <= MAX_PACKAGE_ROWS && isMeasuredRight(layout)
    ? [await packageTable(layout, options)]
    : gridLines(layout, options)
}

function isMeasuredRight({ columns }: TableLayout): boolean {
  return columns.every(
    ({ name, cells }) =>
      MEASURED_RIGHT.test(name) && cells.every((cell) => MEASURED_RIGHT.test(cell)),
  )
}

async function packageTable(
  { columns, rows }: TableLayout,
  { header, paint = (_, text) => text }: GridOptions,
): Promise<string> {
  const { default: CliTable } = await import('cli-table3')
  const table = new CliTable({
    head: header ? columns.map(({ name, width }) => paint('heading', cutText(name, width))) : [],
    colWidths: columns.map(({ width }) => width + 2),
    colAligns: columns.map(({ align }) => align),
    // The default colors would be written to pipes too.
    style: { head: [], border: [], compact: true },
  })
  for (let row = 0; row < rows; row++) {
    table.push(
      columns.map(({ cells, width, tone }) => paint(tone(row), cutText(cells[row]!, width))),
    )
  }
  return `${table.toString()}\n`
}

function* chain(pieces: readonly Iterable<string>[]): Iterable<string> {
  for (const piece of pieces) yield* piece
}

/** Options for drawing a table. */
interface GridOptions {
  readonly header: boolean
  readonly paint?: Paint | undefined
}

/** Draws a table like `cli-table3`, line by line and in linear time. */
export function* gridLines(
  { columns, rows }: TableLayout,
  { header, paint }: GridOptions,
): Iterable<string> {
  const rule = (left: string, cross: string, right: string) =>
    `${left}${columns.map(({ width }) => '─'.repeat(width + 2)).join(cross)}${right}\n`
  yield rule('┌', '┬', '┐')
  if (header) {
    yield line(
      columns.map(({ name, width, align }) => {
        const text = fitText(name, width, align)
        return paint === undefined ? text : paint('heading', text)
      }),
    )
    yield rule('├', '┼', '┤')
  }
  const cell = ({ cells, width, align, tone }: ColumnLayout, row: number) => {
    const text = fitText(cells[row]!, width, align)
    return paint === undefined ? text : paint(tone(row), text)
  }
  for (let row = 0; row < rows; row++) yield line(columns.map((column) => cell(column, row)))
  yield rule('└', '┴', '┘')
}

function line(cells: readonly string[]): string {
  return `│ ${cells.join(' │ ')} │\n`
}
