import { QUOTE, ZERO } from './bytes'
import { isEngineTime } from './time'

const ONE: u8 = 0x31
const WORD_NULL: u32 = 0x6c6c_756e

/** True for null, and for a date that every month has, with a time of day, in the 20th, 21st or 22nd century. */
export function isCertainTime(at: usize): bool {
  if (load<u8>(at) !== QUOTE) return load<u32>(at) === WORD_NULL
  return isEngineTime(at + 1) && isCertainDay(at + 1)
}

/** True when the date of a time for which `isEngineTime` is true is such a date. */
export function isCertainDay(at: usize): bool {
  if (load<u8>(at) !== ONE && load<u8>(at, 1) > ONE) return false
  const month = number(at + 5)
  const day = number(at + 8)
  return month >= 1 && month <= 12 && day >= 1 && day <= 28
}

function number(at: usize): u32 {
  return <u32>(load<u8>(at) - ZERO) * 10 + <u32>(load<u8>(at, 1) - ZERO)
}
