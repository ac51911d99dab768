// Writes the columns of a block in the format Native as rows.

import { CLOSE_OBJECT, LINE_FEED, LOWER_E, QUOTE, SPACE } from '../../../wire/assembly/bytes'
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types
import {
  COLUMN_BYTES,
  Column,
  findText,
  foreign,
  isNull,
  JSON_TEXT,
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
import { setWritten } from './encode'
import { encodeForeign } from './host'
import { isJsonNull, writeDelimitedJson, writeJson } from './json'
// biome-ignore lint/style/useImportType: AssemblyScript has no imports of types
import { Members, readMembers } from './members'
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
/** The maximum number of bytes written for one byte of text, and room for the texts of most rows. */
const TEXT_FACTOR: usize = 6
const USUAL_BYTES: usize = 4096

/**
 * Writes rows as lines, as many as fit in front of `limit`; returns the first row not written, and sets `written`. `columns` has
 * the states of `wide` columns, and `members` the state of the remainders of which some are members, or is 0. `keys` has the start
 * and the end of the key of each column, two `u32`s: the bytes in front of its cells. Null is written as `nothing`. Lines of the
 * form `JSON_LINES` end with a brace.
 */
export function encodeNative(
  columns: usize,
  wide: i32,
  members: usize,
  from: i32,
  to: i32,
  out: usize,
  limit: usize,
  keys: usize,
  keyBytes: usize,
  nothing: u32,
  nothingBytes: i32,
  form: i32,
): i32 {
  const fixed = <usize>wide * CELL_BYTES + keyBytes
  let at = out
  setWritten(at)
  seek(columns, wide, from)
  for (let row = from; row < to; row++) {
    setWritten(at)
    if (at + fixed + (row > from ? USUAL_BYTES : 0) > limit) return ended(columns, wide, row)
    if (members !== 0) readMembers(changetype<Members>(members), row)
    for (let i = 0; i < wide; i++) {
      const column = changetype<Column>(columns + <usize>i * COLUMN_BYTES)
      const key: usize = load<u32>(keys + ((<usize>i) << 3))
      const keyLength: usize = <usize>load<u32>(keys + ((<usize>i) << 3), 4) - key
      copy(at, key, keyLength)
      at += keyLength
      if (!findCell(column, row)) {
        store<u32>(at, nothing)
        at += nothingBytes
      } else if (column.kind > JSON_TEXT) {
        at = writeWord(column, row, at, form)
      } else {
        if (!hasRoom(at + fixed, limit)) return ended(columns, wide, row, u32.MAX_VALUE)
        at = column.kind === TEXT ? writeText(at, form) : writeValue(at, form)
      }
    }
    if (form === JSON_LINES) store<u8>(at++, CLOSE_OBJECT)
    store<u8>(at++, LINE_FEED)
  }
  setWritten(at)
  return ended(columns, wide, to)
}

/** Records the row at which the columns stand, the maximum if they stand within a row. Returns the first row not written. */
function ended(columns: usize, wide: i32, row: i32, position: u32 = row): i32 {
  standAt(columns, wide, position)
  return row
}

/** The text found by `findCell` without the spaces around it. */
let jsonStart: usize = 0
let jsonEnd: usize = 0

/** Finds a cell, and the text of a cell that has one; returns false for null. */
function findCell(column: Column, row: i32): bool {
  if (column.kind > JSON_TEXT) return !isNull(column, row)
  if (!findText(column, row)) return false
  if (column.kind === TEXT) return true
  jsonStart = textStart
  jsonEnd = textEnd
  while (jsonStart < jsonEnd && load<u8>(jsonStart) <= SPACE) jsonStart++
  while (jsonStart < jsonEnd && load<u8>(jsonEnd - 1) <= SPACE) jsonEnd--
  return !isJsonNull(jsonStart, jsonEnd)
}

function hasRoom(at: usize, limit: usize): bool {
  return at < limit && (textEnd - textStart) * TEXT_FACTOR < limit - at
}

/** Writes a cell that is a text. */
function writeText(out: usize, form: i32): usize {
  if (form === CSV) return writeCsvText(textStart, textEnd, out)
  if (form === TSV) return writeTsvText(textStart, textEnd, out)
  return writeString(textStart, textEnd, out)
}

/** Writes a cell that is JSON. */
function writeValue(out: usize, form: i32): usize {
  if (foreign !== 0) return out + encodeForeign(jsonStart, jsonEnd, out, foreign === 2)
  if (form === JSON_LINES) return writeJson(jsonStart, jsonEnd, out)
  return writeDelimitedJson(jsonStart, jsonEnd, out, form === CSV)
}

/** Writes an integer, a boolean or a time. */
function writeWord(column: Column, row: i32, out: usize, form: i32): usize {
  if (column.kind === SIGNED) return writeSigned(signed(column, row), out)
  if (column.kind === UNSIGNED) return writeUnsigned(unsigned(column, row), out)
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
