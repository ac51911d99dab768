// An AssemblyScript program, like `wire/csv/assembly/`: lines of NDJSON with the times that the host reads in their fields, and with
// normalized levels. Lines whose level is not known, and lines of any other kind, are left to the host. `bin/build/wasm.mjs`
// compiles it to `dist/line-rewriter.wasm`, which `input/mapping/line-rewriter.ts` loads.

import {
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
  RETURN,
  SPACE,
  spaceEnd,
  TAB,
} from '../../../wire/assembly/bytes'
import { stringEnd } from '../../../wire/assembly/string'
import { hostTime } from './host'

/** All complete lines are written. */
const INCOMPLETE: u32 = 0
/** The output has no room for the next line. */
const FULL: u32 = 1
/** The next line is for the host. */
const OTHER: u32 = 2

/** A level as it is written and the text that is written for it: their addresses and lengths; and 1 if the text has two members. */
const VALUE_BYTES: usize = 20
/** A key: its address and length. */
const KEY_BYTES: usize = 8
/** Results of `findMember`. */
const MISSING: usize = 0
const UNREADABLE: usize = usize.MAX_VALUE
/** Stands for the length of the text of a level that is not changed. */
const UNCHANGED: u32 = u32.MAX_VALUE
const MOST_TEXT: usize = 512
/** Longer texts of the fields that form a time are left to the host. A time is not much longer than its text. */
const MOST_TIME: usize = 64

/** The bit of a mark for a line with a time in front of its first member. */
const TIMED: u8 = 0x80
/** The bit of a mark for a line whose fields have another text than a time. */
const INVALID: u8 = 0x40

/** The first four bytes of `"level"`, and the last four of `"severity_text"`. */
const LEVEL_START: u32 = 0x7665_6c22
const TEXT_END: u32 = 0x2274_7865

/** The reason for which the last call ended, one of the constants above. */
export let stop: u32 = INCOMPLETE
/** The position after the output. */
export let outputEnd: usize = 0
/** The number of lines that were written. */
export let lines: u32 = 0

/** The keys that lead to the level, one in the other; behind them are `level`, `severity_text`, and the key of
 * events with a default. */
let keys: usize = 0
let keysEnd: usize = 0
/** The position of the comma or bracket after the member that was found last. */
let memberEnd: usize = 0
/** True when the text replaces the level; otherwise it is inserted in front of the first member. */
let isOwn: bool = false
/** True when the first value is the level of events without one. */
let hasDefault: bool = false
let values: usize = 0
let valuesEnd: usize = 0
/** The keys of the fields that form the time: no, one or two keys. */
let timeKeys: usize = 0
let timeKeysEnd: usize = 0
/** The address of the text that `hostTime` writes. */
let timeText: usize = 0
/** The position up to which the line has been written. */
let copied: usize = 0
let marks: usize = 0
let output: usize = 0
let outputLimit: usize = 0
/** The value that was found last. */
let last: usize = 0
/** The mark of the line that was written last. */
let mark: u8 = 0

export function begin(
  path: usize,
  pathLength: u32,
  own: bool,
  withDefault: bool,
  table: usize,
  count: u32,
): void {
  keys = path
  keysEnd = path + <usize>pathLength * KEY_BYTES
  isOwn = own
  hasDefault = withDefault
  values = last = table
  valuesEnd = table + <usize>count * VALUE_BYTES
}

/** Sets the fields that form the time, and the memory for the text that the host writes. */
export function setTime(fields: usize, count: u32, text: usize): void {
  timeKeys = fields
  timeKeysEnd = fields + <usize>count * KEY_BYTES
  timeText = text
}

/**
 * Sets the memory for the output, and for a mark of each line: the number of the value that is changed, from 1, or 0; and `TIMED`
 * or `INVALID`.
 */
export function setOutput(start: usize, bytes: usize, marksAt: usize): void {
  marks = marksAt
  output = start
  outputLimit = start + bytes
}

/** Writes the complete lines up to `end`; returns the position of the first one that was not written. */
export function rewrite(start: usize, end: usize): usize {
  outputEnd = output
  lines = 0
  stop = INCOMPLETE
  let lastFeed = end
  while (lastFeed > start && load<u8>(lastFeed - 1) !== LINE_FEED) lastFeed--
  let at = start
  while (at < lastFeed) {
    const next = lineEnd(at)
    if (outputEnd + (next - at) + MOST_TEXT > outputLimit) {
      stop = FULL
      break
    }
    const before = outputEnd
    if (!putLine(at, next)) {
      outputEnd = before
      stop = OTHER
      break
    }
    store<u8>(marks + lines++, mark)
    at = next
  }
  return at
}

/** Writes a line; returns false when the host must write it. */
function putLine(start: usize, end: usize): bool {
  mark = 0
  copied = start
  if (timeKeys < timeKeysEnd && !putTime(start, end)) return false
  if (keys < keysEnd && !putLevelOf(start, end)) return false
  putUpTo(end)
  return true
}

/** Inserts the time in front of the first member; returns false when the host must write the line. */
function putTime(start: usize, end: usize): bool {
  if (load<u8>(start) !== OPEN_OBJECT) return false
  const date = findMember(start, end, timeKeys)
  if (date === UNREADABLE) return false
  const dateEnd = date === MISSING ? MISSING : contentEnd(memberEnd)
  let time = MISSING
  let timeEnd = MISSING
  if (timeKeys + KEY_BYTES < timeKeysEnd) {
    time = findMember(start, end, timeKeys + KEY_BYTES)
    if (time === UNREADABLE) return false
    if (time !== MISSING) timeEnd = contentEnd(memberEnd)
  }
  if (dateEnd - date + (timeEnd - time) > MOST_TIME) return false
  const length = hostTime(date, dateEnd, time, timeEnd)
  if (length === u32.MAX_VALUE) mark = INVALID
  if (mark === INVALID || length === 0) return true
  putUpTo(start + 1)
  put(timeText, timeText + length)
  mark = TIMED
  return true
}

/** Writes a line up to its level, and the level; returns false when the host must write the line. */
function putLevelOf(start: usize, end: usize): bool {
  let value = start
  for (let key = keys; key < keysEnd; key += KEY_BYTES) {
    if (load<u8>(value) !== OPEN_OBJECT) return false
    value = findMember(value, end, key)
    if (value === UNREADABLE) return false
    if (value === MISSING) return putDefault(start, end)
  }
  return putLevel(start, end, value, contentEnd(memberEnd))
}

/** Writes the first value for a line without a level that has the last key. */
function putDefault(start: usize, end: usize): bool {
  const isKnown = hasDefault && findMember(start, end, keysEnd + 2 * KEY_BYTES) !== MISSING
  return !isKnown || putInserted(start, end, values)
}

/** Inserts a level in front of the first member; returns false for an event that has one. */
function putInserted(start: usize, end: usize, value: usize): bool {
  // Searching takes less time than reading the members.
  const mayHaveLevel = find(start, end, LEVEL_START) !== 0
  if (mayHaveLevel && findMember(start, end, keysEnd) !== MISSING) return false
  putUpTo(start + 1)
  putText(value)
  return true
}

/** Writes the text of a value, and marks the line. */
function putText(value: usize): void {
  const text = <usize>load<u32>(value, 8)
  put(text, text + load<u32>(value, 12))
  mark |= <u8>((value - values) / VALUE_BYTES + 1)
}

/** Returns the position of the value of the first member with a key, `MISSING` or `UNREADABLE`. `end` is after the line. */
function findMember(object: usize, end: usize, key: usize): usize {
  let at = object
  do {
    const open = spaceEnd(at + 1)
    if (load<u8>(open) !== QUOTE) return UNREADABLE
    const name = open + 1
    const nameEnd = stringEnd(name)
    if (nameEnd === 0) return UNREADABLE
    const colon = spaceEnd(nameEnd)
    if (load<u8>(colon) !== COLON) return UNREADABLE
    const value = spaceEnd(colon + 1)
    at = memberEnd = valueEnd(value, end)
    if (at <= value) return UNREADABLE
    if (isText(key, name, nameEnd - 1)) return value
  } while (load<u8>(at) === COMMA)
  return load<u8>(at) === CLOSE_OBJECT ? MISSING : UNREADABLE
}

/** Writes the level between two positions; returns false when the host must write the line. */
function putLevel(start: usize, end: usize, from: usize, to: usize): bool {
  const value = valueAt(from, to)
  if (value === 0) return false
  if (load<u32>(value, 12) === UNCHANGED) return true
  if (!isOwn) return putInserted(start, end, value)
  // The event may already have `severity_text`.
  const mayHaveText = load<u32>(value, 16) !== 0 && find(start, end, TEXT_END) !== 0
  if (mayHaveText && findMember(start, end, keysEnd + KEY_BYTES) !== MISSING) return false
  putUpTo(from)
  putText(value)
  copied = to
  return true
}

/** Returns the value between two positions; 0 for one that is not known. */
function valueAt(from: usize, to: usize): usize {
  if (last < valuesEnd && isText(last, from, to)) return last
  for (let value = values; value < valuesEnd; value += VALUE_BYTES) {
    if (!isText(value, from, to)) continue
    last = value
    return value
  }
  return 0
}

/** True when the text between two positions is the one whose address and length are at `text`. */
function isText(text: usize, from: usize, to: usize): bool {
  const length = <usize>load<u32>(text, 4)
  return to - from === length && memory.compare(from, load<u32>(text), length) === 0
}

/** Returns the position of four bytes; 0 when they do not occur. */
function find(start: usize, end: usize, bytes: u32): usize {
  const first = i8x16.splat(<i8>bytes)
  const second = i8x16.splat(<i8>(bytes >> 8))
  for (let at = start; at < end; at += 16) {
    const pairs = v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at, 1), second))
    for (let bits = i8x16.bitmask(pairs); bits !== 0; bits &= bits - 1) {
      const found = at + ctz(bits)
      if (found + 4 <= end && load<u32>(found) === bytes) return found
    }
  }
  return 0
}

/** Returns the position after the next line feed. */
function lineEnd(start: usize): usize {
  let at = start
  while (feedsAt(at) === 0) at += 16
  return at + ctz(feedsAt(at)) + 1
}

function feedsAt(at: usize): i32 {
  return i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(<i8>LINE_FEED)))
}

/** Returns the position of the comma or bracket after a value; 0 when there is none before `end`. */
function valueEnd(start: usize, end: usize): usize {
  let depth = 0
  let at = start
  while (at < end) {
    const byte = load<u8>(at)
    if (byte === QUOTE) {
      at = stringEnd(at + 1)
      if (at === 0) return 0
      continue
    }
    if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) depth++
    else if (depth === 0 && (byte === COMMA || byte === CLOSE_OBJECT || byte === CLOSE_ARRAY))
      return at
    else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) depth--
    at++
  }
  return 0
}

/** Returns the position after the last byte in front of `end` that is not white space. */
function contentEnd(end: usize): usize {
  let at = end
  while (isSpace(load<u8>(at - 1))) at--
  return at
}

function isSpace(byte: u8): bool {
  return byte === SPACE || byte === TAB || byte === RETURN || byte === LINE_FEED
}

/** Writes the part of the line up to a position that has not been written. */
function putUpTo(end: usize): void {
  put(copied, end)
  copied = end
}

function put(start: usize, end: usize): void {
  memory.copy(outputEnd, start, end - start)
  outputEnd += end - start
}
