import { type NativeColumn, nativeColumns } from '../../wire/native/native-block.js'
import type { NativeType } from '../../wire/native/native-type.js'
import { packCharacters, type RowSource } from './encode-rows.js'
import type { DelimitedEncoding } from './line-encoding.js'
import type { ModuleMemory } from './module-memory.js'

/** Columns in the format Native at a position in a response. */
export interface NativeShape {
  readonly columns: number
  readonly rows: number
  /** The indices of columns whose texts are JSON. */
  readonly json: readonly number[]
  readonly start: number
}

/** The columns of a table in the format Native. */
export interface NativeValues extends NativeShape {
  readonly kind: 'native'
  /** The address of the states of the columns at their first rows, see `assembly/column.ts`. */
  readonly address: number
}

/** The bytes of the state of a column. */
const STATE_BYTES = 64
const PLACE_BYTES = 8

const KINDS: Readonly<Record<NativeType['kind'], number>> = {
  text: 0,
  signed: 2,
  unsigned: 3,
  bool: 4,
  time: 5,
}
const JSON_TEXT = 1

const FORMS = { csv: 0, tsv: 1, ndjson: 2 } as const

/**
 * Finds the columns of a table at the end of a response of `length` bytes, and writes their states. Returns undefined when the
 * columns are not readable.
 */
export function locateNative(
  memory: ModuleMemory,
  length: number,
  shape: NativeShape,
): NativeValues | undefined {
  const { code, bytes } = memory
  const { start: at, columns, rows, json } = shape
  const found = nativeColumns(bytes.subarray(0, length), { at, columns, rows }, (from, count) => {
    const end = from > length ? 0 : code.textsEnd(from, count, length) >>> 0
    return end === 0 ? undefined : end
  })
  if (found === undefined || found.end !== length) return undefined
  const states = found.columns.map((column, i) => stateOf(column, memory, json.includes(i)))
  const address = memory.allocate(columns * STATE_BYTES)
  for (const [i, state] of states.entries()) memory.writeNumbers(state, address + i * STATE_BYTES)
  return { ...shape, kind: 'native', address }
}

/** Returns the state of a column at its first row: the members of `Column` in `assembly/column.ts`. */
function stateOf(column: NativeColumn, memory: ModuleMemory, isJson: boolean): readonly number[] {
  const { type, nulls = 0, values, dictionary } = column
  const kind = isJson && type.kind === 'text' ? JSON_TEXT : KINDS[type.kind]
  const rest = Array.from({ length: STATE_BYTES / 4 - 8 }, () => 0)
  if (dictionary === undefined) return [kind, nulls, values, type.width, 0, 0, values, 0, ...rest]
  const { texts, count, indexWidth } = dictionary
  const places = memory.allocate(count * PLACE_BYTES)
  memory.code.findTexts(texts, count, memory.bytes.length, places)
  return [kind, 0, values, indexWidth, places, type.isNullable ? 1 : 0, 0, 0, ...rest]
}

/** Returns the columns for encoding. Their states are copied once, and the encoder advances the copies with each row. */
export function nativeSource(
  memory: ModuleMemory,
  { address }: NativeValues,
  order: readonly number[],
): RowSource {
  const { code } = memory
  const states = order.map((column) => {
    const at = address + column * STATE_BYTES
    return Buffer.from(memory.bytes.subarray(at, at + STATE_BYTES))
  })
  let isWritten = false
  return {
    headBytes: states.length * STATE_BYTES,
    writeHead(at) {
      if (!isWritten)
        for (const [i, state] of states.entries()) memory.bytes.set(state, at + i * STATE_BYTES)
      isWritten = true
    },
    keys: (encoding) =>
      encoding.kind === 'ndjson' ? encoding.keys : delimiters(encoding, states.length),
    encode({ head, range, keys }, encoding) {
      const isJson = encoding.kind === 'ndjson'
      const form = isJson ? FORMS.ndjson : encoding.keepsQuotes ? FORMS.csv : FORMS.tsv
      const nothing = packCharacters(isJson ? 'null' : encoding.nullText)
      return code.encodeNative(head, states.length, ...range, ...keys, ...nothing, form)
    },
    longerRoom: (_row, room) => 2 * room,
  }
}

/** The bytes in front of each cell of a line. */
function delimiters({ delimiter }: DelimitedEncoding, columns: number): readonly Uint8Array[] {
  return Array.from({ length: columns }, (_, i) => Uint8Array.from(i === 0 ? [] : [delimiter]))
}
