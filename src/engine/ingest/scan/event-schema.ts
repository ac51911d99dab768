import { type FieldPath, pathKey } from '../../../wire/json/field-path.js'
import { POWER_BYTES, POWERS_ADDRESS } from './powers.js'
import { NATIVE_TYPE, type ScanColumn, shortString } from './scan-columns.js'
import { PLAIN } from './scan-schema.js'

/** More kinds and properties of slots, as bits in addition to `PLAIN`; `assembly/schema.ts` describes them. */
export const SLOT = { other: 512, map: 1024, repeated: 2048, onlyTime: 4096 } as const

/** The kinds of all values of a member that is not a group of fields. */
export const ANY_VALUE =
  PLAIN.string | PLAIN.int | PLAIN.long | PLAIN.real | PLAIN.bool | SLOT.other

/** The values that a dataset expects at a path. */
export interface EventLeaf {
  readonly path: FieldPath
  /** The kinds of values that its column holds, as bits. */
  readonly stored: number
  /** The kinds of values that belong to the remainder. */
  readonly rest: number
  readonly isMap: boolean
}

interface EventSchemaOptions {
  readonly leaves: readonly EventLeaf[]
  /** The paths at which the time of an event may be, in order of precedence: one or two. */
  readonly times: readonly FieldPath[]
  /** True when the time is not a field. */
  readonly isOnlyTime: boolean
  /** The keys of labels, which take precedence over members of events. */
  readonly labels: readonly string[]
  readonly columns: readonly ScanColumn[]
  /** True when members without a slot are not fields. */
  readonly isOpen: boolean
}

/** The columns of each event in front of those of fields: its time, the number of its line, and its remainder. */
export const EVENT_COLUMNS = [
  { name: 'time', type: "DateTime64(9, 'UTC')" },
  { name: 'row', type: 'UInt32' },
  { name: 'line', type: 'String' },
] as const

/** The types of columns in `assembly/columns.ts`. */
const EVENT_COLUMN_TYPES = [8, 1, 9]
const TYPES: Readonly<Record<ScanColumn['type'], number>> = { string: 2, int: 3, real: 4, bool: 5 }
/** The cells of these columns, and the first one of a value, as in `assembly/whole-event.ts`. */
const EVENT_CELLS = [32, 0, 24]
const FIRST_CELL = 40
const CELL_BYTES = 8
/** The start of this cell is always 0. */
const EMPTY_CELL = 12

export const SLOT_BYTES = 48
/** The offsets of fields in a slot. */
export const FIELD = { key: 0, keyLength: 4, kinds: 8, parent: 12, cell: 28, rest: 32, news: 36 }
export const NEWS_COUNT = 40
const TIME_ORDER = 44
const COLUMN_BYTES = 20
/** The scanner reads and copies up to this many bytes after a name. */
const SPARE_BYTES = 16

/** The address of the slots in the memory of the scanner. */
export const SLOTS_ADDRESS = POWERS_ADDRESS + POWER_BYTES

/** A member of events; `key` is as in JSON, without the opening quote. */
interface Slot {
  readonly path: FieldPath
  readonly key: Buffer
  readonly parent: number
  kinds: number
  rest: number
  cell: number
  timeOrder: number
}

/** The fields that a dataset expects, in the form in which the scanner reads them. */
export class EventSchema {
  /** The memory of the scanner from `SLOTS_ADDRESS` on: slots, their keys, columns. */
  readonly bytes: Buffer
  /** The paths of the slots. */
  readonly paths: readonly FieldPath[]
  readonly columns: readonly ScanColumn[]
  readonly columnsAddress: number
  /** The number of columns in a block. */
  readonly columnCount: number
  readonly rowBytes: number
  readonly isOpen: boolean

  /** Members whose keys need escapes get no slot: the scanner leaves events with them to other code. */
  constructor({ leaves, times, isOnlyTime, labels, columns, isOpen }: EventSchemaOptions) {
    const slots = new SlotTable()
    for (const { path, stored, rest, isMap } of leaves) {
      const slot = slots.at(path)
      if (slot === undefined) continue
      slot.kinds |= stored | (isMap ? SLOT.map : 0)
      slot.rest |= rest
    }
    if (isOpen) slots.keepGroupsInRest()
    for (const [i, path] of times.entries()) {
      const slot = slots.at(path)
      if (slot === undefined) continue
      slot.timeOrder = i + 1
      if (isOnlyTime) slot.kinds |= SLOT.onlyTime
    }
    for (const key of labels) {
      const slot = slots.at([key])
      if (slot !== undefined) slot.kinds |= SLOT.repeated
    }
    let rowBytes = FIRST_CELL
    const cells = columns.map(({ path }) => {
      const slot = slots.at(path)
      if (slot === undefined) return EMPTY_CELL
      slot.cell = rowBytes
      rowBytes += CELL_BYTES
      return slot.cell
    })
    const encoded = slots.encode()
    this.paths = slots.all.map(({ path }) => path)
    this.columns = columns
    this.columnsAddress = SLOTS_ADDRESS + encoded.length
    this.columnCount = EVENT_COLUMNS.length + columns.length
    this.rowBytes = rowBytes
    this.isOpen = isOpen
    this.bytes = Buffer.concat([encoded, encodeColumns(columns, cells, this.columnsAddress)])
  }
}

/** Returns the names and types of the columns in a block. */
export function blockColumns(
  columns: readonly ScanColumn[],
): readonly { readonly name: string; readonly type: string }[] {
  return [
    ...EVENT_COLUMNS,
    ...columns.map(({ type }, i) => ({ name: `c${i}`, type: NATIVE_TYPE[type] })),
  ]
}

class SlotTable {
  readonly all: Slot[] = [newSlot([], '', 0)]
  private readonly indexes = new Map([[pathKey([]), 0]])

  /** Returns the slot of a path, with those of the objects around it; undefined when one of its keys needs escapes. */
  at(path: FieldPath): Slot | undefined {
    if (!path.every(isWrittenAsIs)) return undefined
    for (const [depth, key] of path.entries()) {
      const place = pathKey(path.slice(0, depth + 1))
      if (this.indexes.has(place)) continue
      const parent = this.indexes.get(pathKey(path.slice(0, depth))) ?? 0
      this.all[parent]!.kinds |= PLAIN.object
      this.indexes.set(place, this.all.length)
      this.all.push(newSlot(path.slice(0, depth + 1), key, parent))
    }
    return this.all[this.indexes.get(pathKey(path)) ?? 0]
  }

  /** Values in place of objects are not fields. */
  keepGroupsInRest(): void {
    for (const slot of this.all)
      if ((slot.kinds & PLAIN.object) !== 0) slot.rest = ANY_VALUE & ~slot.kinds
  }

  encode(): Buffer {
    const keys = Buffer.concat([...this.all.map(({ key }) => key), Buffer.alloc(SPARE_BYTES)])
    const bytes = Buffer.alloc(this.all.length * SLOT_BYTES + keys.length)
    keys.copy(bytes, this.all.length * SLOT_BYTES)
    let keyAddress = SLOTS_ADDRESS + this.all.length * SLOT_BYTES
    for (const [i, { key, parent, kinds, rest, cell, timeOrder }] of this.all.entries()) {
      const put = (value: number, field: number): number =>
        bytes.writeUInt32LE(value, i * SLOT_BYTES + field)
      put(keyAddress, FIELD.key)
      put(key.length, FIELD.keyLength)
      put(kinds, FIELD.kinds)
      put(SLOTS_ADDRESS + parent * SLOT_BYTES, FIELD.parent)
      put(cell, FIELD.cell)
      put(rest, FIELD.rest)
      put(timeOrder, TIME_ORDER)
      keyAddress += key.length
    }
    return bytes
  }
}

function newSlot(path: FieldPath, key: string, parent: number): Slot {
  return { path, key: Buffer.from(`${key}"`), parent, kinds: 0, rest: 0, cell: 0, timeOrder: 0 }
}

/** True for a key that is its own JSON text, and that has one at all. */
function isWrittenAsIs(key: string): boolean {
  return key !== '' && JSON.stringify(key) === `"${key}"`
}

/** Returns the columns as `assembly/columns.ts` reads them at an address. */
function encodeColumns(
  columns: readonly ScanColumn[],
  cells: readonly number[],
  address: number,
): Buffer {
  const types = [...EVENT_COLUMN_TYPES, ...columns.map(({ type }) => TYPES[type])]
  const places = [...EVENT_CELLS, ...cells]
  const headers = blockColumns(columns).map(({ name, type }) =>
    Buffer.concat([shortString(name), shortString(type)]),
  )
  const table = Buffer.alloc(headers.length * COLUMN_BYTES)
  let headerAddress = address + table.length
  for (const [i, header] of headers.entries()) {
    const fields = [
      types[i] ?? 0,
      places[i] ?? EMPTY_CELL,
      EMPTY_CELL,
      headerAddress,
      header.length,
    ]
    for (const [field, value] of fields.entries()) {
      table.writeUInt32LE(value, i * COLUMN_BYTES + field * 4)
    }
    headerAddress += header.length
  }
  return Buffer.concat([table, ...headers, Buffer.alloc(SPARE_BYTES)])
}
