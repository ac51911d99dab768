import type { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import type { DelimitedEncoding, LineEncoding } from './line-encoding.js'
import { loadTransposer, type Transposer } from './transposer.js'

/** Takes the mark off a place. */
const PLACE = 0x7fff_ffff
const PLACE_BYTES = 8
const ADDRESS_BYTES = 4
const WASM_PAGE_BYTES = 1 << 16

/** Zeros behind an answer, by which the scan sees that it ends. */
const END_BYTES = 32
/** What copying may write behind the last row. */
const SPARE_BYTES = 16
/** Rows that are made and written at once. */
const PIECE_BYTES = 1 << 20

/** Where the values of a table are in the bytes of an answer. */
export interface ValuePositions {
  readonly columns: number
  readonly rows: number
  /** Where the columns begin, and the byte behind them. */
  readonly start: number
  readonly end: number
  /** Where in memory the places are. */
  readonly address: number
}

/** The bytes of an answer, and where the values of each table are. */
export interface ScannedBody {
  readonly body: ChunkedBuffer
  readonly tables: readonly ValuePositions[]
}

/** Which values to write: columns by their positions, and rows from the first to before the last. */
export interface Values {
  readonly table: number
  readonly order: readonly number[]
  readonly from: number
  readonly to: number
}

/** Lines that were made, and the row to go on from. */
export interface EncodedRows {
  readonly bytes: Buffer
  readonly next: number
}

let memory: ResponseMemory | undefined

/** The one that there is, since to make it takes as long as to scan a page. */
export function responseMemory(): ResponseMemory {
  memory ??= new ResponseMemory()
  return memory
}

/**
 * The memory of the compiled code. It has the bytes of one answer, from address 0 on, so that a place in the
 * answer is an address; then the places of its values; then what is made of them. An answer that was pushed
 * out by another is brought back when it is asked for.
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

  /** Takes in an answer, which then can be scanned; says no when there is no room for it. */
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

  /** The bytes of the answer, for the moment: they move when the memory grows. */
  get answer(): Buffer {
    return this.bytes.subarray(0, this.held?.length)
  }

  /** Finds the values of `[[…], […]]`, which begins at `start`; nothing when a service would not write it so. */
  scan(start: number): ValuePositions | undefined {
    const { code, free: address } = this
    if (code.scan(start, address) === 0) return undefined
    const [columns, rows] = [code.columns.value, code.rows.value]
    this.free = aligned(address + columns * rows * PLACE_BYTES)
    this.refresh()
    return { columns, rows, start, end: code.end.value >>> 0, address }
  }

  /** A value as it stands in the answer. */
  value(
    answer: ScannedBody,
    { table, column, row }: Readonly<Record<'table' | 'column' | 'row', number>>,
  ): Buffer {
    this.recall(answer)
    const { address, rows } = answer.tables[table]!
    const place = address + (column * rows + row) * PLACE_BYTES
    const start = this.bytes.readUInt32LE(place) & PLACE
    const end = this.bytes.readUInt32LE(place + ADDRESS_BYTES) & PLACE
    return Buffer.from(this.bytes.subarray(start, end))
  }

  /** As many rows as make a piece, and at least one. */
  lines(
    answer: ScannedBody,
    { table, order, from, to }: Values,
    encoding: LineEncoding,
  ): EncodedRows {
    this.recall(answer)
    this.encodeCell = encoding.encode
    const { code, free } = this
    const { address, rows } = answer.tables[table]!
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
          : code.encodeDelimited(...run, ...signsOf(encoding))
      if (next > from || from >= to) {
        return { bytes: Buffer.from(this.bytes.subarray(out, code.written.value >>> 0)), next }
      }
      const bytes = code.rowBytes(address, rows, free, wide, from) >>> 0
      room = 2 * bytes + keyBytes + 3 * wide + 2
    }
  }

  private recall({ body, tables: places }: ScannedBody): void {
    if (this.held === body) return
    if (!this.hold(body)) throw new RangeError('The answer is too long.')
    // In the same order, so that each place is where it was.
    for (const { start, columns } of places) if (columns > 0) this.scan(start)
  }

  /** The keys, behind a table of where each begins and ends. */
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

  /** Makes the memory at least so long; says no when there is no more. */
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

  /** Memory that has grown is another buffer. */
  private refresh(): void {
    const { buffer } = this.code.memory
    if (this.bytes.buffer !== buffer) this.bytes = Buffer.from(buffer)
  }
}

/** What the compiled code asks of a format, in its order. */
function signsOf({ delimiter, nothing, quotes }: DelimitedEncoding): readonly number[] {
  return [delimiter, ...packed(nothing), quotes ? 1 : 0]
}

/** Up to four characters as one number, and how many they are. */
function packed(text: string): readonly [number, number] {
  return [Buffer.from(text.padEnd(4)).readUInt32LE(), text.length]
}

function aligned(address: number): number {
  return Math.ceil(address / 16) * 16
}
