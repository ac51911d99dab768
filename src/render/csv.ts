import type { Options, stringify as stringifySync } from 'csv-stringify/sync'
import type { Table } from '../wire/http/tabular-result.js'
import { cellText } from './cell.js'
import type { RenderOptions } from './renderer.js'
import type { LineFormat } from './transpose/line-encoding.js'

type Stringify = typeof stringifySync

/** Null is an empty cell and an empty string is `""`, so that they differ. */
const QUOTING: Options = { quoted_match: /^$/ }

/** Rows per call of the package. */
const ROWS = 1_000

/** Renders RFC 4180 CSV with Unix line ends; arrays and objects as JSON. */
export async function renderCsv(
  tables: readonly Table[],
  { header }: RenderOptions,
): Promise<Iterable<string>> {
  const { stringify } = await import('csv-stringify/sync')
  return csvLines(tables, { header, stringify })
}

/** The lines of `renderCsv`, copied from the bytes of a response. */
export const CSV_LINES: LineFormat = {
  async heading(names) {
    const { stringify } = await import('csv-stringify/sync')
    return stringify([[...names]], QUOTING)
  },
  encoding: () => ({
    kind: 'delimited',
    delimiter: 0x2c,
    nullText: '',
    keepsQuotes: true,
    // Follows csv-stringify, which takes ten times as long for a single cell; a property test compares the two.
    encode(cell) {
      const text = cellText(cell) ?? ''
      return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
    },
  }),
}

function* csvLines(
  tables: readonly Table[],
  { header, stringify }: { readonly header: boolean; readonly stringify: Stringify },
): Iterable<string> {
  let above = ''
  for (const { fields, columns } of tables) {
    const names = stringify([fields.map(({ name }) => name)], QUOTING)
    if (header && names !== above) yield names
    above = names
    const rows = columns[0]?.length ?? 0
    for (let from = 0; from < rows; from += ROWS) {
      const count = Math.min(ROWS, rows - from)
      const part = Array.from({ length: count }, (_, row) =>
        columns.map((cells) => cellText(cells[from + row]!) ?? null),
      )
      yield stringify(part, QUOTING)
    }
  }
}
