import { LOWER_E, MINUS, NINE, PLUS, POINT, ZERO } from '../../assembly/bytes'
import { integerOf } from '../../assembly/integer'
import { isExactNumber } from './host'
import { isShortest, MAX_POWER, UNCLEAR, YES } from './shortest'

const MAX_NUMBER_LENGTH: usize = 24
/** A double represents decimals with this many digits exactly. */
const SAFE_DIGITS: usize = 15
const EXPONENT_DIGITS: usize = 3
/** Stands for larger numbers: digits with a zero at the end are read by the host. */
const MANY_DIGITS: u64 = 1_000_000_000_000_000_000

/** True when a cell is a number of JSON that prints equal to what is written. */
export function isNumber(start: usize, end: usize): bool {
  if (end - start > MAX_NUMBER_LENGTH) return false
  const isNegative = load<u8>(start) === MINUS
  const whole = isNegative ? start + 1 : start
  let at = digitsEnd(whole, end)
  const isZero = at === whole + 1 && load<u8>(whole) === ZERO
  if (at === whole || (load<u8>(whole) === ZERO && !isZero)) return false
  if (at === end) {
    if (isZero) return !isNegative
    return end - whole <= SAFE_DIGITS || isExactNumber(start, end)
  }
  let power: i32 = 0
  if (load<u8>(at) === POINT) {
    const fraction = at + 1
    at = digitsEnd(fraction, end)
    if (at === fraction) return false
    if (at === end && !isZero && end - whole <= SAFE_DIGITS) return true
    power = <i32>fraction - <i32>at
  }
  const digits = digitsOf(whole, at)
  if (at < end) {
    const exponent = signedExponent(at, end)
    if (exponent === 0) return false
    if (end - exponent > EXPONENT_DIGITS) return isExactNumber(start, end)
    const size = <i32>integerOf(exponent, end)
    power += load<u8>(exponent - 1) === MINUS ? -size : size
  }
  // The sign of zero is not kept.
  if (digits === 0) return !isNegative
  const answer = abs(power) <= MAX_POWER ? isShortest(digits, power) : UNCLEAR
  return answer === UNCLEAR ? isExactNumber(start, end) : answer === YES
}

/** Returns the position of the digits of an exponent with a sign; 0 for other text. */
function signedExponent(start: usize, end: usize): usize {
  const sign = load<u8>(start, 1)
  if ((load<u8>(start) | 0x20) !== LOWER_E || (sign !== PLUS && sign !== MINUS)) return 0
  const at = start + 2
  return at < end && digitsEnd(at, end) === end ? at : 0
}

/** Returns the digits of a number that may have a point, at most `MANY_DIGITS`. */
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

function digitsEnd(start: usize, end: usize): usize {
  let at = start
  while (at < end && load<u8>(at) >= ZERO && load<u8>(at) <= NINE) at++
  return at
}
