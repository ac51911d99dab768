// Formats with a line per row.

import type { Table } from '../wire/http/tabular-result.js'
import { cellText, oneLine } from './cell.js'
import { chain, type RenderOptions } from './renderer.js'
import { arrayEnd, type LineEncoding, type LineFormat } from './transpose/line-encoding.js'

/** One JSON object per line, with a key for every field, nulls included. Values are unchanged. */
export const NDJSON: LineFormat = {
  heading: () => '',
  encoding: (names) => ({
    form: 'ndjson',
    keys: names.map((name, i) => `${i === 0 ? '{' : ','}${JSON.stringify(name)}:`),
    nullText: 'null',
    encode: oneLine,
  }),
}

/**
 * CSV of RFC 4180 with Unix line ends, and arrays and objects as JSON. Null is an empty cell and an empty string is `""`, so that
 * they differ.
 */
export const CSV: LineFormat = {
  async heading(names) {
    const { stringify } = await import('csv-stringify/sync')
    return stringify([[...names]], { quoted_match: /^$/ })
  },
  encoding: (names) => ({
    form: 'csv',
    keys: delimiters(names, ','),
    nullText: '',
    // Follows csv-stringify, which takes ten times as long for a single cell; a property test compares the two.
    encode(cell) {
      const text = cellText(cell) ?? ''
      return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    },
  }),
}

/** Cells with tabs between them; null is `\N`, as in ClickHouse, MySQL and PostgreSQL. */
export const TSV: LineFormat = {
  heading: (names) => `${names.map(escaped).join('\t')}\n`,
  encoding: (names) => ({
    form: 'tsv',
    keys: delimiters(names, '\t'),
    nullText: '\\N',
    encode: (cell) => escaped(cellText(cell) ?? ''),
  }),
}

function delimiters(names: readonly string[], delimiter: string): readonly string[] {
  return names.map((_, i) => (i === 0 ? '' : delimiter))
}

/** The characters that would end a cell or a line of TSV, and the escape character. */
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
}

function escaped(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!)
}

/** Renders tables one after the other, each with a heading unless the table above has the same one. */
export async function renderLines(
  format: LineFormat,
  tables: readonly Table[],
  { header }: Pick<RenderOptions, 'header'>,
): Promise<Iterable<string>> {
  const parts: Iterable<string>[] = []
  let above = ''
  for (const { fields, columns } of tables) {
    const names = fields.map(({ name }) => name)
    const heading = await format.heading(names)
    if (header && heading !== above) parts.push([heading])
    above = heading
    parts.push(rowLines(columns, format.encoding(names)))
  }
  return chain(parts)
}

/** Renders one array of objects, one row per line. */
export async function renderJson(tables: readonly Table[]): Promise<Iterable<string>> {
  return elements(await renderLines(NDJSON, tables, { header: false }))
}

function* elements(lines: Iterable<string>): Iterable<string> {
  let isFirst = true
  for (const line of lines) {
    yield `${isFirst ? '[' : ','}\n${line.slice(0, -1)}`
    isFirst = false
  }
  yield arrayEnd(isFirst)
}

function* rowLines(
  columns: Table['columns'],
  { form, keys, nullText, encode }: LineEncoding,
): Iterable<string> {
  const end = form === 'ndjson' ? '}\n' : '\n'
  const parts = keys.map((key, i) => ({ key, cells: columns[i]! }))
  const rows = columns[0]?.length ?? 0
  for (let row = 0; row < rows; row++) {
    let line = ''
    for (const { key, cells } of parts) {
      const cell = cells[row]!
      line += key + (cell === 'null' ? nullText : encode(cell))
    }
    yield line + end
  }
}
