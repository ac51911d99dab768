import type { Table } from '../wire/http/tabular-result.js'
import { rowObjects } from './ndjson.js'
import { arrayEnd } from './transpose/line-encoding.js'

/** Renders one array of objects, one row per line. */
export function* renderJson(tables: readonly Table[]): Iterable<string> {
  let isFirst = true
  for (const table of tables) {
    for (const row of rowObjects(table)) {
      yield isFirst ? '[\n' : ',\n'
      yield row
      isFirst = false
    }
  }
  yield arrayEnd(isFirst)
}
