// Formats with a line per row.

import { cellText, oneLine } from './cell.js'
import type { LineFormat } from './transpose/line-encoding.js'

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
