import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { decodeNativeResult } from '../../wire/http/native-result.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import { decodeTabularResult, type TabularResult } from '../../wire/http/tabular-result.js'
import { spaceEnd, stringEnd, valueEnd } from '../../wire/json/json-bytes.js'
import { JsonWalker } from '../../wire/json/json-walker.js'
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
    const reader = new ResponseWalker(memory)
    reader.response((from) => {
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

/** Walks the parts of a response around the values. */
class ResponseWalker extends JsonWalker {
  private readonly memory: ResponseMemory
  private body: Buffer

  constructor(memory: ResponseMemory) {
    super()
    this.memory = memory
    this.body = memory.response
  }

  /**
   * Calls `columns` with the start of each table's columns and continues at the position it returns; a table without
   * columns is passed as undefined.
   */
  response(columns: (from: number | undefined) => number): void {
    this.member('tables', () => {
      if (!this.takeNull()) this.array(() => this.table(columns))
    })
    this.end()
  }

  private table(columns: (from: number | undefined) => number): void {
    let isFound = false
    this.member('columns', () => {
      if (this.takeNull()) return
      isFound = true
      this.skipSpace()
      this.at = columns(this.at)
      this.body = this.memory.response
    })
    if (!isFound) columns(undefined)
  }

  /** Reads one member of an object, which must not be repeated. */
  private member(name: string, read: () => void): void {
    let isRead = false
    this.object((key) => {
      if (key !== name) return this.skipValue()
      if (isRead) throw new UnusualResponse()
      isRead = true
      read()
    })
  }

  private skipValue(): void {
    this.skipSpace()
    const from = this.at
    this.at = found(valueEnd(this.body, from))
    if (this.at === from) throw new UnusualResponse()
  }

  protected key(): string {
    const from = this.at
    this.at = found(stringEnd(this.body, from))
    const key = this.body.toString('latin1', from + 1, this.at - 1)
    if (key.includes('\\')) throw new UnusualResponse()
    return key
  }

  protected code(): number | undefined {
    return this.body[this.at]
  }

  protected isNull(): boolean {
    return this.body.toString('latin1', this.at, this.at + 4) === 'null'
  }

  protected isAtEnd(): boolean {
    return this.at === this.body.length
  }

  protected skipSpace(): void {
    this.at = spaceEnd(this.body, this.at)
  }

  protected malformed(): Error {
    return new UnusualResponse()
  }
}

function found(end: number): number {
  if (end === -1) throw new UnusualResponse()
  return end
}
