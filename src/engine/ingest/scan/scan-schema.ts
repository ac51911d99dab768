import { type FieldPath, pathKey } from '../../../wire/json/field-path.js'
import { POWER_BYTES, POWERS_ADDRESS } from './powers.js'
import {
  CELL_BYTES,
  EMPTY_CELL,
  encodeColumns,
  FIRST_CELL,
  LEADING,
  MAX_COLUMNS,
  type ScanColumn,
  type ScanColumns,
  TEXT_CELL,
} from './scan-columns.js'

/**
 * The kinds of values in plain events, as bits. `long` is an integer of more than 15 digits; numbers that may lose digits
 * when they are stored have no kind.
 */
export const PLAIN = {
  string: 1,
  int: 2,
  long: 4,
  real: 8,
  bool: 16,
  null: 32,
  object: 64,
  /** In addition to other kinds: the value is the time of the event. */
  time: 128,
  /** Any valid value, which is skipped. */
  any: 256,
} as const

/** The kinds of values that may occur at a path of plain events. */
export interface PlainLeaf {
  readonly path: FieldPath
  /** A set of bits of `PLAIN`, without `object`. */
  readonly kinds: number
  /** True when the value is read from the text of the event, which is then written to the column `line`. */
  readonly isInText?: boolean
}

/** Members without a slot are skipped, except those in whose object the key begins with a text. */
export interface SkippedMembers {
  readonly prefixes: readonly KeyPrefix[]
}

/** A beginning of keys in an object, which is at a path with a slot. */
export interface KeyPrefix {
  readonly object: FieldPath
  readonly text: string
}

const VALUES = PLAIN.string | PLAIN.int | PLAIN.long | PLAIN.real | PLAIN.bool

/** The address of a schema in the memory of the scanner. */
export const SCHEMA_ADDRESS = POWERS_ADDRESS + POWER_BYTES
const SLOT_BYTES = 48
/** The offset of the cell of a slot. */
const CELL_FIELD = 28
/** The scanner reads up to this many bytes after a key. */
const SPARE_BYTES = 16

const PREFIX_BYTES = 12

/** A member of the events that a scanner examines; `key` is as in JSON, without the opening quote. */
interface Slot {
  readonly key: Buffer
  readonly parent: number
  kinds: number
  cell: number
}

/** Columns in the memory of the scanner. */
interface ColumnOutput {
  readonly address: number
  /** The number of columns, with those of the time and of the line. */
  readonly count: number
  /** The wanted columns in which events can have values; in those left out, all are null. */
  readonly columns: readonly ScanColumn[]
  readonly rowBytes: number
}

/** The output of a scanner that only examines events. */
export const NO_OUTPUT: ColumnOutput = { address: 0, count: 0, columns: [], rowBytes: FIRST_CELL }

/** The paths of plain events in the form in which the scanner reads them. */
export class ScanSchema {
  /** The memory of the scanner from `SCHEMA_ADDRESS` on; `assembly/schema.ts` and `assembly/columns.ts` describe it. */
  readonly bytes: Buffer
  readonly slots: number
  /** The columns in which the scanner can write events; missing when none are wanted, or too many. */
  readonly output?: ColumnOutput
  /** The beginnings of keys whose members are not skipped; missing when none are. */
  readonly others?: { readonly address: number; readonly count: number }

  /** Leaves with keys that need escapes are left out, and those inside others: no event with them is plain. */
  constructor(leaves: readonly PlainLeaf[], wanted?: ScanColumns, skipped?: SkippedMembers) {
    // An object may be missing where others are skipped.
    const object = PLAIN.object | (skipped === undefined ? 0 : PLAIN.null)
    const slots: Slot[] = [{ key: Buffer.alloc(0), parent: 0, kinds: object, cell: 0 }]
    const indexes = new Map([[pathKey([]), 0]])
    const conflicting = conflictingKeys(leaves)
    for (const { path, kinds, isInText } of leaves) {
      if (!path.every(isWrittenAsIs) || conflicting.has(pathKey(path))) continue
      for (const [depth, key] of path.entries()) {
        const parent = indexes.get(pathKey(path.slice(0, depth))) ?? 0
        const place = pathKey(path.slice(0, depth + 1))
        if (indexes.has(place)) continue
        indexes.set(place, slots.length)
        slots.push({ key: Buffer.from(`${key}"`), parent, kinds: object, cell: 0 })
      }
      const slot = slots[indexes.get(pathKey(path)) ?? -1]
      if (slot === undefined) continue
      slot.kinds = kinds
      if (isInText) slot.cell = TEXT_CELL
    }
    this.slots = slots.length
    const slotAt = (path: FieldPath) => indexes.get(pathKey(path)) ?? -1
    const place = new CellPlacement((path) => slots[slotAt(path)])
    const columns = wanted?.columns.filter(({ path }) => place.has(path)) ?? []
    if (wanted === undefined || columns.length > MAX_COLUMNS) {
      this.bytes = encodeSlots(slots)
      return
    }
    const { leading = LEADING } = wanted
    const times = wanted.times.map((path) => place.cell(path))
    const placed = columns.map((column) => ({ ...column, cell: place.cell(column.path) }))
    const encoded = encodeSlots(slots)
    const address = SCHEMA_ADDRESS + encoded.length
    const described = encodeColumns({ times, columns: placed, leading, address })
    const count = columns.length + leading.length
    this.output = { address, count, columns, rowBytes: place.rowBytes }
    this.bytes = Buffer.concat([encoded, described])
    if (skipped === undefined) return
    const { prefixes } = skipped
    const others = { address: SCHEMA_ADDRESS + this.bytes.length, count: prefixes.length }
    const objects = prefixes.map(({ object }) => SCHEMA_ADDRESS + slotAt(object) * SLOT_BYTES)
    this.bytes = Buffer.concat([this.bytes, encodePrefixes(prefixes, objects, others.address)])
    this.others = others
  }
}

/** Gives each slot whose values are wanted a cell in the rows of the scanner. */
class CellPlacement {
  rowBytes = FIRST_CELL
  private readonly slotOf: (path: FieldPath) => Slot | undefined

  constructor(slotOf: (path: FieldPath) => Slot | undefined) {
    this.slotOf = slotOf
  }

  /** True when events may have other values than null at a path. */
  has(path: FieldPath): boolean {
    return ((this.slotOf(path)?.kinds ?? 0) & VALUES) !== 0
  }

  cell(path: FieldPath): number {
    const slot = this.slotOf(path)
    if (slot === undefined || !this.has(path)) return EMPTY_CELL
    if (slot.cell === 0) {
      slot.cell = this.rowBytes
      this.rowBytes += CELL_BYTES
    }
    return slot.cell
  }
}

/** True for a key that is its own JSON text, and that has one at all. */
function isWrittenAsIs(key: string): boolean {
  return key !== '' && JSON.stringify(key) === `"${key}"`
}

/** Returns the keys of leaves that are inside others, and of those others: they are objects only in some events. */
function conflictingKeys(leaves: readonly PlainLeaf[]): ReadonlySet<string> {
  const keys = new Set(leaves.map(({ path }) => pathKey(path)))
  return new Set(
    leaves.flatMap(({ path }) => {
      const outer = path.slice(1).map((_, depth) => pathKey(path.slice(0, depth + 1)))
      const found = outer.filter((key) => keys.has(key))
      return found.length > 0 ? [...found, pathKey(path)] : []
    }),
  )
}

function encodeSlots(slots: readonly Slot[]): Buffer {
  const keys = Buffer.concat([...slots.map(({ key }) => key), Buffer.alloc(SPARE_BYTES)])
  const bytes = Buffer.alloc(slots.length * SLOT_BYTES + keys.length)
  keys.copy(bytes, slots.length * SLOT_BYTES)
  let keyAddress = SCHEMA_ADDRESS + slots.length * SLOT_BYTES
  for (const [i, { key, parent, kinds, cell }] of slots.entries()) {
    const fields = [keyAddress, key.length, kinds, SCHEMA_ADDRESS + parent * SLOT_BYTES]
    for (const [field, value] of fields.entries()) {
      bytes.writeUInt32LE(value, i * SLOT_BYTES + field * 4)
    }
    bytes.writeUInt32LE(cell, i * SLOT_BYTES + CELL_FIELD)
    keyAddress += key.length
  }
  return bytes
}

function encodePrefixes(
  prefixes: readonly KeyPrefix[],
  objects: readonly number[],
  address: number,
): Buffer {
  const texts = prefixes.map(({ text }) => Buffer.from(text))
  const table = Buffer.alloc(prefixes.length * PREFIX_BYTES)
  let textAddress = address + table.length
  for (const [i, text] of texts.entries()) {
    for (const [field, value] of [objects[i] ?? 0, textAddress, text.length].entries()) {
      table.writeUInt32LE(value, i * PREFIX_BYTES + field * 4)
    }
    textAddress += text.length
  }
  return Buffer.concat([table, ...texts, Buffer.alloc(SPARE_BYTES)])
}
