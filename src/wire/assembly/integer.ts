import { MINUS, ZERO } from './bytes'

/** Returns the value of an integer that fits into 64 bits. */
export function integerOf(start: usize, end: usize): i64 {
  const isNegative = load<u8>(start) === MINUS
  let value: i64 = 0
  for (let at = isNegative ? start + 1 : start; at < end; at++) {
    value = value * 10 + (load<u8>(at) - ZERO)
  }
  return isNegative ? -value : value
}
