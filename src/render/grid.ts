import { fitText } from './fit-text.js'
import type { Layout } from './layout.js'
import type { HeadingStyle } from './table.js'

/** Draws a table as `cli-table3` draws it, a line at a time, in time that grows with the rows only. */
export function* gridLines(
  { columns, rows }: Layout,
  heading: HeadingStyle | undefined,
): Iterable<string> {
  const rule = (left: string, cross: string, right: string) =>
    `${left}${columns.map(({ width }) => '─'.repeat(width + 2)).join(cross)}${right}\n`
  yield rule('┌', '┬', '┐')
  if (heading) {
    yield line(columns.map(({ name, width, align }) => heading(fitText(name, width, align))))
    yield rule('├', '┼', '┤')
  }
  for (let row = 0; row < rows; row++) {
    yield line(columns.map(({ cells, width, align }) => fitText(cells[row]!, width, align)))
  }
  yield rule('└', '┴', '┘')
}

function line(cells: readonly string[]): string {
  return `│ ${cells.join(' │ ')} │\n`
}
