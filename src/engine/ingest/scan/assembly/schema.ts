// The members of events of a dataset. A slot describes the member of an object with one key; the event itself has the
// first slot. The host writes them.

const SLOT_BYTES: usize = 48
/** The address of the key and its closing quote; their length. */
export const KEY: usize = 0
export const KEY_LENGTH: usize = 4
/** The kinds of the values that are expected, as bits. */
export const KINDS: usize = 8
/** The slot of the object that holds the member. */
export const PARENT: usize = 12
/** The slot of the member that followed this one last; 0 at first. */
export const NEXT: usize = 16
/** The slot of the member that was the first of this object last; 0 at first. */
export const FIRST: usize = 20
/** The number of the line in which the member occurred last. */
export const LINE: usize = 24
/** The offset of the position of the value in a row of `rows.ts`. */
export const CELL: usize = 28
/** The kinds of the values that belong to the remainder of the event, as bits. */
export const REST: usize = 32
/** The kinds of the values found that are in neither set, as bits; the number of these values that are not null. */
export const NEWS: usize = 36
export const NEWS_COUNT: usize = 40
/** 1 or 2 when the value is the time of the event, in this order of precedence; 0 for other members. */
export const TIME_ORDER: usize = 44

// The kinds of values up to `ARRAY` are the bits of `KIND` in `wire/json/kinds.ts`.
export const INT: u32 = 1
export const REAL: u32 = 2
export const STRING: u32 = 4
export const BOOL: u32 = 8
/** An object that is a value, or an integer that needs the 64th bit. */
export const OTHER: u32 = 16
/** An integer beyond 2^53, of which a double need not be exact, that fits into 64 bits. Such an integer is no `INT` here. */
export const LONG: u32 = 32
/** Objects are values, not groups of fields. */
export const MAP: u32 = 64
export const ARRAY: u32 = 128
export const NULL: u32 = 256
export const OBJECT: u32 = 512
/** The value does not belong to the event, as if the key had occurred before. */
export const REPEATED: u32 = 1024
/** The value is a time and nothing else. */
export const ONLY_TIME: u32 = 2048
/** The value is not wanted, whatever it is. */
export const SKIPPED: u32 = 4096

/** A hash table of addresses of slots; 0 is an empty entry. */
let table: usize = 0
let mask: u32 = 0
let seed: u64 = 0

/** An odd number without a pattern. */
const MULTIPLIER: u64 = 0x19_e377_9b97_f4a7

/**
 * Adds `count` slots from `slots` on, except the first, to an empty hash table of `size` entries, a power of two. There are no new
 * slots then.
 */
export function addSlots(slots: usize, count: u32, at: usize, size: u32, random: u64): void {
  table = at
  mask = size - 1
  seed = random
  newSlotCount = 0
  newKeysEnd = newKeys
  for (let i: usize = 1; i < count; i++) addSlot(slots + i * SLOT_BYTES)
}

function addSlot(slot: usize): void {
  let entry =
    hash(load<u32>(slot, PARENT), load<u32>(slot, KEY), load<u32>(slot, KEY_LENGTH)) & mask
  while (load<u32>(entryAt(entry)) !== 0) entry = (entry + 1) & mask
  store<u32>(entryAt(entry), <u32>slot)
}

/** The most members in a scan that the host does not know; it reads the lines with further ones. */
export const MAX_NEW_SLOTS: u32 = 4_096
/** The bytes of the keys of new slots, and of what may be read after the last one. */
const NEW_KEY_BYTES: usize = 1 << 18
const SPARE_BYTES: usize = 64

/** The slots of members that the host does not know, and their keys. */
export const newSlots: usize = memory.data(MAX_NEW_SLOTS * SLOT_BYTES, 16)
const newKeys: usize = memory.data(NEW_KEY_BYTES + SPARE_BYTES, 16)
let newKeysEnd: usize = newKeys
export let newSlotCount: u32 = 0

/** Adds a slot for a member of an object; `length` includes the quote after its key. Returns 0 when there is no room. */
export function newSlot(object: usize, key: usize, length: usize, kinds: u32): usize {
  if (newSlotCount === MAX_NEW_SLOTS || newKeysEnd + length > newKeys + NEW_KEY_BYTES) return 0
  const slot = newSlots + <usize>newSlotCount * SLOT_BYTES
  memory.fill(slot, 0, SLOT_BYTES)
  memory.copy(newKeysEnd, key, length)
  store<u32>(slot, <u32>newKeysEnd, KEY)
  store<u32>(slot, <u32>length, KEY_LENGTH)
  store<u32>(slot, <u32>object, PARENT)
  store<u32>(slot, kinds, KINDS)
  newKeysEnd += length
  newSlotCount++
  addSlot(slot)
  return slot
}

/** Returns the slot of the member of an object whose key, of `length` bytes with its quote, is at `at`; 0 when there is none. */
export function slotOf(object: usize, at: usize, length: u32): usize {
  let entry = hash(object, at, length) & mask
  let slot: usize = load<u32>(entryAt(entry))
  while (slot !== 0) {
    if (load<u32>(slot, PARENT) === object && isKey(slot, at)) return slot
    entry = (entry + 1) & mask
    slot = load<u32>(entryAt(entry))
  }
  return 0
}

/** True when the bytes at `at` are the key of a slot. */
export function isKey(slot: usize, at: usize): bool {
  let key: usize = load<u32>(slot, KEY)
  let left = <i32>load<u32>(slot, KEY_LENGTH)
  while (left > 16) {
    if (i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(at))) !== 0xffff) return false
    key += 16
    at += 16
    left -= 16
  }
  const other = ~i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(at)))
  return (other & ((1 << left) - 1)) === 0
}

/** Returns the length of a key up to the first quote or line feed, which is included. */
export function lengthOfKey(at: usize): u32 {
  let length: u32 = 0
  while (true) {
    const bytes = v128.load(at + length)
    const ends = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x0a))),
    )
    if (ends !== 0) return length + <u32>ctz(ends) + 1
    length += 16
  }
}

/** Depends on a random seed, so that nobody can choose keys that share entries. */
function hash(object: usize, at: usize, length: u32): u32 {
  let sum = seed ^ (<u64>object * MULTIPLIER)
  let left = length
  while (left >= 8) {
    sum = mixed(sum ^ load<u64>(at))
    at += 8
    left -= 8
  }
  // The bytes after the key are shifted out.
  if (left > 0) sum = mixed(sum ^ (load<u64>(at) << ((8 - left) << 3)) ^ left)
  return <u32>(sum >> 32)
}

function mixed(sum: u64): u64 {
  const product = sum * MULTIPLIER
  return product ^ (product >> 32)
}

function entryAt(entry: u32): usize {
  return table + ((<usize>entry) << 2)
}
