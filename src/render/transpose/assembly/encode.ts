// Copies the cells found by the scan into rows.

import {
  CLOSE_OBJECT,
  LINE_FEED,
  LOWER_N,
  OPEN_ARRAY,
  OPEN_OBJECT,
  QUOTE,
} from '../../../wire/assembly/bytes'
import { copy } from './copy'
import { encodeJson } from './host'
import { writeDelimitedJson } from './json'
import { MARK, PLACE, PLACE_BYTES } from './places'

/** The end of the last row written. */
export let written: usize = 0

/** Sets `written`. */
export function setWritten(at: usize): void {
  written = at
}

/**
 * Writes rows as delimited lines, as many as fit in front of `limit`; returns the first row not written. A cell takes
 * up to twice its bytes and two quotes. `order` holds `wide` column indices, `u32` each.
 */
export function encodeDelimited(
  places: usize,
  rows: i32,
  order: usize,
  wide: i32,
  from: i32,
  to: i32,
  out: usize,
  limit: usize,
  delimiter: u32,
  nothing: u32,
  nothingBytes: i32,
  quotes: bool,
): i32 {
  let at = out
  for (let row = from; row < to; row++) {
    written = at
    if (at + 2 * rowBytes(places, rows, order, wide, row) + 3 * wide + 1 > limit) return row
    for (let i = 0; i < wide; i++) {
      const place = placeOf(places, rows, order, i, row)
      const first = load<u32>(place)
      const last = load<u32>(place, 4)
      let start: usize = first & PLACE
      let end: usize = last & PLACE
      const byte = load<u8>(start)
      if (i > 0) store<u8>(at++, <u8>delimiter)
      if (byte === QUOTE) {
        if (first & MARK) {
          at += encodeJson(start, end, at)
          continue
        }
        // Quotes around a string without escapes are the same in JSON and in CSV.
        if (!quotes || ((last & MARK) === 0 && end - start > 2)) {
          start++
          end--
        }
      } else if (byte === LOWER_N) {
        store<u32>(at, nothing)
        at += nothingBytes
        continue
      } else if ((byte === OPEN_ARRAY || byte === OPEN_OBJECT) && ((first | last) & MARK) !== 0) {
        at = writeDelimitedJson(start, end, at, quotes)
        continue
      }
      copy(at, start, end - start)
      at += end - start
    }
    store<u8>(at++, LINE_FEED)
  }
  written = at
  return to
}

/**
 * Writes rows as JSON objects, one per line, as many as fit in front of `limit`; returns the first row not written. The
 * key of each column, `,"name":`, is given by two `u32`s at `keys`: its start and end. A cell with invalid UTF-8 takes up to
 * twice its bytes: the replacement character, of three bytes, stands for each run of invalid bytes.
 */
export function encodeNdjson(
  places: usize,
  rows: i32,
  order: usize,
  wide: i32,
  from: i32,
  to: i32,
  out: usize,
  limit: usize,
  keys: usize,
  keyBytes: i32,
): i32 {
  let at = out
  for (let row = from; row < to; row++) {
    written = at
    if (at + 2 * rowBytes(places, rows, order, wide, row) + keyBytes + 2 > limit) return row
    for (let i = 0; i < wide; i++) {
      const key: usize = load<u32>(keys + ((<usize>i) << 3))
      const keyLength: usize = <usize>load<u32>(keys + ((<usize>i) << 3), 4) - key
      copy(at, key, keyLength)
      at += keyLength
      const place = placeOf(places, rows, order, i, row)
      const first = load<u32>(place)
      const start: usize = first & PLACE
      const end: usize = load<u32>(place, 4) & PLACE
      if (first & MARK && load<u8>(start) !== QUOTE) {
        // A nested value with line ends would break the line.
        at += encodeJson(start, end, at)
      } else {
        copy(at, start, end - start)
        at += end - start
      }
    }
    store<u8>(at++, CLOSE_OBJECT)
    store<u8>(at++, LINE_FEED)
  }
  written = at
  return to
}

/** Returns the number of bytes of the values in a row. */
export function rowBytes(places: usize, rows: i32, order: usize, wide: i32, row: i32): usize {
  let bytes: usize = 0
  for (let i = 0; i < wide; i++) {
    const place = placeOf(places, rows, order, i, row)
    bytes += (load<u32>(place, 4) & PLACE) - (load<u32>(place) & PLACE)
  }
  return bytes
}

function placeOf(places: usize, rows: i32, order: usize, i: i32, row: i32): usize {
  const column = load<u32>(order + ((<usize>i) << 2))
  return places + (<usize>column * rows + row) * PLACE_BYTES
}
