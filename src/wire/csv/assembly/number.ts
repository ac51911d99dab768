import { MINUS, NINE, PLUS, POINT, ZERO } from '../../assembly/bytes'
import { isExactNumber } from './host'

const MAX_NUMBER_LENGTH: usize = 24
/** A double represents decimals with this many digits exactly. */
const SAFE_DIGITS: usize = 15

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
    // Neither zero nor a number below one, which may print with an exponent.
    if (at === end && !isZero && end - whole <= SAFE_DIGITS) return true
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

function digitsEnd(start: usize, end: usize): usize {
  let at = start
  while (at < end && load<u8>(at) >= ZERO && load<u8>(at) <= NINE) at++
  return at
}
