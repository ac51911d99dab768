import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { decodeNativeResult } from '../../wire/http/native-result.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { JSON_CELLS, responseMemory } from './response-memory.js'
import { rowBytes } from './rows.js'
import type { ScannedResponse } from './scan-response.js'

/** Locates the columns of a response in the format Native. Throws a `MalformedResponseError`. */
export function scanNativeResponse(body: ChunkedBuffer): ScannedResponse {
  const memory = responseMemory()
  if (!memory.hold(body)) throw new MalformedResponseError('it is too long')
  const { result, columnsAt: start, ...shape } = decodeNativeResult(memory.response)
  const columns = result.tables[0]?.fields.length ?? 0
  const values = memory.locate({ ...shape, columns, start })
  if (values === undefined) throw new MalformedResponseError('its columns are not readable')
  return { body, result, tables: [values] }
}

/** Returns the values of a column as JSON. */
export function columnCells(response: ScannedResponse, column: number): readonly JsonText[] {
  const lines = { heading: () => '', encoding: () => JSON_CELLS }
  const pieces = [...rowBytes(lines, response, { table: 0, columns: [column] })]
  const text = Buffer.concat(pieces).toString('utf8')
  return text.split('}\n').slice(0, -1)
}
