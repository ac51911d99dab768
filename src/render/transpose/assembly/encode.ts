// Writes columns as rows.

import { CLOSE_OBJECT, LINE_FEED, LOWER_E, QUOTE, SPACE } from '../../../wire/assembly/bytes'
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types
import {
  COLUMN_BYTES,
  Column,
  DOCUMENT,
  findText,
  foreign,
  isNull,
  JSON_TEXT,
  REAL,
  SIGNED,
  seek,
  signed,
  standAt,
  TEXT,
  TIME,
  textEnd,
  textStart,
  UNSIGNED,
  unsigned,
} from './column'
import { copy } from './copy'
import { encodeForeign, encodeReal } from './host'
import { isJsonNull, writeDelimitedJson, writeEngineJson, writeJson } from './json'
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types
import { foreignReasons, INSIDE, Members, NUMBER, readMembers } from './members'
import { writeSigned, writeTime, writeUnsigned } from './number'
import { writeCsvText, writeString, writeTsvText } from './text'

/** The form of the lines. */
const CSV: i32 = 0
const TSV: i32 = 1
const JSON_LINES: i32 = 2

/** `true` and `fals` as four bytes. */
const TRUE: u32 = 0x6575_7274
const FALS: u32 = 0x736c_6166

/** The maximum size of a cell that is not a text, without its key. */
const CELL_BYTES: usize = 40
/** The maximum number of bytes written for one byte of text. */
const TEXT_FACTOR: usize = 6
/** The maximum number of bytes written for one byte of JSON, without two quotes: invalid bytes are replaced by three. */
const JSON_FACTOR: usize = 3
/** Room for the texts of most rows. */
const USUAL_BYTES: usize = 4096

/** The end of the last row written. */
export let written: usize = 0

/** The arguments of the last call of `encode` that are the same for all rows. */
let keys: usize = 0
let nothing: u32 = 0
let nothingBytes: i32 = 0
let form: i32 = CSV

/**
 * Writes rows as lines, as many as fit in front of `limit`; returns the first row not written, and sets `written`. `columns` has
 * the states of `wide` columns, and `members` the state of the remainders of which some are members, or is 0. `keysAt` has the start
 * and the end of the key of each column, two `u32`s: the bytes in front of its cells. Null is written as the first `nullBytes` bytes
 * of `nullText`. Lines of the form `JSON_LINES` end with a brace.
 */
export function encode(
  columns: usize,
  wide: i32,
  members: usize,
  from: i32,
  to: i32,
  out: usize,
  limit: usize,
  keysAt: usize,
  keyBytes: usize,
  nullText: u32,
  nullBytes: i32,
  lineForm: i32,
): i32 {
  keys = keysAt
  nothing = nullText
  nothingBytes = nullBytes
  form = lineForm
  const fixed = <usize>wide * CELL_BYTES + keyBytes
  let at = out
  seek(columns, wide, from)
  for (let row = from; row < to; row++) {
    written = at
    if (at + fixed + (row > from ? USUAL_BYTES : 0) > limit) return ended(columns, wide, row)
    if (members !== 0) readMembers(changetype<Members>(members), row)
    const rowEnd = writeRow(columns, wide, row, at, limit - fixed)
    if (rowEnd === 0) return ended(columns, wide, row, u32.MAX_VALUE)
    at = rowEnd
    if (form === JSON_LINES) store<u8>(at++, CLOSE_OBJECT)
    store<u8>(at++, LINE_FEED)
  }
  written = at
  return ended(columns, wide, to)
}

/** Writes the cells of a row; returns the address after them, or 0 when they do not fit in front of `limit`. */
function writeRow(columns: usize, wide: i32, row: i32, out: usize, limit: usize): usize {
  let at = out
  for (let i = 0; i < wide; i++) {
    const column = changetype<Column>(columns + <usize>i * COLUMN_BYTES)
    at = writeKey(keys + ((<usize>i) << 3), at)
    if (!findCell(column, row)) {
      store<u32>(at, nothing)
      at += nothingBytes
    } else if (column.kind > DOCUMENT) {
      at = writeWord(column, row, at)
    } else {
      const isJson = column.kind === JSON_TEXT && foreign === 0
      if (!hasRoom((end - start) * (isJson ? JSON_FACTOR : TEXT_FACTOR), at, limit)) return 0
      at = column.kind === TEXT ? writeText(at) : writeValue(column, at)
    }
  }
  return at
}

/** Writes the text in front of a cell. */
function writeKey(place: usize, out: usize): usize {
  const key: usize = load<u32>(place)
  const length: usize = <usize>load<u32>(place, 4) - key
  copy(out, key, length)
  return out + length
}

/** Records the row at which the columns stand, the maximum if they stand within a row. Returns the first row not written. */
function ended(columns: usize, wide: i32, row: i32, position: u32 = row): i32 {
  standAt(columns, wide, position)
  return row
}

function hasRoom(bytes: usize, at: usize, limit: usize): bool {
  return at < limit && bytes < limit - at
}

/** The text of the cell found by `findCell`, without the spaces around JSON. */
let start: usize = 0
let end: usize = 0

/** Finds a cell, and the text of a cell that has one; returns false for null. */
function findCell(column: Column, row: i32): bool {
  if (column.kind > DOCUMENT) return !isNull(column, row)
  if (!findText(column, row)) return false
  start = textStart
  end = textEnd
  if (column.kind === TEXT) return true
  while (start < end && load<u8>(start) <= SPACE) start++
  while (start < end && load<u8>(end - 1) <= SPACE) end--
  return !isJsonNull(start, end)
}

function writeText(out: usize): usize {
  if (form === CSV) return writeCsvText(start, end, out)
  if (form === TSV) return writeTsvText(start, end, out)
  return writeString(start, end, out)
}

/** Writes a cell that is JSON. */
function writeValue(column: Column, out: usize): usize {
  const reasons = column.kind === DOCUMENT ? foreignReasons(start, end) : foreign
  // A delimited string is a text, whichever way its JSON is written.
  if (reasons !== 0 && (form === JSON_LINES || load<u8>(start) !== QUOTE)) {
    const isLine = form === JSON_LINES
    const spare = out + 4 * (end - start) + CELL_BYTES
    const json = isLine ? out : spare
    const jsonEnd =
      (reasons & NUMBER) !== 0 ? 0 : writeEngineJson(start, end, json, isLine ? spare : out)
    if (jsonEnd === 0) return out + encodeForeign(start, end, out, (reasons & INSIDE) !== 0)
    return isLine ? jsonEnd : writeDelimitedJson(json, jsonEnd, out, form === CSV)
  }
  if (form === JSON_LINES) return writeJson(start, end, out)
  return writeDelimitedJson(start, end, out, form === CSV)
}

/** Writes a number, a boolean or a time. */
function writeWord(column: Column, row: i32, out: usize): usize {
  if (column.kind === SIGNED) return writeSigned(signed(column, row), out)
  if (column.kind === UNSIGNED) return writeUnsigned(unsigned(column, row), out)
  if (column.kind === REAL) {
    return out + encodeReal(reinterpret<f64>(unsigned(column, row)), out)
  }
  if (column.kind === TIME) {
    const time = signed(column, row)
    if (form !== JSON_LINES) return writeTime(column, time, out)
    store<u8>(out, QUOTE)
    const end = writeTime(column, time, out + 1)
    store<u8>(end, QUOTE)
    return end + 1
  }
  const isTrue = unsigned(column, row) !== 0
  store<u32>(out, isTrue ? TRUE : FALS)
  if (isTrue) return out + 4
  store<u8>(out, LOWER_E, 4)
  return out + 5
}
