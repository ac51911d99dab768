import { LOWER_E, MINUS, NINE, PLUS, POINT, ZERO } from '../../../../wire/assembly/bytes'
import { INT, LONG, REAL } from './schema'

/** Integers of this many digits are exact as doubles. */
const EXACT_DIGITS: i32 = 15
/** Integers of this many digits fit into 64 bits, and so do integers of one more digit unless they begin with 9. */
const LONG_DIGITS: i32 = 18
/** Numbers with more digits, or more digits of the exponent, are rare: other code reads them. */
const REAL_DIGITS: i32 = 30
const EXPONENT_DIGITS: i32 = 2

/** The kind of the number found last. */
export let numberKind: u32 = 0

/** Returns the position after a number; 0 for other text and for numbers that may not be stored exactly. */
export function numberEnd(at: usize): usize {
  const isNegative = load<u8>(at) === MINUS
  if (isNegative) at++
  const digits = digitsAt(at)
  const first = load<u8>(at)
  if (digits === 0 || (first === ZERO && digits > 1)) return 0
  at += digits
  let byte = load<u8>(at)
  if (byte !== POINT && (byte | 0x20) !== LOWER_E) {
    if (first === ZERO && isNegative) return 0
    if (digits > LONG_DIGITS + 1 || (digits > LONG_DIGITS && first === NINE)) return 0
    numberKind = digits <= EXACT_DIGITS ? INT : LONG
    return at
  }
  let all = digits
  if (byte === POINT) {
    const fraction = digitsAt(++at)
    if (fraction === 0) return 0
    all += fraction
    at += fraction
    byte = load<u8>(at)
  }
  if (all > REAL_DIGITS) return 0
  if ((byte | 0x20) === LOWER_E) {
    byte = load<u8>(++at)
    if (byte === PLUS || byte === MINUS) at++
    const exponent = digitsAt(at)
    if (exponent === 0 || exponent > EXPONENT_DIGITS) return 0
    at += exponent
  }
  numberKind = REAL
  return at
}

/** Returns the number of digits at a position; at most 32 are counted. */
function digitsAt(at: usize): i32 {
  const others = othersAt(at)
  return others !== 0 ? ctz(others) : 16 + ctz(othersAt(at + 16) | 0x1_0000)
}

/** Returns the positions of bytes that are not digits, as bits. */
function othersAt(at: usize): i32 {
  return i8x16.bitmask(i8x16.gt_u(i8x16.sub(v128.load(at), i8x16.splat(0x30)), i8x16.splat(9)))
}
