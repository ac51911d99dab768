import { type FieldPath, pathKey } from '../../../wire/json/field-path.js'

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
} as const

/** The kinds of values that may occur at a path of plain events. */
export interface PlainLeaf {
  readonly path: FieldPath
  /** A set of bits of `PLAIN`, without `object`. */
  readonly kinds: number
}

/** The address of a schema in the memory of the scanner. */
export const SCHEMA_ADDRESS = 64
const SLOT_BYTES = 32
/** The scanner reads up to this many bytes after a key. */
const SPARE_BYTES = 16

/** A member of the events that a scanner examines; `key` is as in JSON, without the opening quote. */
interface Slot {
  readonly key: Buffer
  readonly parent: number
  kinds: number
}

/** The paths of plain events in the form in which the scanner reads them. */
export class ScanSchema {
  /** The memory of the scanner from `SCHEMA_ADDRESS` on; `assembly/schema.ts` describes it. */
  readonly bytes: Buffer
  readonly slots: number

  /** Leaves whose paths can't be told apart from others by their bytes are left out: no event with them is plain. */
  constructor(leaves: readonly PlainLeaf[]) {
    const slots: Slot[] = [{ key: Buffer.alloc(0), parent: 0, kinds: PLAIN.object }]
    const indexes = new Map([[pathKey([]), 0]])
    const keys = new Set(leaves.map(({ path }) => pathKey(path)))
    for (const { path, kinds } of leaves) {
      if (!path.every(isWrittenAsIs) || isInsideLeaf(path, keys)) continue
      for (const [depth, key] of path.entries()) {
        const parent = indexes.get(pathKey(path.slice(0, depth))) ?? 0
        const place = pathKey(path.slice(0, depth + 1))
        if (indexes.has(place)) continue
        indexes.set(place, slots.length)
        slots.push({ key: Buffer.from(`${key}"`), parent, kinds: PLAIN.object })
      }
      const slot = slots[indexes.get(pathKey(path)) ?? -1]
      if (slot !== undefined) slot.kinds = kinds
    }
    this.slots = slots.length
    this.bytes = encode(slots)
  }
}

/** True for a key that is its own JSON text, and that has one at all. */
function isWrittenAsIs(key: string): boolean {
  return key !== '' && JSON.stringify(key) === `"${key}"`
}

/** Such a value is either inside an object or inside a leaf that is an object, depending on the event. */
function isInsideLeaf(path: FieldPath, leaves: ReadonlySet<string>): boolean {
  return path.some((_, depth) => depth > 0 && leaves.has(pathKey(path.slice(0, depth))))
}

function encode(slots: readonly Slot[]): Buffer {
  const keys = Buffer.concat([...slots.map(({ key }) => key), Buffer.alloc(SPARE_BYTES)])
  const bytes = Buffer.alloc(slots.length * SLOT_BYTES + keys.length)
  keys.copy(bytes, slots.length * SLOT_BYTES)
  let keyAddress = SCHEMA_ADDRESS + slots.length * SLOT_BYTES
  for (const [i, { key, parent, kinds }] of slots.entries()) {
    const fields = [keyAddress, key.length, kinds, SCHEMA_ADDRESS + parent * SLOT_BYTES]
    for (const [field, value] of fields.entries()) {
      bytes.writeUInt32LE(value, i * SLOT_BYTES + field * 4)
    }
    keyAddress += key.length
  }
  return bytes
}
