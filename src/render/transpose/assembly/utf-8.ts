/** True for valid UTF-8: each character in its shortest form, and no surrogates. */
export function isUtf8(start: usize, end: usize): bool {
  let at = start
  while (at < end) {
    const wide = i8x16.bitmask(v128.load(at))
    at += wide === 0 ? 16 : ctz(wide)
    if (at >= end) return true
    if (wide === 0) continue
    const first = load<u8>(at++)
    if (first < 0xc2 || first > 0xf4) return false
    const more: usize = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3
    if (end - at < more) return false
    const second = load<u8>(at)
    if ((second & 0xc0) !== 0x80) return false
    if (first === 0xe0 && second < 0xa0) return false
    if (first === 0xed && second > 0x9f) return false
    if (first === 0xf0 && second < 0x90) return false
    if (first === 0xf4 && second > 0x8f) return false
    for (let i: usize = 1; i < more; i++) if ((load<u8>(at + i) & 0xc0) !== 0x80) return false
    at += more
  }
  return true
}
