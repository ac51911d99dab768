import type { Table } from '../wire/http/query.js'
import type { RenderOptions } from './format.js'
import { rowObjects } from './ndjson.js'
import { arrayEnd } from './transpose/elements.js'
import { visibleLines } from './visible.js'

/** One array of row objects, a row a line. */
export function* renderJson(
  tables: readonly Table[],
  { isTerminal }: RenderOptions,
): Iterable<string> {
  let isFirst = true
  for (const table of tables) {
    for (const row of rowObjects(table)) {
      yield isFirst ? '[\n' : ',\n'
      yield isTerminal ? visibleLines(row) : row
      isFirst = false
    }
  }
  yield arrayEnd(isFirst)
}
