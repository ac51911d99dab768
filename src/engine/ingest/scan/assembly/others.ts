// Members without a slot, and those whose values are skipped.

import { COLON, OPEN_OBJECT, spaceEnd } from './bytes'
import { hasEscapes, stringEnd } from './string'
import { addKey, keys, MAX_KEY_LENGTH, OPEN_ARRAY, scalarEnd, valueEnd } from './value'

/** A beginning of keys in the memory of the host: the slot of the object, its address and its length. */
const PREFIX_BYTES: usize = 12
const TEXT: usize = 4
const TEXT_LENGTH: usize = 8

/** The keys of slots are not counted: with them, there are fewer than the limit in `wire/json/json-line.ts`. */
const MAX_SKIPPED_KEYS: u32 = 8_000

/** True when members without a slot are skipped. */
export let skipsOthers: bool = false

let prefixes: usize = 0
let prefixesEnd: usize = 0

/** Sets whether members without a slot are skipped, and `count` beginnings of keys for which they are not. */
export function setOthers(areSkipped: bool, at: usize, count: u32): void {
  skipsOthers = areSkipped
  prefixes = at
  prefixesEnd = at + <usize>count * PREFIX_BYTES
}

/** Returns the position after the member of `object` whose key begins at `at`; 0 when it may be one that is not skipped. */
export function otherEnd(start: usize, object: usize): usize {
  let at = stringEnd(start)
  // A key with escapes may be that of a slot.
  if (at === 0 || hasEscapes || at - start === 1 || at - start > MAX_KEY_LENGTH) return 0
  for (let prefix = prefixes; prefix < prefixesEnd; prefix += PREFIX_BYTES) {
    if (load<u32>(prefix) !== object) continue
    if (beginsWith(start, load<u32>(prefix, TEXT), load<u32>(prefix, TEXT_LENGTH))) return 0
  }
  addKey()
  at = spaceEnd(at)
  return load<u8>(at) === COLON ? skippedEnd(spaceEnd(at + 1)) : 0
}

/** Returns the position after a value that is skipped; 0 when it may be invalid. */
export function skippedEnd(at: usize): usize {
  const byte = load<u8>(at)
  at = byte === OPEN_OBJECT || byte === OPEN_ARRAY ? valueEnd(at) : scalarEnd(at, byte)
  return keys > MAX_SKIPPED_KEYS ? 0 : at
}

function beginsWith(at: usize, text: usize, length: u32): bool {
  for (let i: usize = 0; i < length; i++) {
    if (load<u8>(at + i) !== load<u8>(text + i)) return false
  }
  return true
}
