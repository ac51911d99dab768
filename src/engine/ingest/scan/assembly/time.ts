import {
  COLON,
  COMMA,
  isDigit,
  MINUS,
  PLUS,
  POINT,
  QUOTE,
  SLASH,
  SPACE,
  UPPER_T,
  UPPER_Z,
  ZERO,
} from '../../../../wire/assembly/bytes'

/** The result for a time that needs other code. */
export const NO_TIME: i64 = i64.MIN_VALUE

const FIRST_YEAR: i32 = 1970
/** Nanoseconds since 1970 fit into 64 bits up to a day in the next one. */
const LAST_YEAR: i32 = 2261
const FRACTION_DIGITS: i32 = 9
/** The value of two characters that are not digits: less than any number, also with a number of centuries before it. */
const NO_NUMBER: i32 = -10_000
/** Words read as three bytes. */
const WORD_UTC: u32 = 0x43_5455
const WORD_GMT: u32 = 0x54_4d47
/** The names of months, read as three bytes, in lower case. */
const MONTHS: usize = memory.data<u32>([
  0x6e_616a, 0x62_6566, 0x72_616d, 0x72_7061, 0x79_616d, 0x6e_756a, 0x6c_756a, 0x67_7561, 0x70_6573,
  0x74_636f, 0x76_6f6e, 0x63_6564,
])

/**
 * Returns the nanoseconds since 1970 of the string whose first character is at `at`: a date and time of a usual form, with or without
 * a zone. Returns `NO_TIME` for other strings, and when the calendar has no such day.
 */
export function timeAt(at: usize): i64 {
  const isAccessTime = load<u8>(at, 2) === SLASH
  const isIso = load<u8>(at, 4) === MINUS
  let year: i32
  let month: i32
  let day: i32
  if (isAccessTime) {
    // 02/Jan/2006:15:04:05 -0700
    if (load<u8>(at, 6) !== SLASH || load<u8>(at, 11) !== COLON) return NO_TIME
    day = numberAt(at)
    month = monthAt(at + 3)
    year = numberAt(at + 7) * 100 + numberAt(at + 9)
    at += 12
  } else {
    // 2006-01-02T15:04:05Z or 2006/01/02 15:04:05
    const mark = isIso ? MINUS : SLASH
    if (load<u8>(at, 4) !== mark || load<u8>(at, 7) !== mark) return NO_TIME
    const separator = load<u8>(at, 10)
    if (separator !== SPACE && (separator !== UPPER_T || !isIso)) return NO_TIME
    year = numberAt(at) * 100 + numberAt(at + 2)
    month = numberAt(at + 5)
    day = numberAt(at + 8)
    at += 11
  }
  if (year < FIRST_YEAR || year > LAST_YEAR || month < 1 || month > 12) return NO_TIME
  if (day < 1 || day > daysOf(month, year)) return NO_TIME
  if (load<u8>(at, 2) !== COLON || load<u8>(at, 5) !== COLON) return NO_TIME
  const minutes = minutesAt(at, at + 3)
  const second = numberAt(at + 6)
  if (minutes < 0 || second < 0 || second > 59) return NO_TIME
  let seconds = <i64>daysSince1970(year, month, day) * 86_400 + minutes * 60 + second
  at += 8
  let fraction: i64 = 0
  const point = load<u8>(at)
  if (point === POINT || point === COMMA) {
    if (!isDigit(load<u8>(++at))) return NO_TIME
    let left = FRACTION_DIGITS
    for (; isDigit(load<u8>(at)); at++) {
      if (left-- === 0) return NO_TIME
      fraction = fraction * 10 + (load<u8>(at) - ZERO)
    }
    for (; left > 0; left--) fraction *= 10
  }
  if (load<u8>(at) !== QUOTE) {
    if (load<u8>(at) === SPACE) at++
    else if (isAccessTime) return NO_TIME
    const zone = load<u8>(at)
    if (zone === PLUS || zone === MINUS) {
      const hasColon = load<u8>(at, 3) === COLON
      if (!isIso && (!isAccessTime || hasColon)) return NO_TIME
      const minutesAfter: usize = hasColon ? at + 4 : at + 3
      const offset = minutesAt(at + 1, minutesAfter)
      if (offset < 0) return NO_TIME
      seconds += zone === PLUS ? -offset * 60 : offset * 60
      at = minutesAfter + 2
    } else if (isIso) {
      const word = load<u32>(at) & 0xff_ffff
      if (zone === UPPER_Z) at++
      else if (word === WORD_UTC || word === WORD_GMT) at += 3
    }
  }
  // The engine reads a fraction before 1970 in its own way.
  if (load<u8>(at) !== QUOTE || seconds < 0) return NO_TIME
  return seconds * 1_000_000_000 + fraction
}

/** Returns the number of the month with an English name of three letters; 0 for other characters. */
function monthAt(at: usize): i32 {
  const name = (load<u32>(at) | 0x20_2020) & 0xff_ffff
  for (let i = 0; i < 12; i++) {
    if (load<u32>(MONTHS + ((<usize>i) << 2)) === name) return i + 1
  }
  return 0
}

/** Returns the minutes of an hour and a minute of two digits each; a negative number for other characters. */
function minutesAt(hourAt: usize, minuteAt: usize): i32 {
  const hour = numberAt(hourAt)
  const minute = numberAt(minuteAt)
  return hour > 23 || minute > 59 ? NO_NUMBER : hour * 60 + minute
}

/** Returns the value of two digits; `NO_NUMBER` for other characters. */
function numberAt(at: usize): i32 {
  const first = load<u8>(at)
  const second = load<u8>(at, 1)
  return isDigit(first) && isDigit(second) ? (first - ZERO) * 10 + (second - ZERO) : NO_NUMBER
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
