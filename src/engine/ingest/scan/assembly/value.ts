// JSON values that are valid for certain, as the service requires of events.

import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LOWER_E,
  MINUS,
  NINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  spaceEnd,
  ZERO,
} from '../../../../wire/assembly/bytes'
import { stringEnd } from '../../../../wire/assembly/string'
import { MAX_KEY_LENGTH as KEY_LENGTH } from '../../../../wire/limits'
import { numberEnd } from './number'

/** Words read as four bytes. */
const WORD_TRUE: u32 = 0x6575_7274
const WORD_FALS: u32 = 0x736c_6166
export const WORD_NULL: u32 = 0x6c6c_756e

/** Deeper values are rare. The open brackets are bits of a number. */
const MAX_DEPTH: u32 = 60
export const MAX_KEY_LENGTH: usize = KEY_LENGTH

/** The number of keys up to now. */
export let keys: u32 = 0

export function resetKeys(): void {
  keys = 0
}

/** Counts a key whose value is not read here. */
export function addKey(): void {
  keys++
}

/** Returns the position after the value at `at`; 0 when it may be invalid. */
export function valueEnd(at: usize): usize {
  keys++
  /** A bit for each open bracket, the innermost last: 1 for an object. */
  let open: u64 = 0
  let depth: u32 = 0
  while (true) {
    const byte = load<u8>(at)
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      if (++depth > MAX_DEPTH) return 0
      const isObject = byte === OPEN_OBJECT
      open = (open << 1) | (isObject ? 1 : 0)
      at = spaceEnd(at + 1)
      const isEmpty = load<u8>(at) === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)
      if (!isEmpty) {
        if (isObject) at = nestedKeyEnd(at)
        if (at === 0) return 0
        continue
      }
    } else {
      at = scalarEnd(at, byte)
      if (at === 0 || depth === 0) return at
      at = spaceEnd(at)
    }
    // After a value, or at the end of an empty object or array.
    while (true) {
      const next = load<u8>(at)
      const isObject = (open & 1) !== 0
      if (next === (isObject ? CLOSE_OBJECT : CLOSE_ARRAY)) {
        open >>= 1
        at++
        if (--depth === 0) return at
        at = spaceEnd(at)
        continue
      }
      if (next !== COMMA) return 0
      at = spaceEnd(at + 1)
      if (isObject) at = nestedKeyEnd(at)
      if (at === 0) return 0
      break
    }
  }
}

/** Returns the position of the value after the key at `at`. */
function nestedKeyEnd(at: usize): usize {
  if (load<u8>(at) !== QUOTE) return 0
  keys++
  const end = stringEnd(at + 1)
  if (end === 0 || end - at === 2 || end - at > MAX_KEY_LENGTH) return 0
  at = spaceEnd(end)
  return load<u8>(at) === COLON ? spaceEnd(at + 1) : 0
}

export function scalarEnd(at: usize, byte: u8): usize {
  if (byte === QUOTE) return stringEnd(at + 1)
  if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return numberEnd(at)
  const word = load<u32>(at)
  if (word === WORD_NULL || word === WORD_TRUE) return at + 4
  return word === WORD_FALS && load<u8>(at, 4) === LOWER_E ? at + 5 : 0
}
