import type { NativeColumn } from '../../wire/native/native-block.js'
import type { LineEncoding } from './line-encoding.js'
import { aligned, type ModuleMemory } from './module-memory.js'

const WORD_BYTES = 4
const STATE_BYTES = 64
/** Bytes that copying may write after the last row. */
const SPARE_BYTES = 64
/** Size of the pieces in which rows are encoded. */
const PIECE_BYTES = 1 << 20

const FORMS = { csv: 0, tsv: 1, ndjson: 2 } as const

/** The columns of a table in memory. */
export interface TableColumns {
  readonly columns: number
  readonly rows: number
  /** The address of the states of the columns at their first rows, see `assembly/column.ts`. */
  readonly states: number
  /** The address of the state of the remainders, see `assembly/members.ts`; 0 without one. */
  readonly remainders: number
  /** The columns of a response in the format Native; undefined for members of remainders. */
  readonly native?: readonly (ValueColumn | undefined)[]
}

export interface ValueColumn extends NativeColumn {
  readonly isJson: boolean
}

/** Writes the states of columns, without zeros at their ends; returns their address. */
export function writeStates(memory: ModuleMemory, states: readonly (readonly number[])[]): number {
  const address = memory.allocate(states.length * STATE_BYTES)
  memory.bytes.fill(0, address, address + states.length * STATE_BYTES)
  for (const [i, state] of states.entries()) memory.writeNumbers(state, address + i * STATE_BYTES)
  return address
}

/** The values to encode: columns by index, in order, and rows from `from` up to `to`, which is excluded. */
export interface Values {
  readonly order: readonly number[]
  readonly from: number
  readonly to: number
}

/** Encoded lines, which are valid until other rows are encoded, and the first row not encoded. */
export interface EncodedRows {
  readonly bytes: Buffer
  readonly next: number
}

/**
 * Encodes rows: as many as fit into a piece, and at least one. The encoder advances copies of the states with each row; with
 * `isContinued`, the states of the last call are used. Throws `RangeError` when a row exceeds the memory.
 */
export function encodeRows(
  memory: ModuleMemory,
  { columns: { states, remainders }, order, from, to }: Values & { readonly columns: TableColumns },
  { encoding, isContinued }: { readonly encoding: LineEncoding; readonly isContinued: boolean },
): EncodedRows {
  memory.encodeCell = encoding.encode
  const { code, free: head } = memory
  const { keys, form } = encoding
  const keysAt = head + order.length * STATE_BYTES
  const keyBytes = Buffer.byteLength(keys.join(''))
  const out = aligned(keysAt + keys.length * 2 * WORD_BYTES + keyBytes)
  const nothing = Buffer.from(encoding.nullText.padEnd(4)).readUInt32LE()
  for (let room = PIECE_BYTES; ; room *= 2) {
    if (!memory.reserve(out + room + SPARE_BYTES)) throw new RangeError('A row is too long.')
    if (room === PIECE_BYTES) {
      if (!isContinued) copyStates(memory, { states, order, to: head })
      writeKeys(memory, keys, keysAt)
    }
    const next = code.encode(
      ...[head, order.length, remainders, from, to, out, out + room],
      ...[keysAt, keyBytes, nothing, encoding.nullText.length, FORMS[form]],
    )
    if (next > from || from >= to) {
      return { bytes: memory.bytes.subarray(out, code.written.value >>> 0), next }
    }
  }
}

function copyStates(
  { bytes }: ModuleMemory,
  { states, order, to }: { states: number; order: readonly number[]; to: number },
): void {
  for (const [i, column] of order.entries()) {
    const from = states + column * STATE_BYTES
    bytes.copyWithin(to + i * STATE_BYTES, from, from + STATE_BYTES)
  }
}

/** Writes the keys after a table of their starts and ends. */
function writeKeys(memory: ModuleMemory, keys: readonly string[], table: number): void {
  let at = table + keys.length * 2 * WORD_BYTES
  for (const [i, key] of keys.entries()) {
    const end = at + memory.bytes.write(key, at)
    memory.writeNumbers([at, end], table + 2 * i * WORD_BYTES)
    at = end
  }
}
