import type { Table } from '../wire/http/query.js'
import { escapeControlsInLines } from './escape-controls.js'
import { rowObjects } from './ndjson.js'
import type { RenderOptions } from './renderer.js'
import { arrayEnd } from './transpose/line-encoding.js'

/** One array of row objects, a row a line. */
export function* renderJson(
  tables: readonly Table[],
  { isTerminal }: RenderOptions,
): Iterable<string> {
  let isFirst = true
  for (const table of tables) {
    for (const row of rowObjects(table)) {
      yield isFirst ? '[\n' : ',\n'
      yield isTerminal ? escapeControlsInLines(row) : row
      isFirst = false
    }
  }
  yield arrayEnd(isFirst)
}
