import { MINUS } from './bytes'
import { withDigits } from './digits'

/** Returns the value of an integer that fits into 64 bits. */
export function integerOf(start: usize, end: usize): i64 {
  const isNegative = load<u8>(start) === MINUS
  const value = <i64>withDigits(0, isNegative ? start + 1 : start, end)
  return isNegative ? -value : value
}
