// Keys with escapes, which some programs write for each character outside ASCII.

import { BACKSLASH, QUOTE } from '../../../../wire/assembly/bytes'
import { putDecoded } from '../../../../wire/assembly/decode'
import { MAX_KEY_LENGTH } from '../../../../wire/limits'

/** A character is at most six bytes in JSON, as `\\u00e9`. */
const MAX_ESCAPED: usize = 6 * MAX_KEY_LENGTH

/** A key while it is decoded, and the key written last with its quote. */
const decoded: usize = memory.data(MAX_ESCAPED + 64, 16)
export const escapedKey: usize = memory.data(MAX_ESCAPED + 64, 16)

/**
 * Writes a key in the form that slots have, with its quote; `end` is the position of the quote. Returns its length; 0 for a key that
 * is too long or has control characters.
 */
export function writeEscapedKey(start: usize, end: usize): usize {
  if (end - start > MAX_ESCAPED) return 0
  const decodedEnd = putDecoded(decoded, start, end)
  let at = escapedKey
  for (let from = decoded; from < decodedEnd; from++) {
    const byte = load<u8>(from)
    if (byte < 0x20) return 0
    if (byte === QUOTE || byte === BACKSLASH) store<u8>(at++, BACKSLASH)
    store<u8>(at++, byte)
  }
  store<u8>(at++, QUOTE)
  return at - escapedKey
}
