// Every byte of every page is scanned here, once. Zeros follow the bytes; JSON does not contain zeros, so the scan stops
// there without checking for the end.

import {
  BACKSLASH,
  CLOSE_ARRAY,
  CLOSE_OBJECT,
  COMMA,
  LINE_FEED,
  LOWER_A,
  LOWER_Z,
  NINE,
  OPEN_ARRAY,
  OPEN_OBJECT,
  PLUS,
  QUOTE,
  RETURN,
  SLASH,
  SPACE,
  TAB,
  UPPER_E,
} from '../../../wire/assembly/bytes'

/** The bytes of the place of a value: its start and its end, `u32` each. */
const PLACE_BYTES: usize = 8

/** `null` read as four bytes. */
const NULL: u32 = 0x6c6c_756e

/** The result of a scan: number of columns, rows per column, and the position after the columns. */
export let columns: i32 = 0
export let rows: i32 = 0
export let end: usize = 0

/** The current position. */
let at: usize = 0

/**
 * Finds the values of `[[…], […]]`, which begins at `start`, and writes their positions to `places`; returns false for
 * unusual JSON, and when no memory is left. Values are checked only as far as needed to find their end.
 */
export function scan(start: usize, places: usize): bool {
  let room = (<usize>memory.size()) << 16
  let place = places
  columns = 0
  rows = 0
  at = start
  if (load<u8>(at) !== OPEN_ARRAY) return false
  at++
  if (next() === CLOSE_ARRAY) {
    end = at + 1
    return true
  }
  while (true) {
    if (load<u8>(at) !== OPEN_ARRAY) return false
    at++
    const first = place
    let byte = next()
    let isOpen = byte !== CLOSE_ARRAY
    while (isOpen) {
      if (place + PLACE_BYTES > room) {
        if (memory.grow(max(1, <i32>(room >> 18))) < 0) return false
        room = (<usize>memory.size()) << 16
      }
      const from = at
      if (byte === QUOTE) {
        if (!text()) return false
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        if (!nested()) return false
      } else if (!word()) return false
      store<u32>(place, <u32>from)
      store<u32>(place, <u32>at, 4)
      place += PLACE_BYTES
      byte = next()
      if (byte === COMMA) {
        at++
        byte = next()
      } else if (byte === CLOSE_ARRAY) isOpen = false
      else return false
    }
    const found = <i32>((place - first) / PLACE_BYTES)
    if (columns > 0 && found !== rows) return false
    rows = found
    columns++
    at++
    byte = next()
    if (byte === CLOSE_ARRAY) {
      end = at + 1
      return true
    }
    if (byte !== COMMA) return false
    at++
    next()
  }
}

/** Skips white space and returns the next byte. */
function next(): u8 {
  let byte = load<u8>(at)
  while (byte === SPACE || byte === LINE_FEED || byte === RETURN || byte === TAB) {
    at++
    byte = load<u8>(at)
  }
  return byte
}

/** Skips a string. */
function text(): bool {
  const quotes = i8x16.splat(QUOTE)
  const backslashes = i8x16.splat(BACKSLASH)
  const spaces = i8x16.splat(SPACE)
  at++
  while (true) {
    const bytes = v128.load(at)
    const steering = v128.or(
      v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)),
      i8x16.lt_u(bytes, spaces),
    )
    const stops = i8x16.bitmask(steering)
    if (stops === 0) {
      at += 16
      continue
    }
    at += ctz(stops)
    const byte = load<u8>(at)
    if (byte === QUOTE) break
    if (byte !== BACKSLASH) return false
    at += 2
  }
  at++
  return true
}

/** Skips an array or an object. */
function nested(): bool {
  let depth = 0
  do {
    const byte = load<u8>(at)
    if (byte === QUOTE) {
      if (!text()) return false
      continue
    }
    if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) depth++
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--
    else if (byte === BACKSLASH || byte === 0) return false
    at++
  } while (depth > 0)
  return true
}

/** Skips a number, `true`, `false` or `null`. */
function word(): bool {
  const from = at
  let byte = load<u8>(at)
  const first = byte
  while (
    (byte >= PLUS && byte <= NINE && byte !== COMMA && byte !== SLASH) ||
    (byte >= LOWER_A && byte <= LOWER_Z) ||
    byte === UPPER_E
  ) {
    at++
    byte = load<u8>(at)
  }
  if (at === from) return false
  // A word that starts with this letter must be `null`.
  return first !== 0x6e || (at - from === 4 && load<u32>(from) === NULL)
}
