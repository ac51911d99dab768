// Lines are examined one by one while all are plain events; from the first other line on, they are only counted.

import { LINE_FEED, RETURN, SPACE, TAB } from './bytes'
import { beginColumns, clearOutput, endBlock, hasTimeColumn } from './columns'
import { beginTimes, eventEnd } from './event'
import { addRow, newRow } from './rows'

/** A longer line is not examined: the memory must hold all of it. */
const MAX_LINE: usize = 1 << 20

/** Lines up to now, and how many of them are not blank. */
export let lines: u32 = 0
export let events: u32 = 0
/** True when a line ends in CR LF. */
export let hasCarriageReturns: bool = false
/** True when the first line begins with a byte-order mark. */
export let hasByteOrderMark: bool = false
/** True while each line is a plain event or empty. */
export let isPlain: bool = false

/** The slot of the event itself; 0 when events are not examined. */
let root: usize = 0
/** The number of events examined with this schema, so that each has a number of its own. */
let examined: u32 = 0

/** The state of the current line while lines are only counted: it has bytes, is not blank, ends in CR. */
let isBegun: bool = false
let isFilled: bool = false
let endsInReturn: bool = false
/** The number of bytes of a byte-order mark found at the start; -1 after it. */
let marked: i32 = 0

/**
 * Starts with other lines. `schema` is the address of the first slot, or 0 to count lines only. With `hasColumns`, events
 * without a time get the time `arrival`, and `sequence` is the position of the first line.
 */
export function begin(schema: usize, hasColumns: bool, arrival: i64, sequence: u64): void {
  beginColumns(hasColumns && schema !== 0, arrival, sequence)
  root = schema
  isPlain = schema !== 0
  lines = 0
  events = 0
  hasCarriageReturns = false
  hasByteOrderMark = false
  isBegun = false
  isFilled = false
  endsInReturn = false
  marked = 0
  // Without columns, the engine reads the times.
  beginTimes(!hasColumns || hasTimeColumn)
}

/** Reads bytes; returns the number of bytes at their end that must be passed again, in front of the next. */
export function push(start: usize, end: usize): usize {
  clearOutput()
  let at = start
  if (isPlain) {
    const complete = completeLinesEnd(start, end)
    at = examine(start, complete)
    if (isPlain && end - complete <= MAX_LINE) return end - complete
    isPlain = false
  }
  count(at, end)
  return 0
}

/** Reads the bytes that must be passed again after the last ones, and writes one byte after them. */
export function finish(start: usize, end: usize): void {
  clearOutput()
  let at = start
  if (isPlain && end > start) {
    store<u8>(end, LINE_FEED)
    at = examine(start, end + 1)
  }
  if (!isPlain) count(at, end)
  if (isBegun) endLine()
}

/** Examines complete lines; returns the start of the first that is not a plain event, or `end`. */
function examine(start: usize, end: usize): usize {
  let at = start
  let blockStart = start
  while (at < end) {
    const byte = load<u8>(at)
    if (byte === LINE_FEED) {
      lines++
      at++
    } else if (byte === RETURN && load<u8>(at, 1) === LINE_FEED) {
      hasCarriageReturns = true
      lines++
      at += 2
    } else {
      const lineEnd = eventEnd(at, root, ++examined, newRow())
      if (lineEnd === 0) {
        isPlain = false
        return at
      }
      if (load<u8>(lineEnd - 1) === RETURN) hasCarriageReturns = true
      const isFull = addRow(lines, at, lineEnd)
      lines++
      events++
      at = lineEnd + 1
      if (isFull) {
        endBlock(<u32>(at - blockStart))
        blockStart = at
      }
    }
  }
  // The bytes of these lines are replaced by others.
  endBlock(<u32>(at - blockStart))
  return at
}

function count(start: usize, end: usize): void {
  let at = lines === 0 && marked >= 0 ? skipByteOrderMark(start, end) : start
  while (at < end) {
    const lineEnd = lineFeed(at, end)
    if (lineEnd > at) {
      isBegun = true
      endsInReturn = load<u8>(lineEnd - 1) === RETURN
      if (!isFilled) isFilled = !isBlank(at, lineEnd)
    }
    if (lineEnd === end) return
    endLine()
    at = lineEnd + 1
  }
}

function endLine(): void {
  lines++
  if (isFilled) events++
  if (endsInReturn) hasCarriageReturns = true
  isBegun = false
  isFilled = false
  endsInReturn = false
  marked = -1
}

/** The byte-order mark may be cut between pieces. */
function skipByteOrderMark(at: usize, end: usize): usize {
  while (marked >= 0 && marked < 3 && at < end) {
    if (load<u8>(at) === (marked === 0 ? 0xef : marked === 1 ? 0xbb : 0xbf)) {
      isBegun = true
      isFilled = ++marked < 3
      at++
    } else marked = -1
  }
  if (marked === 3) {
    hasByteOrderMark = true
    marked = -1
  }
  return at
}

/** Returns the position after the last line feed; `start` when there is none. */
function completeLinesEnd(start: usize, end: usize): usize {
  while (end > start && load<u8>(end - 1) !== LINE_FEED) end--
  return end
}

/** Returns the position of the first line feed; `end` when there is none. */
function lineFeed(at: usize, end: usize): usize {
  while (at < end) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)))
    if (found !== 0) return min(at + ctz(found), end)
    at += 16
  }
  return end
}

function isBlank(at: usize, end: usize): bool {
  for (; at < end; at++) {
    const byte = load<u8>(at)
    if (byte !== SPACE && byte !== TAB && byte !== RETURN) return false
  }
  return true
}
