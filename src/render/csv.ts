import type { Options, stringify as stringifySync } from 'csv-stringify/sync'
import type { JsonText } from '../wire/json-text.js'
import type { Table } from '../wire/query.js'
import { cellText } from './cell.js'
import type { RenderOptions } from './format.js'
import type { Lines } from './transpose/line-encoding.js'
import { visibleLines } from './visible.js'

type Stringify = typeof stringifySync

/** A null is an empty cell and an empty text is `""`, so that a reader can tell one from the other. */
const QUOTING: Options = { quoted_match: /^$/, eof: false }

/** Strings with none of these, and all that is neither a string nor nested, stand as they are. */
const NEEDS_QUOTING = /[\\",\r\n]/

/** RFC 4180 with a header and Unix line ends; arrays and objects as JSON. */
export async function renderCsv(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const { stringify } = await import('csv-stringify/sync')
  const lines = csvLines(tables, { header: options.header, stringify })
  return options.isTerminal ? visiblePieces(lines) : lines
}

/** The same lines, copied from the bytes of an answer. */
export const CSV_LINES: Lines = {
  async heading(names) {
    const { stringify } = await import('csv-stringify/sync')
    return `${stringify([[...names]], QUOTING)}\n`
  },
  encoding: () => ({
    kind: 'delimited',
    delimiter: 0x2c,
    nothing: '',
    quotes: true,
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
    const names = `${stringify([fields.map(({ name }) => name)], QUOTING)}\n`
    if (header && names !== above) yield names
    above = names
    const rows = columns[0]?.length ?? 0
    for (let row = 0; row < rows; row++) {
      let line = ''
      for (let column = 0; column < columns.length; column++) {
        if (column > 0) line += ','
        line += field(columns[column]![row]!, stringify)
      }
      yield `${line}\n`
    }
  }
}

/** Most cells need no quoting, and asking the package about each would take ten times as long. */
function field(cell: JsonText, stringify: Stringify): string {
  if (cell === 'null') return ''
  const isText = cell.startsWith('"')
  const text = isText ? cell.slice(1, -1) : cell
  if (text !== '' && !NEEDS_QUOTING.test(text)) return text
  return stringify([[cellText(cell) ?? null]], QUOTING)
}

function* visiblePieces(pieces: Iterable<string>): Iterable<string> {
  for (const piece of pieces) yield visibleLines(piece)
}
