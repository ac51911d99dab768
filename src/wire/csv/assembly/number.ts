import { MINUS, NINE, PLUS, POINT, ZERO } from '../../assembly/bytes'
import { isExactNumber } from './host'
import { isShortest, UNCLEAR, YES } from './shortest'

const MAX_NUMBER_LENGTH: usize = 24
/** A double represents decimals with this many digits exactly. */
const SAFE_DIGITS: usize = 15
/** Stands for larger numbers: digits with a zero at the end are read by the host. */
const MANY_DIGITS: u64 = 1_000_000_000_000_000_000
/** A number with more zeros at the start of its fraction prints with an exponent. */
const MAX_ZEROS: usize = 5

/** True when a cell is a number of JSON that prints as it is written. */
export function isNumber(start: usize, end: usize): bool {
  if (end - start > MAX_NUMBER_LENGTH) return false
  let at = load<u8>(start) === MINUS ? start + 1 : start
  const isNegative = at > start
  const whole = at
  at = digitsEnd(at, end)
  const isZero = at === whole + 1 && load<u8>(whole) === ZERO
  if (at === whole || (load<u8>(whole) === ZERO && !isZero)) return false
  if (at === end) {
    if (isZero) return !isNegative
    return end - whole <= SAFE_DIGITS || isExactNumber(start, end)
  }
  if (load<u8>(at) === POINT) {
    const fraction = at + 1
    at = digitsEnd(fraction, end)
    if (at === fraction) return false
    if (at === end) {
      const zeros = isZero ? zerosEnd(fraction, end) - fraction : 0
      // The sign of zero is not printed.
      if (fraction + zeros === end) return !isNegative
      if (zeros > MAX_ZEROS) return false
      if (end - whole <= SAFE_DIGITS) return true
      const answer = isShortest(digitsOf(whole, end), <i32>fraction - <i32>end)
      return answer === UNCLEAR ? isExactNumber(start, end) : answer === YES
    }
  }
  return hasExponent(at, end) && isExactNumber(start, end)
}

/** True when an exponent or nothing is between two positions. */
function hasExponent(start: usize, end: usize): bool {
  if (start === end) return true
  if ((load<u8>(start) | 0x20) !== 0x65) return false
  let at = start + 1
  if (at < end && (load<u8>(at) === PLUS || load<u8>(at) === MINUS)) at++
  return at < end && digitsEnd(at, end) === end
}

/** Returns the digits of a number with a point, at most `MANY_DIGITS`. */
function digitsOf(start: usize, end: usize): u64 {
  let digits: u64 = 0
  for (let at = start; at < end; at++) {
    const byte = load<u8>(at)
    if (byte === POINT) continue
    if (digits >= MANY_DIGITS) return MANY_DIGITS
    digits = digits * 10 + (byte - ZERO)
  }
  return digits
}

function zerosEnd(start: usize, end: usize): usize {
  let at = start
  while (at < end && load<u8>(at) === ZERO) at++
  return at
}

function digitsEnd(start: usize, end: usize): usize {
  let at = start
  while (at < end && load<u8>(at) >= ZERO && load<u8>(at) <= NINE) at++
  return at
}
