import { BACKSLASH, LOWER_U, QUOTE } from './bytes'
import { wideEnd } from './utf-8'

/** True when the string found last has escapes. */
export let hasEscapes: bool = false

/** Returns the position after the string whose first character is at `at`; 0 when it is invalid. */
export function stringEnd(at: usize): usize {
  hasEscapes = false
  while (true) {
    const bytes = v128.load(at)
    // As signed numbers, the bytes of characters outside ASCII are negative.
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
        i8x16.lt_s(bytes, i8x16.splat(0x20)),
      ),
    )
    if (stops === 0) {
      at += 16
      continue
    }
    at += ctz(stops)
    const byte = load<u8>(at)
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) {
      hasEscapes = true
      // Text outside ASCII is often written as escapes only.
      do at = escapeEnd(at + 1)
      while (load<u8>(at) === BACKSLASH && at !== 0)
    } else at = byte >= 0x80 ? wideEnd(at, usize.MAX_VALUE) : 0
    if (at === 0) return 0
  }
}

/** Returns the position after an escape whose backslash is in front of `at`; 0 when it is invalid. */
function escapeEnd(at: usize): usize {
  const byte = load<u8>(at)
  if (byte !== LOWER_U) return unescaped(byte) !== 0 ? at + 1 : 0
  const unit = hexUnit(at + 1)
  if (unit < 0) return 0
  at += 5
  if ((unit & 0xf800) !== 0xd800) return at
  // A surrogate is half of a pair.
  if (unit >= 0xdc00 || load<u8>(at) !== BACKSLASH || load<u8>(at, 1) !== LOWER_U) return 0
  return (hexUnit(at + 2) & 0xffff_fc00) === 0xdc00 ? at + 6 : 0
}

/** Returns the character that a letter after a backslash stands for; 0 when there is no such escape. */
export function unescaped(letter: u8): u8 {
  switch (letter) {
    case 0x22: // "
    case 0x5c: // \
    case 0x2f: // /
      return letter
    case 0x62: // b
      return 0x08
    case 0x66: // f
      return 0x0c
    case 0x6e: // n
      return 0x0a
    case 0x72: // r
      return 0x0d
    case 0x74: // t
      return 0x09
    default:
      return 0
  }
}

/** Returns the number written as four hexadecimal digits; -1 for other text. */
export function hexUnit(at: usize): i32 {
  const bytes = v128.load32_splat(at)
  const letters = v128.or(bytes, i8x16.splat(0x20))
  const isDigit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(0x30)), i8x16.splat(10))
  const isLetter = i8x16.lt_u(i8x16.sub(letters, i8x16.splat(0x61)), i8x16.splat(6))
  return i8x16.all_true(v128.or(isDigit, isLetter)) ? validHexUnit(at) : -1
}

/** Returns the number written as four hexadecimal digits. */
export function validHexUnit(at: usize): i32 {
  const text = load<u32>(at)
  // Only letters have the bit that is shifted; their lowest four bits count from 1.
  const digits = (text & 0x0f0f_0f0f) + ((text >> 6) & 0x0101_0101) * 9
  const bytes = (digits << 4) | (digits >> 8)
  return ((bytes & 0xff) << 8) | ((bytes >> 16) & 0xff)
}
