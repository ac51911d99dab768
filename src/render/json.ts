import type { Table } from '../wire/http/tabular-result.js'
import { escapeControlsInLines } from './escape-controls.js'
import { rowObjects } from './ndjson.js'
import type { RenderOptions } from './renderer.js'
import { arrayEnd } from './transpose/line-encoding.js'

/** Renders one array of objects, one row per line. */
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
