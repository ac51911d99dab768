import type { LineEncoding } from './line-encoding.js'
import { aligned, type ModuleMemory } from './module-memory.js'

const WORD_BYTES = 4
/** Bytes that copying may write after the last row. */
const SPARE_BYTES = 64
/** Size of the pieces in which rows are encoded. */
const PIECE_BYTES = 1 << 20

/** Encoded lines, which are valid until other rows are encoded, and the first row not encoded. */
export interface EncodedRows {
  readonly bytes: Buffer
  readonly next: number
}

export interface RowSource {
  /** The size of the head, which describes the columns to the encoder. */
  readonly headBytes: number
  /** Writes the head to an address. */
  writeHead(address: number): void
  /** Returns the bytes in front of the cell of each column; empty when the encoder writes them itself. */
  keys(encoding: LineEncoding): readonly Uint8Array[]
  /** Encodes rows; returns the first row not encoded. */
  encode(run: EncoderRun, encoding: LineEncoding): number
  /** Returns the room for a row that did not fit into `room` bytes. */
  longerRoom(row: number, room: number): number
}

/** The rows to encode, and the addresses for an encoder. */
export interface EncoderRun {
  readonly head: number
  /** The first row and the row to stop at, and the addresses where the output starts and must end. */
  readonly range: readonly [from: number, to: number, out: number, end: number]
  /** The address of the table of keys, and the total size of the keys. */
  readonly keys: readonly [address: number, bytes: number]
}

/**
 * Encodes rows from `from` up to `to`, which is excluded: as many as fit into a piece, and at least one. Throws `RangeError`
 * when a row exceeds the memory.
 */
export function encodeRows(
  memory: ModuleMemory,
  source: RowSource,
  { from, to, encoding }: { from: number; to: number; encoding: LineEncoding },
): EncodedRows {
  memory.encodeCell = encoding.encode
  const { code, free: head } = memory
  const keys = source.keys(encoding)
  const keysAt = aligned(head + source.headBytes)
  const keyBytes = keys.reduce((sum, { length }) => sum + length, 0)
  const out = aligned(keysAt + keys.length * 2 * WORD_BYTES + keyBytes)
  let room = PIECE_BYTES
  for (;;) {
    if (!memory.reserve(out + room + SPARE_BYTES)) throw new RangeError('A row is too long.')
    source.writeHead(head)
    writeKeys(memory, keys, keysAt)
    const range = [from, to, out, out + room] as const
    const next = source.encode({ head, range, keys: [keysAt, keyBytes] }, encoding)
    if (next > from || from >= to) {
      return { bytes: memory.bytes.subarray(out, code.written.value >>> 0), next }
    }
    room = source.longerRoom(from, room) + keyBytes
  }
}

/** Writes the keys after a table of their starts and ends. */
function writeKeys(memory: ModuleMemory, keys: readonly Uint8Array[], table: number): void {
  let at = table + keys.length * 2 * WORD_BYTES
  for (const [i, key] of keys.entries()) {
    memory.bytes.set(key, at)
    memory.writeNumbers([at, at + key.length], table + 2 * i * WORD_BYTES)
    at += key.length
  }
}

/** Returns up to four characters as a number, and their count. */
export function packCharacters(text: string): readonly [number, number] {
  return [Buffer.from(text.padEnd(4)).readUInt32LE(), text.length]
}
