import { type FieldPath, fieldName, pathKey } from '../../../wire/json/field-path.js'
import { KIND } from '../../../wire/json/kinds.js'
import {
  CELL_BYTES,
  EMPTY_CELL,
  encodeColumns,
  FIRST_CELL,
  type LeadingColumn,
  type ScanColumn,
  STORED_COLUMNS,
} from './scan-columns.js'

/**
 * The kinds of values and the properties of slots, as bits; `assembly/schema.ts` describes them. A `long` is not an `int` here; numbers
 * that may lose digits when they are stored have no kind.
 */
export const SLOT = { ...KIND, null: 256, object: 512, repeated: 1024, onlyTime: 2048 } as const

/** The kinds of all values of a member that is not a group of fields. */
export const ANY_VALUE =
  SLOT.string | SLOT.int | SLOT.long | SLOT.real | SLOT.bool | SLOT.array | SLOT.other

/** The values that a dataset expects at a path. */
export interface EventLeaf {
  readonly path: FieldPath
  /** The kinds of values that its column holds, as bits. */
  readonly stored: number
  /** The kinds of values that belong to the remainder. */
  readonly rest: number
  readonly isMap: boolean
}

/** A path at which the time of an event may be. */
interface TimePath {
  readonly path: FieldPath
  /** False when its values are times and nothing else. */
  readonly isField: boolean
}

/**
 * The treatment of members without a leaf. They belong to the remainder, and are noted unless they are only kept; or they are skipped,
 * except members that may be one of the used fields.
 */
type OtherMembers =
  | { readonly kind: 'noted' }
  | { readonly kind: 'kept' }
  | { readonly kind: 'skipped'; readonly used: readonly string[] }

/** The expected events: plain data, which can be posted to other threads. */
export interface EventTerms {
  readonly leaves: readonly EventLeaf[]
  /** In order of precedence: one or two. */
  readonly times: readonly TimePath[]
  /** The keys of labels, which take precedence over members of events. */
  readonly labels?: readonly string[]
  readonly columns: readonly ScanColumn[]
  /** The columns in front of them. */
  readonly leading?: readonly LeadingColumn[]
  readonly others: OtherMembers
}

/** The numbers in `assembly/event.ts`. */
const OTHERS: Readonly<Record<OtherMembers['kind'], number>> = { noted: 0, kept: 1, skipped: 2 }

/** The address of the slots in the memory of the scanner, whose own data is in front of it. */
export const SLOTS_ADDRESS = 1 << 24
export const SLOT_BYTES = 48
export const FIELD = { key: 0, keyLength: 4, kinds: 8, parent: 12, cell: 28, rest: 32, news: 36 }
export const NEWS_COUNT = 40
const TIME_ORDER = 44
/** The scanner reads up to this many bytes after a key. */
const SPARE_BYTES = 16

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

/** The fields that are expected, in the form in which the scanner reads them. */
export class EventSchema {
  /** The memory of the scanner from `SLOTS_ADDRESS` on: slots, their keys, columns. */
  readonly bytes: Buffer
  readonly paths: readonly FieldPath[]
  readonly columnsAddress: number
  readonly columnCount: number
  readonly rowBytes: number
  /** The number of what happens to members without a slot. */
  readonly others: number
  /** The names of the fields for which a member without a slot is not skipped. */
  private readonly used: readonly string[]

  /** Members whose keys are empty or have control characters get no slot: the scanner leaves events with them to other code. */
  constructor(terms: EventTerms) {
    const { leaves, times, labels = [], columns, leading = STORED_COLUMNS, others } = terms
    const slots = new SlotTable()
    for (const { path, stored, rest, isMap } of leaves) {
      const slot = slots.at(path)
      if (slot === undefined) continue
      slot.kinds |= stored | (isMap ? SLOT.map : 0)
      slot.rest |= rest
    }
    if (others.kind === 'kept') slots.keepGroupsInRest()
    for (const [i, { path, isField }] of times.entries()) {
      const slot = slots.at(path)
      if (slot === undefined) continue
      slot.timeOrder = i + 1
      if (!isField) slot.kinds |= SLOT.onlyTime
    }
    for (const key of labels) {
      const slot = slots.at([key])
      if (slot !== undefined) slot.kinds |= SLOT.repeated
    }
    let rowBytes = FIRST_CELL
    const placed = columns.map((column) => {
      const slot = slots.at(column.path)
      if (slot === undefined) return { ...column, cell: EMPTY_CELL }
      slot.cell = rowBytes
      rowBytes += CELL_BYTES
      return { ...column, cell: slot.cell }
    })
    const encoded = slots.encode()
    this.paths = slots.all.map(({ path }) => path)
    this.columnsAddress = SLOTS_ADDRESS + encoded.length
    this.columnCount = leading.length + columns.length
    this.rowBytes = rowBytes
    this.others = OTHERS[others.kind]
    this.used = others.kind === 'skipped' ? others.used : []
    const described = encodeColumns(placed, leading, this.columnsAddress)
    this.bytes = Buffer.concat([encoded, described])
  }

  /** True for a path without a slot whose values are not wanted. */
  skips(path: FieldPath): boolean {
    return !mayBeUsed(path, this.used)
  }
}

class SlotTable {
  readonly all: Slot[] = [newSlot([], '', 0)]
  private readonly indexes = new Map([[pathKey([]), 0]])

  /** Returns the slot of a path, with the slots of the objects around it; undefined when one of its keys can't have a slot. */
  at(path: FieldPath): Slot | undefined {
    if (!path.every(isScanned)) return undefined
    for (const [depth, key] of path.entries()) {
      const place = pathKey(path.slice(0, depth + 1))
      if (this.indexes.has(place)) continue
      const parent = this.indexes.get(pathKey(path.slice(0, depth))) ?? 0
      this.all[parent]!.kinds |= SLOT.object
      this.indexes.set(place, this.all.length)
      this.all.push(newSlot(path.slice(0, depth + 1), key, parent))
    }
    return this.all[this.indexes.get(pathKey(path)) ?? 0]
  }

  /** Values in place of objects are not fields. */
  keepGroupsInRest(): void {
    for (const slot of this.all)
      if ((slot.kinds & SLOT.object) !== 0) slot.rest = ANY_VALUE & ~slot.kinds
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
  return {
    path,
    key: Buffer.from(JSON.stringify(key).slice(1)),
    parent,
    kinds: 0,
    rest: 0,
    cell: 0,
    timeOrder: 0,
  }
}

/** True when a member at a path may be one of the fields with these names, be inside one, or hold one. */
export function mayBeUsed(path: FieldPath, names: readonly string[]): boolean {
  const name = fieldName(path)
  return names.some(
    (used) => used === name || used.startsWith(`${name}.`) || name.startsWith(`${used}.`),
  )
}

/** True for a key that a slot can have. */
export function isScanned(key: string): boolean {
  return key !== '' && Array.from(key).every((character) => character >= ' ')
}
