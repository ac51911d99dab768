import type { Table } from '../wire/http/tabular-result.js'
import { cellText } from './cell.js'
import type { RenderOptions } from './renderer.js'
import type { LineFormat } from './transpose/line-encoding.js'

/** The characters that would end a cell or a line, and the escape character. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

/** Renders one row per line, with tabs between cells; null is `\N`, as in ClickHouse, MySQL and PostgreSQL. */
export function* renderTsv(tables: readonly Table[], { header }: RenderOptions): Iterable<string> {
  let above = ''
  for (const { fields, columns } of tables) {
    const names = tsvHeader(fields.map(({ name }) => name))
    if (header && names !== above) yield names
    above = names
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      yield line(columns.map((cells) => tsvCell(cellText(cells[row]!))))
    }
  }
}

/** The lines of `renderTsv`, copied from the bytes of a response. */
export const TSV_LINES: LineFormat = {
  heading: tsvHeader,
  encoding: () => ({
    kind: 'delimited',
    delimiter: 0x09,
    nullText: '\\N',
    keepsQuotes: false,
    encode: (cell) => tsvCell(cellText(cell)),
  }),
}

function tsvHeader(names: readonly string[]): string {
  return line(names.map(escaped))
}

/** Formats a cell; undefined is null. */
function tsvCell(text: string | undefined): string {
  return text === undefined ? '\\N' : escaped(text)
}

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!)
}

function line(cells: readonly string[]): string {
  return `${cells.join('\t')}\n`
}
