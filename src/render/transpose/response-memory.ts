import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import type { DelimitedEncoding, LineEncoding } from './line-encoding.js'
import { loadTransposer, type Transposer } from './transposer.js'

/** Mask that removes the flag from a position. */
const PLACE = 0x7fff_ffff
const PLACE_BYTES = 8
const ADDRESS_BYTES = 4
const WASM_PAGE_BYTES = 1 << 16

/** Zeros after a response, which end the scan. */
const END_BYTES = 32
/** Bytes that copying may write after the last row. */
const SPARE_BYTES = 16
/** Size of the pieces in which rows are encoded. */
const PIECE_BYTES = 1 << 20

/** The positions of a table's values in the bytes of a response. */
export interface ValuePositions {
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
  readonly tables: readonly ValuePositions[]
}

/** The values to encode: columns by index, in order, and rows from `from` up to `to`, which is excluded. */
interface Values {
  readonly table: number
  readonly order: readonly number[]
  readonly from: number
  readonly to: number
}

/** Encoded lines, and the first row not encoded. */
interface EncodedRows {
  readonly bytes: Buffer
  readonly next: number
}

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
  private readonly code: Transposer
  private bytes: Buffer
  private held: ChunkedBuffer | undefined
  private free = 0
  private encodeCell: (cell: string) => string = String

  constructor() {
    this.code = loadTransposer((start, end, out) => {
      const { bytes } = this
      return bytes.write(this.encodeCell(bytes.toString('utf8', start, end)), out)
    })
    this.bytes = Buffer.from(this.code.memory.buffer)
  }

  /** Loads a response for scanning; returns false when there is not enough memory. */
  hold(body: ChunkedBuffer): boolean {
    this.held = undefined
    const end = body.length + END_BYTES
    if (end > PLACE || !this.reserve(end)) return false
    body.copyTo(this.bytes)
    this.bytes.fill(0, body.length, end)
    this.held = body
    this.free = aligned(end)
    return true
  }

  /** The bytes of the response; invalid after the memory grows. */
  get response(): Buffer {
    return this.bytes.subarray(0, this.held?.length)
  }

  /** Finds the values of `[[…], […]]`, which begins at `start`; undefined for unusual JSON. */
  scan(start: number): ValuePositions | undefined {
    const { code, free: address } = this
    if (code.scan(start, address) === 0) return undefined
    const [columns, rows] = [code.columns.value, code.rows.value]
    this.free = aligned(address + columns * rows * PLACE_BYTES)
    this.refresh()
    return { columns, rows, start, end: code.end.value >>> 0, address }
  }

  /** Returns the JSON of a value. */
  value(
    response: ScannedBody,
    { table, column, row }: Readonly<Record<'table' | 'column' | 'row', number>>,
  ): Buffer {
    this.recall(response)
    const { address, rows } = response.tables[table]!
    const place = address + (column * rows + row) * PLACE_BYTES
    const start = this.bytes.readUInt32LE(place) & PLACE
    const end = this.bytes.readUInt32LE(place + ADDRESS_BYTES) & PLACE
    return Buffer.from(this.bytes.subarray(start, end))
  }

  /** Encodes as many rows as fit into a piece, and at least one. Throws `RangeError` when a row exceeds the memory. */
  lines(
    response: ScannedBody,
    { table, order, from, to }: Values,
    encoding: LineEncoding,
  ): EncodedRows {
    this.recall(response)
    this.encodeCell = encoding.encode
    const { code, free } = this
    const { address, rows } = response.tables[table]!
    const wide = order.length
    const keys = encoding.kind === 'ndjson' ? encoding.keys : []
    const keysAt = free + wide * ADDRESS_BYTES
    const keyBytes = keys.reduce((sum, { length }) => sum + length, 0)
    const out = aligned(keysAt + keys.length * 2 * ADDRESS_BYTES + keyBytes)
    let room = PIECE_BYTES
    for (;;) {
      if (!this.reserve(out + room + SPARE_BYTES)) throw new RangeError('A row is too long.')
      this.writeNumbers(order, free)
      this.writeKeys(keys, keysAt)
      const run = [address, rows, free, wide, from, to, out, out + room] as const
      const next =
        encoding.kind === 'ndjson'
          ? code.encodeNdjson(...run, keysAt, keyBytes)
          : code.encodeDelimited(...run, ...delimitedParameters(encoding))
      if (next > from || from >= to) {
        return { bytes: Buffer.from(this.bytes.subarray(out, code.written.value >>> 0)), next }
      }
      const bytes = code.rowBytes(address, rows, free, wide, from) >>> 0
      room = 2 * bytes + keyBytes + 3 * wide + 2
    }
  }

  private recall({ body, tables }: ScannedBody): void {
    if (this.held === body) return
    if (!this.hold(body)) throw new RangeError('The response is too long.')
    // In the same order, so that the positions have the same addresses.
    for (const { start, columns } of tables) if (columns > 0) this.scan(start)
  }

  /** Writes the keys after a table of their starts and ends. */
  private writeKeys(keys: readonly Uint8Array[], table: number): void {
    let at = table + keys.length * 2 * ADDRESS_BYTES
    for (const [i, key] of keys.entries()) {
      this.bytes.set(key, at)
      this.writeNumbers([at, at + key.length], table + 2 * i * ADDRESS_BYTES)
      at += key.length
    }
  }

  private writeNumbers(numbers: readonly number[], address: number): void {
    for (const [i, number] of numbers.entries()) {
      this.bytes.writeUInt32LE(number, address + i * ADDRESS_BYTES)
    }
  }

  /** Grows the memory to at least this size; returns false when it cannot grow. */
  private reserve(bytes: number): boolean {
    const { memory } = this.code
    const missing = bytes - memory.buffer.byteLength
    if (missing > 0) {
      try {
        memory.grow(Math.ceil(missing / WASM_PAGE_BYTES))
      } catch {
        return false
      }
    }
    this.refresh()
    return true
  }

  /** Growing replaces the buffer of the memory. */
  private refresh(): void {
    const { buffer } = this.code.memory
    if (this.bytes.buffer !== buffer) this.bytes = Buffer.from(buffer)
  }
}

/** The parameters of a format, in the order of `encodeDelimited`. */
function delimitedParameters({
  delimiter,
  nullText: nothing,
  keepsQuotes: quotes,
}: DelimitedEncoding): readonly number[] {
  return [delimiter, ...packCharacters(nothing), quotes ? 1 : 0]
}

/** Returns up to four characters as a number, and their count. */
function packCharacters(text: string): readonly [number, number] {
  return [Buffer.from(text.padEnd(4)).readUInt32LE(), text.length]
}

function aligned(address: number): number {
  return Math.ceil(address / 16) * 16
}
