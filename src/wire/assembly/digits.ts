// Decimal digits. Up to 16 bytes after them are read.

/** The digits that are counted at once. */
const COUNTED: i32 = 32

/** Returns the number of digits at a position; at most `COUNTED`. */
export function digitsAt(at: usize): i32 {
  const others = othersAt(at)
  return others !== 0 ? ctz(others) : 16 + ctz(othersAt(at + 16) | 0x1_0000)
}

/** Returns the position after digits. */
export function digitsEnd(start: usize): usize {
  let at = start
  for (let count = COUNTED; count === COUNTED; at += count) count = digitsAt(at)
  return at
}

/** Returns the positions of bytes that are not digits, as bits. */
function othersAt(at: usize): i32 {
  return i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(at), i8x16.splat(0x30)), i8x16.splat(9)))
}

/** Eight times `0`. */
const ZEROS: u64 = (0x3030_3030 << 32) | 0x3030_3030
/** The powers of ten up to the seventh. */
const POWERS: usize = memory.data<u64>([1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000])

/** Returns the value of the digits of `value`, followed by these digits, modulo 2^64. */
export function withDigits(value: u64, start: usize, end: usize): u64 {
  let at = start
  for (; at + 8 <= end; at += 8) value = value * 100_000_000 + shortValue(at, 8)
  if (at === end) return value
  return value * load<u64>(POWERS + ((end - at) << 3)) + shortValue(at, end - at)
}

/** Returns the value of one to eight digits: sums of two, of four, and of eight of them, as Daniel Lemire computes these. */
function shortValue(at: usize, count: usize): u64 {
  // The first digit is in the lowest byte. Missing ones become zeros in front of it.
  const digits = (load<u64>(at) - ZEROS) << (64 - ((<u64>count) << 3))
  const pairs = digits * 10 + (digits >> 8)
  const mask: u64 = 0x0000_00ff_0000_00ff
  const first = (pairs & mask) * (100 + (1_000_000 << 32))
  const second = ((pairs >> 16) & mask) * (1 + (10_000 << 32))
  return (first + second) >> 32
}
