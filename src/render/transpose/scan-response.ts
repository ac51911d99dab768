import { COLON, OPEN_BRACKET } from '../../text/bytes.js'
import { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { decodeNativeResult } from '../../wire/http/native-result.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import { decodeTabularResult, type TabularResult } from '../../wire/http/tabular-result.js'
import { spaceEnd } from '../../wire/json/json-bytes.js'
import { isJsonObject, parseJson } from '../../wire/json/json-object.js'
import { responseMemory, type ScannedBody, type TableValues } from './response-memory.js'

/** A query response whose values are located in its bytes. */
export interface ScannedResponse extends ScannedBody {
  /** The response without values. */
  readonly result: TabularResult
}

/**
 * Locates the values of a response of `_apl?format=tabular`. Values that can't be located are decoded and written again. Throws a
 * `MalformedResponseError`.
 */
export function readResponse(body: ChunkedBuffer): ScannedResponse {
  return scanResponse(body) ?? writtenResponse(decodeTabularResult(body.toString()))
}

/** Writes a result, of which at least the tables are known, as a response. */
export function writtenResponse({
  tables,
  ...rest
}: Pick<TabularResult, 'tables'> & Partial<TabularResult>): ScannedResponse {
  const written = tables.map(({ columns, ...table }) => {
    const cells = columns.map((column) => `[${column.join(',')}]`).join(',')
    return `${JSON.stringify(table).slice(0, -1)},"columns":[${cells}]}`
  })
  const members = JSON.stringify({ format: 'tabular', ...rest })
  const text = `${members.slice(0, -1)},"tables":[${written.join(',')}]}`
  const scanned = scanResponse(ChunkedBuffer.of(text))
  if (scanned === undefined) {
    throw new MalformedResponseError('its values are not JSON, or do not fit in memory')
  }
  return scanned
}

/**
 * Scans a response without decoding its values. Returns undefined when it is too large, unusual or malformed; `decodeTabularResult`
 * then reads it or reports the error.
 */
export function scanResponse(body: ChunkedBuffer): ScannedResponse | undefined {
  const memory = responseMemory()
  if (!memory.hold(body)) return undefined
  const found: TableValues[] = []
  /** The texts around the values. */
  const kept: string[] = []
  let keptTo = 0
  let from = nextColumns(memory.response, 0)
  while (from !== undefined) {
    const values = memory.scan(from)
    if (values === undefined) return undefined
    found.push(values)
    // Scanning may replace the bytes.
    const { response } = memory
    kept.push(response.toString('utf8', keptTo, from))
    keptTo = values.end
    from = nextColumns(response, keptTo)
  }
  kept.push(memory.response.toString('utf8', keptTo))
  const numbered = kept.map((text, i) => (i === 0 ? text : `${i - 1}${text}`)).join('')
  const numbers = columnsOfTables(numbered)
  // The scan does not check values: the decoder reads a response with columns outside its tables.
  if (numbers === undefined || !found.every((_, number) => numbers.includes(number)))
    return undefined
  const tables = numbers.map((number) => found[number] ?? NO_VALUES)
  const result = decodeTabularResult(kept.join('[]'))
  const isSound = result.tables.every(({ fields }, index) => {
    const { columns } = tables[index]!
    return columns === 0 || columns === fields.length
  })
  return isSound ? { body, result, tables: tables.slice(0, result.tables.length) } : undefined
}

/** The key of the values of a table. In a string, its quotes would be escaped. */
const COLUMNS_KEY = '"columns"'

/** Returns the position of the next array with this key; undefined when there are no more. */
function nextColumns(response: Buffer, from: number): number | undefined {
  let at = response.indexOf(COLUMNS_KEY, from)
  while (at !== -1) {
    const colon = spaceEnd(response, at + COLUMNS_KEY.length)
    const start = spaceEnd(response, colon + 1)
    if (response[colon] === COLON && response[start] === OPEN_BRACKET) return start
    at = response.indexOf(COLUMNS_KEY, colon)
  }
  return undefined
}

/**
 * Returns the numbers that a response has in place of the columns of each table, -1 for a table without columns; undefined for an
 * unusual response.
 */
function columnsOfTables(numbered: string): readonly number[] | undefined {
  const response = parseJson(numbered)
  const tables = isJsonObject(response) ? (response.tables ?? []) : undefined
  if (!Array.isArray(tables) || !tables.every(isJsonObject)) return undefined
  const columns = tables.map((table) => table.columns ?? -1)
  return columns.every((number) => typeof number === 'number') ? columns : undefined
}

const NO_VALUES: TableValues = {
  columns: 0,
  rows: 0,
  states: 0,
  remainders: 0,
  relocate() {},
}

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

/** Returns the JSON of one value, as bytes. */
export function cellOf(
  response: ScannedResponse,
  { column, ...row }: { readonly table: number; readonly column: number; readonly row: number },
): Buffer {
  const [cell = ''] = responseMemory().row(response, { ...row, order: [column] })
  return Buffer.from(cell, 'latin1')
}

/** Returns the JSON of the values in a row, one per column, with a character for each byte. */
export function cellsOf(
  response: ScannedResponse,
  row: { readonly table: number; readonly row: number },
): readonly string[] {
  const order = Array.from({ length: response.tables[row.table]!.columns }, (_, column) => column)
  return responseMemory().row(response, { ...row, order })
}
