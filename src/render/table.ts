import type { Table } from '../wire/http/query.js'
import { cutText } from './fit-text.js'
import type { RenderOptions } from './format.js'
import { type GridOptions, gridLines } from './grid.js'
import { type Layout, layOut } from './layout.js'
import { openPaint } from './paint.js'
import { renderRecords } from './record.js'
import { titleOf } from './title.js'

/** `cli-table3` compares every cell with all rows above it: 10,000 rows take it 17 seconds. */
const MOST_PACKAGE_ROWS = 200

/** Texts whose width `cli-table3` measures as a terminal does; it miscounts marks and joined emoji. */
const MEASURED_RIGHT =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2026\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Tables with borders, fitted to the width; where one can't be read in it, records. */
export async function renderTables(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const { width, say } = options
  const layouts = tables
    .map((table) => layOut(table, options))
    .filter((layout) => layout !== undefined)
  if (layouts.length < tables.length) {
    say?.(
      `The columns do not fit in ${width}, so each row is a record. \`--columns a,b\` picks some.`,
    )
    return renderRecords(tables, options)
  }
  const pieces: Iterable<string>[] = []
  for (const [number, layout] of layouts.entries()) {
    if (number > 0) pieces.push(['\n'])
    const title = titleOf(tables, number)
    if (title !== undefined) pieces.push([`${title}\n`])
    pieces.push(await renderLayout(layout, options))
  }
  return chain(pieces)
}

async function renderLayout(
  layout: Layout,
  { header, color }: RenderOptions,
): Promise<Iterable<string>> {
  const options = { header, paint: await openPaint(color) }
  return layout.rows <= MOST_PACKAGE_ROWS && isMeasuredRight(layout)
    ? [await packageTable(layout, options)]
    : gridLines(layout, options)
}

function isMeasuredRight({ columns }: Layout): boolean {
  return columns.every(
    ({ name, cells }) =>
      MEASURED_RIGHT.test(name) && cells.every((cell) => MEASURED_RIGHT.test(cell)),
  )
}

async function packageTable(
  { columns, rows }: Layout,
  { header, paint = (_, text) => text }: GridOptions,
): Promise<string> {
  const { default: CliTable } = await import('cli-table3')
  const table = new CliTable({
    head: header ? columns.map(({ name, width }) => paint('heading', cutText(name, width))) : [],
    colWidths: columns.map(({ width }) => width + 2),
    colAligns: columns.map(({ align }) => align),
    // Colours of its own would go into a pipe too.
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
