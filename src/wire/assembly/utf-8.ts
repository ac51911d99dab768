/** True for valid UTF-8: each character in its shortest form, and no surrogates. */
export function isUtf8(start: usize, end: usize): bool {
  let at = start
  while (at < end) {
    const wide = i8x16.bitmask(v128.load(at))
    at += wide === 0 ? 16 : ctz(wide)
    if (wide === 0 || at >= end) continue
    at = wideEnd(at, end)
    if (at === 0 || at > end) return false
  }
  return true
}

/**
 * Returns the position after the characters outside ASCII that begin in front of `end`; 0 when they are not UTF-8. The last one may
 * end after `end`.
 */
export function wideEnd(at: usize, end: usize): usize {
  let byte = load<u8>(at)
  do {
    const second = load<u8>(at, 1)
    if (byte < 0xc2 || byte > 0xf4) return 0
    if (byte < 0xe0) {
      if (!isContinuation(second)) return 0
      at += 2
    } else if (byte < 0xf0) {
      if (!isContinuation(second) || !isContinuation(load<u8>(at, 2))) return 0
      // Overlong forms and surrogates are invalid.
      if ((byte === 0xe0 && second < 0xa0) || (byte === 0xed && second > 0x9f)) return 0
      at += 3
    } else {
      if (!isContinuation(second) || !isContinuation(load<u8>(at, 2))) return 0
      if (!isContinuation(load<u8>(at, 3))) return 0
      if ((byte === 0xf0 && second < 0x90) || (byte === 0xf4 && second > 0x8f)) return 0
      at += 4
    }
    byte = load<u8>(at)
  } while (byte >= 0x80 && at < end)
  return at
}

function isContinuation(byte: u8): bool {
  return (byte & 0xc0) === 0x80
}
