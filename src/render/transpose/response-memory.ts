import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { oneLine } from '../cell.js'
import { type EncodedRows, encodeRows, packCharacters, type RowSource } from './encode-rows.js'
import type { LineEncoding } from './line-encoding.js'
import { ModuleMemory } from './module-memory.js'
import { locateNative, type NativeShape, type NativeValues, nativeSource } from './native-values.js'

/** Mask that removes the flag from a position. */
const PLACE = 0x7fff_ffff
const PLACE_BYTES = 8
const WORD_BYTES = 4

/** Zeros after a response, which end the scan. */
const END_BYTES = 32

/** The positions of a table's values in the bytes of a response. */
export interface ValuePositions {
  readonly kind: 'json'
  readonly columns: number
  readonly rows: number
  /** The start of the columns, and the position after them. */
  readonly start: number
  readonly end: number
  /** The address of the positions in memory. */
  readonly address: number
}

/** The bytes of a response, and the positions of the values of each table. */
export interface ScannedBody {
  readonly body: ChunkedBuffer
  readonly tables: readonly (ValuePositions | NativeValues)[]
}

/** The values to encode: columns by index, in order, and rows from `from` up to `to`, which is excluded. */
interface Values {
  readonly table: number
  readonly order: readonly number[]
  readonly from: number
  readonly to: number
}

/** Encodes each cell as a line of its own: its JSON, followed by `LINE_END`. */
export const JSON_CELLS: LineEncoding = {
  kind: 'ndjson',
  keys: [new Uint8Array()],
  encode: oneLine,
}
const LINE_END = '}\n'

const ZERO = Uint8Array.of(0)

let memory: ResponseMemory | undefined

/** Returns the only instance; creating one takes as long as scanning a page. */
export function responseMemory(): ResponseMemory {
  memory ??= new ResponseMemory()
  return memory
}

/**
 * The memory of the WebAssembly module. It holds the bytes of one response at address 0, so that positions in the
 * response are addresses; then the positions of its values; then the encoded rows. A response replaced by another is
 * loaded again on access.
 */
export class ResponseMemory {
  private readonly memory = new ModuleMemory()
  private held: ChunkedBuffer | undefined
  /** The source of the rows encoded last, which keeps its position in the columns. */
  private source:
    | {
        readonly values: ValuePositions | NativeValues
        readonly order: readonly number[]
        readonly rows: RowSource
      }
    | undefined

  /** Loads a response for scanning; returns false when there is not enough memory. */
  hold(body: ChunkedBuffer): boolean {
    const { memory } = this
    this.held = undefined
    this.source = undefined
    const end = body.length + END_BYTES
    if (end > PLACE || !memory.reserve(end)) return false
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

  /** Finds the values of `[[…], […]]`, which begins at `start`; undefined for unusual JSON. */
  scan(start: number): ValuePositions | undefined {
    const { memory } = this
    const { code, free: address } = memory
    if (code.scan(start, address) === 0) return undefined
    const [columns, rows] = [code.columns.value, code.rows.value]
    memory.allocateTo(address + columns * rows * PLACE_BYTES)
    memory.refresh()
    return { kind: 'json', columns, rows, start, end: code.end.value >>> 0, address }
  }

  /** Finds columns in the format Native at the end of the response; undefined when they are not readable. */
  locate(shape: NativeShape): NativeValues | undefined {
    return locateNative(this.memory, this.response.length, shape)
  }

  /** Returns the JSON of a value. */
  value(
    response: ScannedBody,
    { table, column, row }: Readonly<Record<'table' | 'column' | 'row', number>>,
  ): Buffer {
    this.recall(response)
    const { bytes } = this.memory
    const values = response.tables[table]!
    if (values.kind === 'native') {
      const { bytes: line } = this.lines(
        response,
        { table, order: [column], from: row, to: row + 1 },
        JSON_CELLS,
      )
      return Buffer.from(line.subarray(0, -LINE_END.length))
    }
    const place = values.address + (column * values.rows + row) * PLACE_BYTES
    const start = bytes.readUInt32LE(place) & PLACE
    const end = bytes.readUInt32LE(place + WORD_BYTES) & PLACE
    return Buffer.from(bytes.subarray(start, end))
  }

  /** Returns the JSON of the values in a row, one per column, with a character for each byte. */
  row(
    response: ScannedBody,
    { table, row }: Readonly<Record<'table' | 'row', number>>,
  ): readonly string[] {
    const { columns, kind } = response.tables[table]!
    const order = Array.from({ length: columns }, (_, column) => column)
    if (kind === 'json') {
      return order.map((column) => this.value(response, { table, column, row }).toString('latin1'))
    }
    // One line is encoded in the time of a cell. JSON contains no zeros.
    const encoding = { ...JSON_CELLS, keys: order.map(() => ZERO) }
    const { bytes } = this.lines(response, { table, order, from: row, to: row + 1 }, encoding)
    return bytes
      .toString('latin1', 0, bytes.length - LINE_END.length)
      .split('\0')
      .slice(1)
  }

  /** Encodes as many rows as fit into a piece, and at least one. Throws `RangeError` when a row exceeds the memory. */
  lines(
    response: ScannedBody,
    { table, order, from, to }: Values,
    encoding: LineEncoding,
  ): EncodedRows {
    this.recall(response)
    const values = response.tables[table]!
    if (this.source?.values !== values || this.source.order !== order) {
      const rows =
        values.kind === 'native'
          ? nativeSource(this.memory, values, order)
          : this.jsonSource(values, order)
      this.source = { values, order, rows }
    }
    return encodeRows(this.memory, this.source.rows, { from, to, encoding })
  }

  private jsonSource({ address, rows }: ValuePositions, order: readonly number[]): RowSource {
    const { memory } = this
    const { code, free: head } = memory
    const wide = order.length
    return {
      headBytes: wide * WORD_BYTES,
      writeHead: (at) => memory.writeNumbers(order, at),
      keys: (encoding) => (encoding.kind === 'ndjson' ? encoding.keys : []),
      encode({ head: at, range, keys }, encoding) {
        const run = [address, rows, at, wide, ...range]
        if (encoding.kind === 'ndjson') return code.encodeNdjson(...run, ...keys)
        const { delimiter, nullText, keepsQuotes } = encoding
        const characters = packCharacters(nullText)
        return code.encodeDelimited(...run, delimiter, ...characters, keepsQuotes ? 1 : 0)
      },
      longerRoom: (row) => 2 * (code.rowBytes(address, rows, head, wide, row) >>> 0) + 3 * wide + 2,
    }
  }

  private recall({ body, tables }: ScannedBody): void {
    if (this.held === body) return
    if (!this.hold(body)) throw new RangeError('The response is too long.')
    // Scanning the tables in the same order gives their positions the same addresses as before.
    for (const table of tables) {
      if (table.kind === 'native') this.locate(table)
      else if (table.columns > 0) this.scan(table.start)
    }
  }
}
