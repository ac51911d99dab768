import type { NativeShape } from '../../wire/http/native-result.js'
import type { MemberColumn } from '../../wire/native/member-column.js'
import { type NativeColumn, nativeColumns } from '../../wire/native/native-block.js'
import type { NativeType } from '../../wire/native/native-type.js'
import { type TableColumns, type ValueColumn, writeStates } from './encode-rows.js'
import type { ModuleMemory } from './module-memory.js'

/** Columns in the format Native at a position in a response. */
export interface PlacedShape extends NativeShape {
  readonly columns: number
  readonly start: number
}

const PLACE_BYTES = 8

/** The kinds of columns in `assembly/column.ts`. */
const KINDS: Readonly<Record<NativeType['kind'], number>> = {
  text: 0,
  signed: 3,
  unsigned: 4,
  bool: 5,
  time: 6,
  real: 7,
}
const JSON_TEXT = 1
const DOCUMENT = 2

/**
 * Finds the columns of a table at the end of a response of `length` bytes, and writes their states. Returns undefined when the
 * columns are not readable.
 */
export function locateNative(
  memory: ModuleMemory,
  length: number,
  shape: PlacedShape,
): TableColumns | undefined {
  const { code, bytes } = memory
  const { start: at, columns, rows, json, documents, members } = shape
  const count = members.length === 0 ? columns : columns - members.length + 1
  const whole = bytes.subarray(0, length)
  const found = nativeColumns(whole, { at, columns: count, rows }, (from, texts) => {
    const end = from > length ? 0 : code.textsEnd(from, texts, length) >>> 0
    return end === 0 ? undefined : end
  })
  if (found === undefined || found.end !== length) return undefined
  const last = members.length === 0 ? undefined : found.columns.at(-1)
  const remainders = last === undefined ? NO_REMAINDERS : remaindersIn(last, members, memory)
  if (remainders === undefined) return undefined
  const own = found.columns.values()
  const textKinds = new Map([
    ...json.map((i) => [i, JSON_TEXT] as const),
    ...documents.map((i) => [i, DOCUMENT] as const),
  ])
  const native: (ValueColumn | undefined)[] = []
  const states = Array.from({ length: columns }, (_, i) => {
    const place = remainders.places.get(i)
    if (place !== undefined) return [JSON_TEXT, 0, 0, 0, place]
    const column = own.next().value
    native[i] = column && { ...column, isJson: textKinds.has(i) }
    return column && stateOf(column, memory, textKinds.get(i))
  })
  const known = states.filter((state) => state !== undefined)
  if (known.length < columns) return undefined
  const { address } = remainders
  return { columns, rows, states: writeStates(memory, known), remainders: address, native }
}

/** The remainders of a table, and the addresses of the values of members in the current row, by column. */
interface Remainders {
  readonly address: number
  readonly places: ReadonlyMap<number, number>
}

const NO_REMAINDERS: Remainders = { address: 0, places: new Map() }

/** The bytes of `Members` and `Place` in `assembly/members.ts`. */
const MEMBERS_BYTES = 32
const MEMBER_BYTES = 40
const SLOT_BYTES = 4
/** The maximum length of a character of a key when it is written as an escape. */
const ESCAPE_BYTES = 6

/** A member of an event that has a value or contains such members, or the event itself. */
interface MemberPlace {
  readonly key: Buffer
  readonly parent: MemberPlace | undefined
  member?: MemberColumn
  hasMembers: boolean
}

/** Returns the place of a path, which is added to the places by path if it is missing, after the places that contain it. */
function placeOf(places: Map<string, MemberPlace>, path: readonly string[]): MemberPlace {
  const id = JSON.stringify(path)
  const known = places.get(id)
  if (known !== undefined) return known
  const parent = path.length === 0 ? undefined : placeOf(places, path.slice(0, -1))
  if (parent !== undefined) parent.hasMembers = true
  const place = { key: Buffer.from(path.at(-1) ?? ''), parent, hasMembers: false }
  places.set(id, place)
  return place
}

/** Writes the places of members, and the state of the column with the remainders; undefined when it is no such column. */
function remaindersIn(
  { type, values, nulls, dictionary }: NativeColumn,
  members: readonly MemberColumn[],
  memory: ModuleMemory,
): Remainders | undefined {
  if (type.kind !== 'text' || nulls !== undefined || dictionary !== undefined) return undefined
  const byPath = new Map<string, MemberPlace>()
  for (const member of members) placeOf(byPath, member.path).member = member
  const all = [...byPath.values()]
  const slots = 2 ** Math.ceil(Math.log2(2 * all.length))
  const keyBytes = ESCAPE_BYTES * Math.max(...all.map((one) => one.key.length))
  const table = memory.allocate(slots * SLOT_BYTES)
  const key = memory.allocate(keyBytes)
  const keys = memory.allocate(all.reduce((sum, one) => sum + one.key.length, 0))
  const first = memory.allocate(all.length * MEMBER_BYTES)
  const address = memory.allocate(MEMBERS_BYTES)
  memory.bytes.fill(0, table, table + slots * SLOT_BYTES)
  memory.writeNumbers([values, first, table, slots, key, keyBytes, 0, 0], address)
  const places = new Map(all.map((one, i) => [one, first + i * MEMBER_BYTES]))
  let keyAt = keys
  for (const [{ key: text, parent, member, hasMembers }, place] of places) {
    const flags = [member === undefined ? 0 : 1, member?.isNoObject ? 1 : 0, hasMembers ? 1 : 0]
    const up = parent === undefined ? 0 : places.get(parent)!
    memory.bytes.set(text, keyAt)
    memory.writeNumbers([0, 0, 0, 0, keyAt, text.length, up, ...flags], place)
    if (parent !== undefined) memory.code.addMember(address, place)
    keyAt += text.length
  }
  const columns = members.map(
    ({ column, path }) => [column, places.get(placeOf(byPath, path))!] as const,
  )
  return { address, places: new Map(columns) }
}

/** Returns the state of a column of JSON, with the address of the places of its values. */
export function jsonState(places: number): readonly number[] {
  return [JSON_TEXT, 0, 0, 4, places]
}

/** Returns the state of a column at its first row: the members of `Column` in `assembly/column.ts`. */
function stateOf(
  column: NativeColumn,
  memory: ModuleMemory,
  textKind = KINDS.text,
): readonly number[] {
  const { type, nulls = 0, values, dictionary } = column
  const kind = type.kind === 'text' ? textKind : KINDS[type.kind]
  if (dictionary === undefined) return [kind, nulls, values, type.width, 0, 0, values]
  const { texts, count, indexWidth } = dictionary
  const places = memory.allocate(count * PLACE_BYTES)
  memory.code.findTexts(texts, count, memory.bytes.length, places)
  return [kind, 0, values, indexWidth, places, type.isNullable ? 1 : 0]
}
