import type { Table } from '../wire/http/query.js'
import type { JsonText } from '../wire/json/json-text.js'
import { oneLine } from './cell.js'
import { escapeControlsInLines } from './escape-controls.js'
import type { RenderOptions } from './renderer.js'
import type { LineFormat } from './transpose/line-encoding.js'

/** One JSON object a line, a key for every field, nulls too. */
export function* renderNdjson(
  tables: readonly Table[],
  { isTerminal }: RenderOptions,
): Iterable<string> {
  for (const table of tables) {
    for (const row of rowObjects(table)) yield `${isTerminal ? escapeControlsInLines(row) : row}\n`
  }
}

/** The same lines, copied from the bytes of an answer. */
export const NDJSON_LINES: LineFormat = {
  heading: () => '',
  encoding: (names) => ({
    kind: 'ndjson',
    keys: names.map((name, i) => Buffer.from(keyOf(name, i))),
    encode: oneLine,
  }),
}

/** Each row of a table as a JSON object on one line, its values as they stood on the wire. */
export function* rowObjects(table: Table): Iterable<JsonText> {
  const columns = table.columns.map((cells, index) => ({
    cells,
    key: keyOf(table.fields[index]!.name, index),
  }))
  const rows = table.columns[0]?.length ?? 0
  for (let row = 0; row < rows; row++) {
    let text = ''
    for (const { key, cells } of columns) text += key + oneLine(cells[row]!)
    yield `${text}}`
  }
}

function keyOf(name: string, index: number): string {
  return `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`
}
