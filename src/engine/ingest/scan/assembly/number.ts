import { LOWER_E, MINUS, PLUS, POINT, ZERO } from '../../../../wire/assembly/bytes'
import { digitsAt, digitsEnd } from '../../../../wire/assembly/digits'
import { integerOf } from '../../../../wire/assembly/integer'
import { hostReal } from './host'
import { INT, LONG, OTHER, REAL } from './schema'

/** Integers of this many digits are exact as doubles. */
const EXACT_DIGITS: i32 = 15
/** All integers up to this one are exact as doubles. */
const LARGEST_EXACT: i64 = 0x20_0000_0000_0000
/** Integers of this many digits fit into 64 bits. */
const LONG_DIGITS: i32 = 18
const LARGEST_LONG = <u64>i64.MAX_VALUE
/** The largest number of 64 bits without a sign, and its number of digits. */
const LARGEST: u64 = u64.MAX_VALUE
const LARGEST_DIGITS: i32 = 20
const EXPONENT_DIGITS: i32 = 3
/** A number with more digits in front of its point, including the digits of the exponent, may be too large for a double. */
const WHOLE_DIGITS: i32 = 308

/** The kind of the number found last: `OTHER` for an integer that needs the 64th bit. */
export let numberKind: u32 = 0

/** Returns the position after a number; 0 for other text and for numbers that may not be stored exactly. */
export function numberEnd(at: usize): usize {
  const start = at
  const isNegative = load<u8>(at) === MINUS
  if (isNegative) at++
  const digits = digitsAt(at)
  const first = load<u8>(at)
  if (digits === 0 || (first === ZERO && digits > 1)) return 0
  at += digits
  let byte = load<u8>(at)
  if (byte !== POINT && (byte | 0x20) !== LOWER_E) {
    if (digits <= EXACT_DIGITS) numberKind = INT
    else if (digits === EXACT_DIGITS + 1 && integerOf(at - digits, at) <= LARGEST_EXACT)
      numberKind = INT
    else if (digits <= LONG_DIGITS) numberKind = LONG
    else {
      numberKind = longKind(at - digits, digits, isNegative)
      if (numberKind === 0) return 0
    }
    return at
  }
  let whole = digits
  if (byte === POINT) {
    const fraction = ++at
    at = digitsEnd(at)
    if (at === fraction) return 0
    byte = load<u8>(at)
  }
  if ((byte | 0x20) === LOWER_E) {
    const sign = load<u8>(++at)
    if (sign === PLUS || sign === MINUS) at++
    const count = digitsAt(at)
    if (count === 0 || count > EXPONENT_DIGITS) return 0
    const end = at + count
    if (sign !== MINUS) whole += <i32>integerOf(at, end)
    at = end
  }
  if (whole > WHOLE_DIGITS && abs(hostReal(start, at)) === Infinity) return 0
  numberKind = REAL
  return at
}

/** Returns the kind of an integer of more than 18 digits; 0 when 64 bits do not hold it. */
function longKind(start: usize, digits: i32, isNegative: bool): u32 {
  if (digits > LARGEST_DIGITS) return 0
  let value: u64 = 0
  const last = start + LARGEST_DIGITS - 1
  for (let at = start; at < min(start + digits, last); at++)
    value = value * 10 + (load<u8>(at) - ZERO)
  if (digits < LARGEST_DIGITS && value <= LARGEST_LONG + (isNegative ? 1 : 0)) return LONG
  if (isNegative) return 0
  if (digits < LARGEST_DIGITS) return OTHER
  const tenth = LARGEST / 10
  const isLarger = value > tenth || (value === tenth && <u64>(load<u8>(last) - ZERO) > LARGEST % 10)
  return isLarger ? 0 : OTHER
}
