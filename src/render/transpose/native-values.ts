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
  /** The columns that are members of a map, which is the last column of the response, and their keys. */
  readonly members: readonly (readonly [column: number, key: number])[]
  readonly start: number
}

/** The columns of a table in the format Native. */
export interface NativeValues extends NativeShape {
  readonly kind: 'native'
  /** The address of the states of the columns at their first rows, see `assembly/column.ts`. */
  readonly address: number
  /** The address of the state of the map, see `assembly/members.ts`; 0 without one. */
  readonly map: number
}

/** The bytes of the state of a column. */
const STATE_BYTES = 64
const PLACE_BYTES = 8

const KINDS: Readonly<Record<Exclude<NativeType['kind'], 'members'>, number>> = {
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
  const keys = new Map(shape.members)
  const count = columns - keys.size + (keys.size > 0 ? 1 : 0)
  const whole = bytes.subarray(0, length)
  const found = nativeColumns(whole, { at, columns: count, rows }, (from, texts) => {
    const end = from > length ? 0 : code.textsEnd(from, texts, length) >>> 0
    return end === 0 ? undefined : end
  })
  if (found === undefined || found.end !== length) return undefined
  const map = keys.size > 0 ? mapIn(found.columns, [...keys.values()], memory) : NO_MAP
  const own = found.columns.values()
  const areJson = new Set(json)
  const states = Array.from({ length: columns }, (_, i) => {
    const key = keys.get(i)
    if (key !== undefined) return memberState(map, key)
    const column = own.next().value
    return column && stateOf(column, memory, areJson.has(i))
  })
  const address = memory.allocate(columns * STATE_BYTES)
  for (const [i, state] of states.entries()) {
    if (state === undefined) return undefined
    memory.writeNumbers(state, address + i * STATE_BYTES)
  }
  return { ...shape, kind: 'native', address, map: map.address }
}

/** The map of a table, and the addresses of the values of its members in the current row. */
interface MembersMap {
  readonly address: number
  readonly places: number
}

const NO_MAP: MembersMap = { address: 0, places: 0 }

const MAP_BYTES = 64
const MEMBER_BYTES = 16

/** Writes the state of the map, which is the last column: the members of `Members` in `assembly/members.ts`. */
function mapIn(
  columns: readonly NativeColumn[],
  keys: readonly number[],
  memory: ModuleMemory,
): MembersMap {
  const { members, values, nulls = 0 } = columns.at(-1) ?? {}
  if (members === undefined || values === undefined) return NO_MAP
  const most = Math.max(...keys)
  const bytes = (most + 1) * MEMBER_BYTES
  const places = memory.allocate(bytes)
  memory.bytes.fill(0, places, places + bytes)
  const address = memory.allocate(MAP_BYTES)
  memory.writeNumbers([members.ends, members.keys, nulls, values, places, most, 0, 0, 0], address)
  return { address, places }
}

/** Returns the state of a column that is a member of the map; undefined when there is no such map. */
function memberState({ places }: MembersMap, key: number): readonly number[] | undefined {
  if (places === 0) return undefined
  return padded([JSON_TEXT, 0, 0, 0, places + key * MEMBER_BYTES, 0, 0, 0])
}

/** Returns the state of a column at its first row: the members of `Column` in `assembly/column.ts`. Undefined for a map. */
function stateOf(
  column: NativeColumn,
  memory: ModuleMemory,
  isJson: boolean,
): readonly number[] | undefined {
  const { type, nulls = 0, values, dictionary } = column
  if (type.kind === 'members') return undefined
  const kind = isJson && type.kind === 'text' ? JSON_TEXT : KINDS[type.kind]
  if (dictionary === undefined) return padded([kind, nulls, values, type.width, 0, 0, values, 0])
  const { texts, count, indexWidth } = dictionary
  const places = memory.allocate(count * PLACE_BYTES)
  memory.code.findTexts(texts, count, memory.bytes.length, places)
  return padded([kind, 0, values, indexWidth, places, type.isNullable ? 1 : 0, 0, 0])
}

function padded(state: readonly number[]): readonly number[] {
  return [...state, ...Array.from({ length: STATE_BYTES / 4 - state.length }, () => 0)]
}

/** Returns the columns for encoding. Their states are copied once, and the encoder advances the copies with each row. */
export function nativeSource(
  memory: ModuleMemory,
  { address, map }: NativeValues,
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
      return code.encodeNative(head, states.length, map, ...range, ...keys, ...nothing, form)
    },
    longerRoom: (_row, room) => 2 * room,
  }
}

/** The bytes in front of each cell of a line. */
function delimiters({ delimiter }: DelimitedEncoding, columns: number): readonly Uint8Array[] {
  return Array.from({ length: columns }, (_, i) => Uint8Array.from(i === 0 ? [] : [delimiter]))
}
