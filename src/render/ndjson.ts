import type { Table } from '../wire/http/tabular-result.js'
import type { JsonText } from '../wire/json/json-text.js'
import { oneLine } from './cell.js'
import type { LineFormat } from './transpose/line-encoding.js'

/** Renders one JSON object per line, with a key for every field, nulls included. */
export function* renderNdjson(tables: readonly Table[]): Iterable<string> {
  for (const table of tables) {
    for (const row of rowObjects(table)) yield `${row}\n`
  }
}

/** The lines of `renderNdjson`, copied from the bytes of a response. */
export const NDJSON_LINES: LineFormat = {
  heading: () => '',
  encoding: (names) => ({
    kind: 'ndjson',
    keys: names.map((name, i) => Buffer.from(keyOf(name, i))),
    encode: oneLine,
  }),
}

/** Yields each row as a JSON object on one line, with the values of the response unchanged. */
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
