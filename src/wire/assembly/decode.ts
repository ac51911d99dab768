// The characters of JSON strings with escapes.

import { BACKSLASH, LOWER_U } from './bytes'
import { unescaped, validHexUnit } from './string'

/** Writes the characters of a valid JSON string in UTF-8, and up to 15 other bytes; returns the position after the characters. */
export function putDecoded(at: usize, start: usize, end: usize): usize {
  let from = start
  while (from < end) {
    const bytes = v128.load(from)
    const escapes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(BACKSLASH)))
    v128.store(at, bytes)
    const run: usize = ctz(escapes | 0x1_0000)
    if (run >= end - from) return at + (end - from)
    at += run
    from += run
    if (run === 16) continue
    const letter = load<u8>(from, 1)
    from += 2
    if (letter !== LOWER_U) {
      store<u8>(at++, unescaped(letter))
      continue
    }
    let character: u32 = validHexUnit(from)
    from += 4
    if ((character & 0xfc00) === 0xd800) {
      // The other half of the pair, after its backslash and `u`.
      character = 0x1_0000 + ((character & 0x3ff) << 10) + (<u32>validHexUnit(from + 2) & 0x3ff)
      from += 6
    }
    at = putCharacter(at, character)
  }
  return at
}

/** Writes a character in UTF-8. */
function putCharacter(at: usize, character: u32): usize {
  if (character < 0x80) {
    store<u8>(at, character)
    return at + 1
  }
  if (character < 0x800) {
    store<u8>(at, 0xc0 | (character >> 6))
    return putContinuation(at + 1, character)
  }
  if (character < 0x1_0000) {
    store<u8>(at, 0xe0 | (character >> 12))
    return putContinuation(putContinuation(at + 1, character >> 6), character)
  }
  store<u8>(at, 0xf0 | (character >> 18))
  at = putContinuation(putContinuation(at + 1, character >> 12), character >> 6)
  return putContinuation(at, character)
}

function putContinuation(at: usize, bits: u32): usize {
  store<u8>(at, 0x80 | (bits & 0x3f))
  return at + 1
}
