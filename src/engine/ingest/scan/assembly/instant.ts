import { COLON, MINUS, NINE, PLUS, POINT, ZERO } from '../../../../wire/assembly/bytes'

/** The result for a time that needs other code. */
export const NO_TIME: i64 = i64.MIN_VALUE

const FIRST_YEAR: i32 = 1970
/** Nanoseconds since 1970 fit into 64 bits up to a day in the next one. */
const LAST_YEAR: i32 = 2261
const FRACTION_DIGITS: i32 = 9

/** Returns the nanoseconds since 1970 of a time for which `isDateTime` is true; `NO_TIME` when the calendar has no such day. */
export function timeAt(at: usize): i64 {
  const year = numberAt(at) * 100 + numberAt(at + 2)
  const month = numberAt(at + 5)
  const day = numberAt(at + 8)
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return NO_TIME
  if (day < 1 || day > daysOf(month, year)) return NO_TIME
  const minutes = numberAt(at + 11) * 60 + numberAt(at + 14)
  let seconds = <i64>daysSince1970(year, month, day) * 86_400 + minutes * 60 + numberAt(at + 17)
  at += 19
  let fraction: i64 = 0
  if (load<u8>(at) === POINT) {
    at++
    let left = FRACTION_DIGITS
    for (; isDigit(load<u8>(at)); at++) {
      if (left-- === 0) return NO_TIME
      fraction = fraction * 10 + (load<u8>(at) - ZERO)
    }
    for (; left > 0; left--) fraction *= 10
  }
  const sign = load<u8>(at)
  if (sign === PLUS || sign === MINUS) {
    const offset = numberAt(at + 1) * 60 + numberAt(load<u8>(at, 3) === COLON ? at + 4 : at + 3)
    seconds += sign === PLUS ? -offset * 60 : offset * 60
  }
  // The engine reads a fraction before 1970 in its own way.
  return seconds < 0 ? NO_TIME : seconds * 1_000_000_000 + fraction
}

/** Returns the value of two digits. */
function numberAt(at: usize): i32 {
  return (load<u8>(at) - ZERO) * 10 + (load<u8>(at, 1) - ZERO)
}

function isDigit(byte: u8): bool {
  return byte >= ZERO && byte <= NINE
}

function isLeap(year: i32): bool {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
}

function daysOf(month: i32, year: i32): i32 {
  if (month === 2) return isLeap(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** In a year that begins in March, the leap day is the last. */
function daysSince1970(year: i32, month: i32, day: i32): i32 {
  const start = month > 2 ? year : year - 1
  const fromMarch = month > 2 ? month - 3 : month + 9
  const dayOfYear = (153 * fromMarch + 2) / 5 + day - 1
  return start * 365 + start / 4 - start / 100 + start / 400 + dayOfYear - 719_468
}
