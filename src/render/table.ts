import type { Table } from '../wire/query.js'
import { cutText } from './fit-text.js'
import { gridLines } from './grid.js'
import { type Layout, layOut } from './layout.js'
import { renderRecords } from './record.js'
import type { RenderOptions } from './render.js'

/** `cli-table3` compares every cell with all rows above it: 10,000 rows take it 17 seconds. */
const MOST_PACKAGE_ROWS = 200

/** Texts whose width `cli-table3` measures as a terminal does; it miscounts marks and joined emoji. */
const MEASURED_RIGHT =
  /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2026\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/

/** Whether every table can be read as a table in this width. */
export function fitsWidth(tables: readonly Table[], width: number | undefined): boolean {
  return tables.every((table) => layOut(table, width) !== undefined)
}

/** Tables with borders, fitted to the width; one that can't be read in it as records. */
export async function renderTables(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const pieces: Iterable<string>[] = []
  for (const table of tables) {
    if (pieces.length > 0) pieces.push(['\n'])
    const layout = layOut(table, options.width)
    if (layout === undefined) pieces.push(renderRecords([table], options))
    else pieces.push(await renderLayout(layout, options))
  }
  return chain(pieces)
}

async function renderLayout(
  layout: Layout,
  { header, color }: RenderOptions,
): Promise<Iterable<string>> {
  const heading = header ? await headingStyle(color) : undefined
  return layout.rows <= MOST_PACKAGE_ROWS && isMeasuredRight(layout)
    ? [await packageTable(layout, heading)]
    : gridLines(layout, heading)
}

/** How a column's name looks. */
export type HeadingStyle = (name: string) => string

async function headingStyle(color: boolean): Promise<HeadingStyle> {
  if (!color) return (name) => name
  const { Chalk } = await import('chalk')
  return new Chalk({ level: 1 }).bold
}

function isMeasuredRight({ columns }: Layout): boolean {
  return columns.every(
    ({ name, cells }) =>
      MEASURED_RIGHT.test(name) && cells.every((cell) => MEASURED_RIGHT.test(cell)),
  )
}

async function packageTable(
  { columns, rows }: Layout,
  heading: HeadingStyle | undefined,
): Promise<string> {
  const { default: CliTable } = await import('cli-table3')
  const table = new CliTable({
    head: heading ? columns.map(({ name, width }) => heading(cutText(name, width))) : [],
    colWidths: columns.map(({ width }) => width + 2),
    colAligns: columns.map(({ align }) => align),
    // Colours of its own would go into a pipe too.
    style: { head: [], border: [], compact: true },
  })
  for (let row = 0; row < rows; row++) {
    table.push(columns.map(({ cells, width }) => cutText(cells[row]!, width)))
  }
  return `${table.toString()}\n`
}

function* chain(pieces: readonly Iterable<string>[]): Iterable<string> {
  for (const piece of pieces) yield* piece
}
