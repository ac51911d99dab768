import { LOWER_E, MINUS, PLUS, POINT, ZERO } from '../../assembly/bytes'
import { digitsEnd, withDigits } from '../../assembly/digits'
import { integerOf } from '../../assembly/integer'
import { isExactNumber } from './host'
import { isShortest, MAX_POWER, UNCLEAR, YES } from './shortest'

const MAX_NUMBER_LENGTH: usize = 24
/** A double represents decimals with this many digits exactly. */
const SAFE_DIGITS: usize = 15
const EXPONENT_DIGITS: usize = 3
/** All numbers of this many digits fit into 64 bits. */
const MAX_DIGITS: usize = 19

/** True when a cell is a number of JSON that prints equal to what is written. */
export function isNumber(start: usize, end: usize): bool {
  if (end - start > MAX_NUMBER_LENGTH) return false
  const isNegative = load<u8>(start) === MINUS
  const whole = isNegative ? start + 1 : start
  let at = min(digitsEnd(whole), end)
  const isZero = at === whole + 1 && load<u8>(whole) === ZERO
  if (at === whole || (load<u8>(whole) === ZERO && !isZero)) return false
  if (at === end) {
    if (isZero) return !isNegative
    return end - whole <= SAFE_DIGITS || isExactNumber(start, end)
  }
  /** The first digit that counts: zeros in front of it do not. */
  let first = whole
  let digits = withDigits(0, whole, at)
  let power: i32 = 0
  const hasPoint = load<u8>(at) === POINT
  if (hasPoint) {
    const fraction = at + 1
    at = min(digitsEnd(fraction), end)
    if (at === fraction) return false
    if (at === end && !isZero && end - whole <= SAFE_DIGITS) return true
    if (isZero) for (first = fraction; first < at && load<u8>(first) === ZERO; first++);
    digits = withDigits(digits, fraction, at)
    power = <i32>fraction - <i32>at
  }
  const isLong = at - first > MAX_DIGITS
  if (at < end) {
    const exponent = exponentDigits(at, end, hasPoint)
    if (exponent === 0) return false
    if (end - exponent > EXPONENT_DIGITS) return isExactNumber(start, end)
    const size = <i32>integerOf(exponent, end)
    power += load<u8>(exponent - 1) === MINUS ? -size : size
  }
  if (isLong) return isExactNumber(start, end)
  // The sign of zero is not kept.
  if (digits === 0) return !isNegative
  const answer = abs(power) <= MAX_POWER ? isShortest(digits, power) : UNCLEAR
  return answer === UNCLEAR ? isExactNumber(start, end) : answer === YES
}

/** Returns the position of the digits of an exponent, whose sign may be missing after a fraction; 0 for other text. */
function exponentDigits(start: usize, end: usize, hasPoint: bool): usize {
  if ((load<u8>(start) | 0x20) !== LOWER_E) return 0
  const sign = load<u8>(start, 1)
  const hasSign = sign === PLUS || sign === MINUS
  if (!hasSign && !hasPoint) return 0
  const at = start + 1 + usize(hasSign)
  return at < end && digitsEnd(at) === end ? at : 0
}
