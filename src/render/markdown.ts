import { width as textWidth } from '../text/width.js'
import type { Table } from '../wire/http/tabular-result.js'
import { readableText } from './cell.js'
import { type RenderOptions, tableTitle } from './renderer.js'
import { isNumericColumn } from './table-layout.js'

/** Characters that Markdown interprets in table cells. */
const MARKUP = /[\\`*<|~]|\](?=\()|&(?=#?\w+;)/g
/**
 * Underscores emphasize the text between two of them, but not within a word. Some renderers do not know the letters beyond
 * U+FFFF in front of them.
 */
const STRESS_BEGINS = /(?<!(?![\u{10000}-\u{10ffff}])[\p{L}\p{N}_])_/u
const STRESS_ENDS = /_(?![\p{L}\p{N}_])/u

/** Leading and trailing blanks of a cell or a line, which Markdown drops. */
const LOST_BLANK = /(?<=^|[\r\n])[^\S\r\n\v]|[^\S\r\n\v](?=$|[\r\n])|[\u2028\u2029]/g

/** URLs become links automatically, and backslashes in them are not escapes: text with escapes must not contain any. */
const ADDRESS = /(?<=(?:https?|ftp)):(?=\/\/)|(?<=www)\./gi

/** Renders tables of GitHub Flavored Markdown: numbers are right-aligned, line ends become `<br>`. */
export function* renderMarkdown(
  tables: readonly Table[],
  { header, before = 0 }: RenderOptions,
): Iterable<string> {
  for (const [number, { fields, columns }] of tables.entries()) {
    if (number > 0) yield '\n'
    const title = tableTitle(tables, number)
    if (title !== undefined) yield `**${markdownText(title)}**\n\n`
    // A table must have a header; without names its cells are empty.
    const names = fields.map(({ name }) => (header ? markdownText(name) : ''))
    if (before === 0) {
      yield line(names)
      yield line(
        columns.map((cells, index) => rule(textWidth(names[index]!), isNumericColumn(cells))),
      )
    }
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      const cells = columns.map((column, index) =>
        markdownText(readableText(column[row]!, fields[index]?.type ?? '')),
      )
      yield line(cells)
    }
  }
}

function markdownText(text: string): string {
  const unmarked = text
    .replace(MARKUP, '\\$&')
    .replace(LOST_BLANK, (blank) => `&#${blank.charCodeAt(0)};`)
  const lines = unmarked.replace(/\r\n|\r|\n/g, '<br>')
  const escaped = isStressed(lines) ? lines.replaceAll('_', '\\_') : lines
  return escaped === text ? text : escaped.replace(ADDRESS, '\\$&')
}

/** Two searches take linear time; a single pattern would be quadratic for thousands of openings without an end. */
function isStressed(text: string): boolean {
  const begin = text.search(STRESS_BEGINS)
  return begin !== -1 && STRESS_ENDS.test(text.slice(begin + 1))
}

function rule(width: number, isNumeric: boolean): string {
  const dashes = '-'.repeat(Math.max(2, width - 1))
  return isNumeric ? `${dashes}:` : `:${dashes}`
}

function line(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}
