// The time of an event: an ISO time, or a number since 1970 whose size shows its unit. The host reads all other forms.

import { isDigit, POINT, QUOTE, ZERO } from '../../../../wire/assembly/bytes'
import { hostTime } from './host'
import { NO_TIME, timeAt } from './time'

/** All numbers of this many digits fit into 64 bits. */
const MAX_DIGITS: usize = 19

/** True when the host reads all times. */
let isOtherFormat: bool = false
let arrival: i64 = 0
/** The positions of the values at the first and at the second path; 0 for a path without a value. */
let first: usize = 0
let firstEnd: usize = 0
let second: usize = 0
let secondEnd: usize = 0

/** `arrivedAt` is the time of events without one. */
export function setTimes(arrivedAt: i64, hasOtherFormat: bool): void {
  arrival = arrivedAt
  isOtherFormat = hasOtherFormat
}

export function beginTime(): void {
  first = second = 0
}

/** Keeps the position of a number, or of a string with its quotes. */
export function keepTime(order: u32, start: usize, end: usize): void {
  if (order === 1) {
    first = start
    firstEnd = end
  } else {
    second = start
    secondEnd = end
  }
}

/** Returns the time of the event in nanoseconds since 1970; `NO_TIME` when its value is not a time. */
export function eventTime(): i64 {
  if (first !== 0) return timeOf(first, firstEnd)
  return second !== 0 ? timeOf(second, secondEnd) : arrival
}

function timeOf(start: usize, end: usize): i64 {
  const isString = load<u8>(start) === QUOTE
  if (isOtherFormat) return fromHost(start, end, isString)
  let time = isString ? timeAt(start + 1) : NO_TIME
  if (time === NO_TIME) time = isString ? unixTime(start + 1, end - 1) : unixTime(start, end)
  return time === NO_TIME ? fromHost(start, end, isString) : time
}

function fromHost(start: usize, end: usize, isString: bool): i64 {
  return isString ? hostTime(start + 1, end - 1, true) : hostTime(start, end, false)
}

/** Returns the time of a number without a sign and an exponent; `NO_TIME` for all others. */
function unixTime(start: usize, end: usize): i64 {
  let whole: u64 = 0
  let at = start
  for (; at < end && isDigit(load<u8>(at)); at++) whole = whole * 10 + (load<u8>(at) - ZERO)
  if (at === start || at - start > MAX_DIGITS) return NO_TIME
  let unit: u64 = 1
  if (whole < 100_000_000_000) unit = 1_000_000_000
  else if (whole < 100_000_000_000_000) unit = 1_000_000
  else if (whole < 100_000_000_000_000_000) unit = 1_000
  if (whole >= <u64>i64.MAX_VALUE / unit) return NO_TIME
  let time = whole * unit
  if (at === end) return time
  if (load<u8>(at) !== POINT) return NO_TIME
  for (at++; at < end; at++) {
    if (!isDigit(load<u8>(at))) return NO_TIME
    unit /= 10
    time += (load<u8>(at) - ZERO) * unit
  }
  return time
}
