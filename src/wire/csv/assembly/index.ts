// An AssemblyScript program, like `render/transpose/assembly/`: rows of CSV as lines of JSON. Rows that are malformed or have too many
// cells are left to the host. `bin/build/wasm.mjs` compiles it to `dist/csv-rows.wasm`, which `wire/csv/csv-rows.ts` loads.

import {
  CLOSE_OBJECT,
  COMMA,
  LINE_FEED,
  MINUS,
  NINE,
  OPEN_OBJECT,
  QUOTE,
  RETURN,
  ZERO,
} from '../../assembly/bytes'

export { powers } from '../../assembly/real'

import { isNumber } from './number'
import { bareEnd, lineFeeds, MOST_ESCAPED, putText, quotedEnd } from './text'

/** The last row is incomplete, or there is none. */
const INCOMPLETE: u32 = 0
/** The output has no room for the next row. */
const FULL: u32 = 1
/** The next row is for the host. */
const OTHER: u32 = 2

/** A key as it is written: `"name":` at an address. */
const KEY_BYTES: usize = 8
const KEY_LENGTH: usize = 4
/** A comma, two quotes, a closing brace and a line feed, and the bytes that are written after a text. */
const CELL_SPARE: usize = 32

/** The reason for which the last conversion ended, one of the constants above. */
export let stop: u32 = INCOMPLETE
/** The position after the output. */
export let outputEnd: usize = 0
/** The numbers of rows and of lines that were converted. */
export let rows: u32 = 0
export let lines: u32 = 0

let keys: usize = 0
let keysEnd: usize = 0
let delimiter: u8 = COMMA
let output: usize = 0
let outputLimit: usize = 0

/** Sets the names of the fields and the delimiter, and the memory for the output. */
export function begin(
  table: usize,
  count: u32,
  delimiterByte: u8,
  out: usize,
  outBytes: usize,
): void {
  keys = table
  keysEnd = table + <usize>count * KEY_BYTES
  delimiter = delimiterByte
  output = out
  outputLimit = out + outBytes
}

/** Converts rows up to `end`; returns the position of the first one that was not converted. */
export function convert(start: usize, end: usize): usize {
  outputEnd = output
  rows = 0
  lines = 0
  let lastFeed = end
  while (lastFeed > start && load<u8>(lastFeed - 1) !== LINE_FEED) lastFeed--
  stop = INCOMPLETE
  let at = start
  while (at < lastFeed) {
    const next = putRow(at, lastFeed)
    if (next === 0) break
    at = next
  }
  return at
}

/** Writes a row; returns the position after it, or 0 with `stop` set. `end` is after a line feed. */
function putRow(start: usize, end: usize): usize {
  if (outputEnd + CELL_SPARE > outputLimit) return stopped(FULL)
  const empty = emptyLineEnd(start)
  if (empty !== 0) return endRow(outputEnd, empty, 1)
  let to = outputEnd
  let feeds: u32 = 1
  let at = start
  store<u8>(to++, OPEN_OBJECT)
  for (let key = keys; key < keysEnd; key += KEY_BYTES) {
    if (!readCell(at, end)) return 0
    if (isQuoted) feeds += lineFeeds
    if (isQuoted || textEnd > textStart) {
      const room = load<u32>(key, KEY_LENGTH) + (textEnd - textStart) * MOST_ESCAPED
      if (to + room + feeds + CELL_SPARE > outputLimit) return stopped(FULL)
      to = putMember(to, key)
    }
    at = cellEnd
    if (!isLast) continue
    store<u8>(to++, CLOSE_OBJECT)
    rows++
    return endRow(to, at, feeds)
  }
  return stopped(OTHER)
}

/** The cell read last: its text, whether that was in quotes, and the position after its delimiter or line end. */
let textStart: usize = 0
let textEnd: usize = 0
let isQuoted: bool = false
let cellEnd: usize = 0
/** True for the last cell of a row. */
let isLast: bool = false

/** Reads the cell at a position; returns false, with `stop` set, when it is incomplete or malformed. */
function readCell(at: usize, end: usize): bool {
  isQuoted = load<u8>(at) === QUOTE
  textStart = isQuoted ? at + 1 : at
  textEnd = isQuoted ? quotedEnd(textStart, end) : bareEnd(textStart, i8x16.splat(<i8>delimiter))
  if (textEnd === 0) return false
  let next = isQuoted ? textEnd + 1 : textEnd
  isLast = load<u8>(next) !== delimiter
  if (isLast) {
    if (load<u8>(next) === RETURN && load<u8>(next, 1) === LINE_FEED) next++
    if (load<u8>(next) !== LINE_FEED) {
      stop = OTHER
      return false
    }
    // Without quotes, the carriage return of the line end is in front of the line feed.
    if (!isQuoted && textEnd > textStart && load<u8>(textEnd - 1) === RETURN) textEnd--
  }
  cellEnd = next + 1
  return true
}

function stopped(reason: u32): usize {
  stop = reason
  return 0
}

/** Returns the position after an empty line; 0 for any other. */
function emptyLineEnd(at: usize): usize {
  if (load<u8>(at) === LINE_FEED) return at + 1
  return load<u8>(at) === RETURN && load<u8>(at, 1) === LINE_FEED ? at + 2 : 0
}

/** Ends the line of a row, and adds an empty line for each of its further lines. */
function endRow(to: usize, next: usize, feeds: u32): usize {
  for (let i: u32 = 0; i < feeds; i++) store<u8>(to++, LINE_FEED)
  lines += feeds
  outputEnd = to
  return next
}

/** Writes a field with the cell as its value; returns the position after it. */
function putMember(out: usize, key: usize): usize {
  let to = out
  if (load<u8>(to - 1) !== OPEN_OBJECT) store<u8>(to++, COMMA)
  to = putBytes(to, load<u32>(key), load<u32>(key, KEY_LENGTH))
  if (isBare(textStart, textEnd)) return putBytes(to, textStart, textEnd - textStart)
  store<u8>(to++, QUOTE)
  to = putText(to, textStart, textEnd, isQuoted)
  store<u8>(to++, QUOTE)
  return to
}

function putBytes(to: usize, from: usize, length: usize): usize {
  for (let i: usize = 0; i < length; i += 16) v128.store(to + i, v128.load(from + i))
  return to + length
}

/** True when the value of a cell is a number or a boolean. */
function isBare(start: usize, end: usize): bool {
  if (start === end) return false
  const first = load<u8>(start)
  if (first <= NINE) return (first >= ZERO || first === MINUS) && isNumber(start, end)
  const word = load<u32>(start)
  // `true`, and the first four bytes of `false`.
  if (end - start === 4) return word === 0x6575_7274
  return end - start === 5 && word === 0x736c_6166 && load<u8>(start, 4) === 0x65
}
