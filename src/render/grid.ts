import { fitText } from './fit-text.js'
import type { LaidOutColumn, Layout } from './layout.js'
import type { Paint } from './paint.js'

/** How a table is drawn. */
export interface GridOptions {
  readonly header: boolean
  readonly paint?: Paint | undefined
}

/** Draws a table as `cli-table3` draws it, a line at a time, in time that grows with the rows only. */
export function* gridLines(
  { columns, rows }: Layout,
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
  const cell = ({ cells, width, align, tone }: LaidOutColumn, row: number) => {
    const text = fitText(cells[row]!, width, align)
    return paint === undefined ? text : paint(tone(row), text)
  }
  for (let row = 0; row < rows; row++) yield line(columns.map((column) => cell(column, row)))
  yield rule('└', '┴', '┘')
}

function line(cells: readonly string[]): string {
  return `│ ${cells.join(' │ ')} │\n`
}
