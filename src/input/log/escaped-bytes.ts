import { BACKSLASH, QUOTE, SPACE } from '../../text/bytes.js'

/**
 * Returns the positions, in ascending order, of the bytes that a JSON string escapes. Four bytes are examined at once,
 * which takes a third of the time of a regular expression.
 */
export function escapedBytes(bytes: Buffer): Int32Array {
  const found: number[] = []
  const words = bytes.byteOffset % 4 === 0 ? bytes.length >> 2 : 0
  const view = new Int32Array(bytes.buffer, words === 0 ? 0 : bytes.byteOffset, words)
  for (let at = 0; at < words; at++) {
    if (hasEscaped(view[at]!)) addEscaped(bytes, at * 4, at * 4 + 4, found)
  }
  addEscaped(bytes, words * 4, bytes.length, found)
  return new Int32Array(found)
}

/** True when one of four bytes may need an escape; see "Determine if a word has a byte less than n", Bit Twiddling Hacks. */
function hasEscaped(word: number): boolean {
  // The characters are ASCII, so that the highest bits of `word` are the same after `^`.
  return (
    (((word - 0x20202020) |
      ((word ^ 0x22222222) - 0x01010101) |
      ((word ^ 0x5c5c5c5c) - 0x01010101)) &
      ~word &
      0x80808080) !==
    0
  )
}

function addEscaped(bytes: Buffer, from: number, to: number, found: number[]): void {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]!
    if (byte < SPACE || byte === QUOTE || byte === BACKSLASH) found.push(at)
  }
}
