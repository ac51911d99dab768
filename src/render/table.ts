import type { Table } from '../wire/http/tabular-result.js'
import { fitText } from './fit-text.js'
import { type Paint, paintOf } from './paint.js'
import { renderRecords } from './record.js'
import { chain, type RenderOptions, tableTitle } from './renderer.js'
import { layOutTable, type TableLayout } from './table-layout.js'

/** Stands for the text of a cell in a frame. */
const BLANK = '\ue000'

/** Renders tables with borders, fitted to the width; as records when one does not fit. */
export async function renderTables(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const { header, color, width, note } = options
  const layouts = tables
    .map((table) => layOutTable(table, options))
    .filter((layout) => layout !== undefined)
  if (layouts.length < tables.length) {
    note?.(
      `The columns do not fit in ${width} characters, so each row is shown as a record. \`--columns a,b\` selects columns, as does \`| project a, b\` in a query.`,
    )
    return renderRecords(tables, options)
  }
  const pieces: Iterable<string>[] = []
  for (const [number, layout] of layouts.entries()) {
    if (number > 0) pieces.push(['\n'])
    const title = tableTitle(tables, number)
    if (title !== undefined) pieces.push([`${title}\n`])
    const frame = await frameOf(layout, header)
    pieces.push(tableLines(layout, frame, { header, paint: paintOf(color) }))
  }
  return chain(pieces)
}

/**
 * Returns the lines of a table with one row, whose cells are blank. `cli-table3` draws only them, because it compares each cell
 * with all rows above it, and miscounts the width of combining marks and joined emoji.
 */
async function frameOf({ columns }: TableLayout, header: boolean): Promise<readonly string[]> {
  const { default: CliTable } = await import('cli-table3')
  const blanks = columns.map(({ width }) => BLANK.repeat(width))
  const table = new CliTable({
    head: header ? blanks : [],
    colWidths: columns.map(({ width }) => width + 2),
    // The default colors would be written to pipes too.
    style: { head: [], border: [], compact: true },
  })
  table.push(blanks)
  return table.toString().split('\n')
}

function* tableLines(
  { columns, rows }: TableLayout,
  frame: readonly string[],
  { header, paint }: { readonly header: boolean; readonly paint: Paint },
): Iterable<string> {
  const raw = frame.at(-2)!.split(new RegExp(`${BLANK}+`))
  const line = (cells: readonly string[]) => `${String.raw({ raw }, ...cells)}\n`
  yield `${frame[0]}\n`
  if (header) {
    yield line(
      columns.map(({ name, width, align }) =>
        fitText(name, width, align, (text) => paint('heading', text)),
      ),
    )
    if (rows > 0) yield `${frame[2]}\n`
  }
  for (let row = 0; row < rows; row++) {
    yield line(
      columns.map(({ cells, width, align, tone }) =>
        fitText(cells[row]!, width, align, (text) => paint(tone(row), text)),
      ),
    )
  }
  yield `${frame.at(-1)}\n`
}
