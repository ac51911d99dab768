import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { oneLine } from '../cell.js'
import {
  type EncodedRows,
  encodeRows,
  type TableColumns,
  type Values,
  writeStates,
} from './encode-rows.js'
import type { LineEncoding } from './line-encoding.js'
import { ModuleMemory } from './module-memory.js'
import { jsonState, locateNative, type PlacedShape } from './native-values.js'

/** The bytes of the place of a value, see `assembly/scan.ts`. */
const PLACE_BYTES = 8
/** Zeros after a response, which end the scan. */
const END_BYTES = 32

export interface TableValues extends TableColumns {
  /** Finds the columns again in the same response, after another one was held in between. */
  relocate(): unknown
}

/** The bytes of a response, and the columns of each table. */
export interface ScannedBody {
  readonly body: ChunkedBuffer
  readonly tables: readonly TableValues[]
}

/** Encodes each cell as a line of its own: its JSON, followed by `LINE_END`. */
export const JSON_CELLS: LineEncoding = {
  form: 'ndjson',
  keys: [''],
  nullText: 'null',
  encode: oneLine,
}
export const LINE_END = '}\n'

let memory: ResponseMemory | undefined

/** Returns the only instance; creating one takes as long as scanning a page. */
export function responseMemory(): ResponseMemory {
  memory ??= new ResponseMemory()
  return memory
}

/**
 * The memory of the WebAssembly module. It holds the bytes of one response at address 0, so that positions in the response are
 * addresses; then the positions of its values; then the encoded rows. A response replaced by another is loaded again on access.
 */
class ResponseMemory {
  private readonly memory = new ModuleMemory()
  private held: ChunkedBuffer | undefined
  /** The columns encoded last, at which the encoder stands. */
  private last: { readonly columns: TableColumns; readonly order: readonly number[] } | undefined

  /** Loads a response for scanning; returns false when there is not enough memory. */
  hold(body: ChunkedBuffer): boolean {
    const { memory } = this
    this.held = undefined
    this.last = undefined
    const end = body.length + END_BYTES
    if (!memory.reserve(end)) return false
    body.copyTo(memory.bytes)
    memory.bytes.fill(0, body.length, end)
    this.held = body
    memory.allocateTo(end)
    return true
  }

  /** The bytes of the response; invalid after the memory grows. */
  get response(): Buffer {
    return this.memory.bytes.subarray(0, this.held?.length)
  }

  /** Finds the values of `[[…], […]]`, which begins at `start`, and its end; undefined for unusual JSON. */
  scan(start: number): (TableValues & { readonly end: number }) | undefined {
    const { memory } = this
    const { code, free: places } = memory
    if (code.scan(start, places) === 0) return undefined
    const [columns, rows] = [code.columns.value, code.rows.value]
    const end = code.end.value >>> 0
    memory.allocateTo(places + columns * rows * PLACE_BYTES)
    memory.refresh()
    const states = Array.from({ length: columns }, (_, i) =>
      jsonState(places + i * rows * PLACE_BYTES),
    )
    const found = { columns, rows, states: writeStates(memory, states), remainders: 0, end }
    return { ...found, relocate: () => this.scan(start) }
  }

  /** Finds columns in the format Native at the end of the response; undefined when they are not readable. */
  locate(shape: PlacedShape): TableValues | undefined {
    const found = locateNative(this.memory, this.response.length, shape)
    return found && { ...found, relocate: () => this.locate(shape) }
  }

  /** Returns the JSON of the values in a row, one per column, with a character for each byte. */
  row(
    response: ScannedBody,
    { table, row, order }: { table: number; row: number; order: readonly number[] },
  ): readonly string[] {
    // One line is encoded in the time of a cell. JSON contains no zeros.
    const encoding = { ...JSON_CELLS, keys: order.map(() => '\0') }
    const { bytes } = this.lines(response, { table, order, from: row, to: row + 1 }, encoding)
    return bytes
      .toString('latin1', 0, bytes.length - LINE_END.length)
      .split('\0')
      .slice(1)
  }

  /** Encodes as many rows as fit into a piece, and at least one. Throws `RangeError` when a row exceeds the memory. */
  lines(
    response: ScannedBody,
    { table, ...values }: Values & { readonly table: number },
    encoding: LineEncoding,
  ): EncodedRows {
    this.recall(response)
    const columns = response.tables[table]!
    const { order } = values
    const isContinued = this.last?.columns === columns && this.last.order === order
    this.last = { columns, order }
    return encodeRows(this.memory, { ...values, columns }, { encoding, isContinued })
  }

  /** Returns a range of a response, which is valid until the next call of any method. */
  range(response: ScannedBody, { start, end }: { start: number; end: number }): Buffer {
    this.recall(response)
    return this.response.subarray(start, end)
  }

  private recall({ body, tables }: ScannedBody): void {
    if (this.held === body) return
    if (!this.hold(body)) throw new RangeError('The response is too long.')
    // Locating the tables in the same order gives their columns the same addresses as before.
    for (const { relocate } of tables) relocate()
  }
}
