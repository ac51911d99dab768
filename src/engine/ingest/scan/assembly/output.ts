// Strings as ClickHouse's binary formats have them: their length in bytes, and their bytes in UTF-8.

import { putDecoded } from '../../../../wire/assembly/decode'
import { ESCAPED } from './rows'

/** Writes a number of seven bits per byte, the lowest first; returns the position after it. */
export function putVarint(at: usize, value: u32): usize {
  while (value >= 0x80) {
    store<u8>(at++, value | 0x80)
    value >>= 7
  }
  store<u8>(at, value)
  return at + 1
}

/** Returns the number of bytes that `putVarint` writes. */
function varintBytes(value: u32): usize {
  return (38 - clz(value | 1)) / 7
}

/** Writes the characters of a valid JSON string; returns the position after them. */
export function putString(at: usize, start: usize, endBits: u32): usize {
  const end: usize = endBits & ~ESCAPED
  if ((endBits & ESCAPED) === 0) {
    const length = end - start
    at = putVarint(at, <u32>length)
    // Up to 15 bytes after the string are written, too, and replaced by what follows.
    for (let i: usize = 0; i < length; i += 16) v128.store(at + i, v128.load(start + i))
    return at + length
  }
  // With few escapes, the length takes as many bytes as the one in JSON.
  const decoded = at + varintBytes(<u32>(end - start))
  const length = putDecoded(decoded, start, end) - decoded
  at = putVarint(at, <u32>length)
  if (at !== decoded) memory.copy(at, decoded, length)
  return at + length
}
