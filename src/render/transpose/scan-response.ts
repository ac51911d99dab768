import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../text/bytes.js'
import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { decodeNativeResult } from '../../wire/http/native-result.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import { decodeTabularResult, type TabularResult } from '../../wire/http/tabular-result.js'
import { spaceEnd, stringEnd, valueEnd } from '../../wire/json/json-bytes.js'
import {
  type ResponseMemory,
  responseMemory,
  type ScannedBody,
  type TableValues,
} from './response-memory.js'

/** A query response whose values are located in its bytes. */
export interface ScannedResponse extends ScannedBody {
  /** The response without values. */
  readonly result: TabularResult
}

/**
 * Scans a response of `_apl?format=tabular` without decoding its values. Returns undefined when it is too large,
 * unusual or malformed; `decodeTabularResult` then reads it or reports the error.
 */
export function scanResponse(body: ChunkedBuffer): ScannedResponse | undefined {
  const memory = responseMemory()
  if (!memory.hold(body)) return undefined
  const places: TableValues[] = []
  const kept: string[] = []
  let keptTo = 0
  try {
    walkTables(memory, (from) => {
      const found = from === undefined ? undefined : memory.scan(from)
      if (from !== undefined && found === undefined) throw new UnusualResponse()
      places.push(found ?? NO_VALUES)
      if (from === undefined || found === undefined) return 0
      kept.push(memory.response.toString('utf8', keptTo, from), '[]')
      keptTo = found.end
      return found.end
    })
  } catch (error) {
    if (error instanceof UnusualResponse) return undefined
    throw error
  }
  kept.push(memory.response.toString('utf8', keptTo))
  const result = decodeTabularResult(kept.join(''))
  const isSound = result.tables.every(({ fields }, index) => {
    const { columns } = places[index]!
    return columns === 0 || columns === fields.length
  })
  return isSound ? { body, result, tables: places.slice(0, result.tables.length) } : undefined
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

const NO_VALUES: TableValues = {
  columns: 0,
  rows: 0,
  states: 0,
  remainders: 0,
  relocate() {},
}

class UnusualResponse extends Error {}

/**
 * Walks the parts of a response around the values: calls `columns` with the start of each table's columns and continues at the position
 * it returns; a table without columns is passed as undefined.
 */
function walkTables(memory: ResponseMemory, columns: (from: number | undefined) => number): void {
  const table = (from: number): number => {
    let isFound = false
    const end = walkMember(memory, { from, name: 'columns' }, (at) => {
      isFound = true
      return columns(at)
    })
    if (!isFound) columns(undefined)
    return end
  }
  const end = walkMember(memory, { from: 0, name: 'tables' }, (at) =>
    walk(memory, { from: at, open: OPEN_BRACKET }, table),
  )
  if (spaceEnd(memory.response, end) !== memory.response.length) throw new UnusualResponse()
}

/** Walks an object, of which `read` reads one member, which must not be repeated, unless it is null. Returns the end of the object. */
function walkMember(
  memory: ResponseMemory,
  { from, name }: { readonly from: number; readonly name: string },
  read: (at: number) => number,
): number {
  let isRead = false
  return walk(memory, { from, open: OPEN_BRACE }, (at, key) => {
    const { response } = memory
    if (key !== name) {
      const end = valueEnd(response, at)
      if (end <= at) throw new UnusualResponse()
      return end
    }
    if (isRead) throw new UnusualResponse()
    isRead = true
    return response.toString('latin1', at, at + 4) === 'null' ? at + 4 : read(at)
  })
}

/** Walks an object or an array, as `open` tells; `visit` returns the end of the value at a position. Returns the end of the whole. */
function walk(
  memory: ResponseMemory,
  { from, open }: { readonly from: number; readonly open: number },
  visit: (at: number, key: string) => number,
): number {
  // Visiting columns may replace the bytes.
  const next = (after: number) => spaceEnd(memory.response, after)
  const start = next(from)
  if (memory.response[start] !== open) throw new UnusualResponse()
  const isObject = open === OPEN_BRACE
  const close = isObject ? CLOSE_BRACE : CLOSE_BRACKET
  let at = next(start + 1)
  if (memory.response[at] === close) return at + 1
  for (;;) {
    const { key, end } = isObject ? keyAt(memory.response, at) : { key: '', end: at }
    at = next(visit(end, key))
    if (memory.response[at] === close) return at + 1
    if (memory.response[at] !== COMMA) throw new UnusualResponse()
    at = next(at + 1)
  }
}

/** Returns the key at a position, and the position of its value. */
function keyAt(bytes: Buffer, from: number): { readonly key: string; readonly end: number } {
  const end = bytes[from] === QUOTE ? stringEnd(bytes, from) : -1
  const colon = spaceEnd(bytes, end)
  const key = bytes.toString('latin1', from + 1, end - 1)
  if (end === -1 || bytes[colon] !== COLON || key.includes('\\')) throw new UnusualResponse()
  return { key, end: spaceEnd(bytes, colon + 1) }
}
