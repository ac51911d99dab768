// Writes cells that are given as JSON. Functions return the address after the cell.

import {
  BACKSLASH,
  COMMA,
  isDigit,
  LINE_FEED,
  LOWER_N,
  OPEN_ARRAY,
  OPEN_OBJECT,
  POINT,
  QUOTE,
  RETURN,
  SPACE,
  TAB,
} from '../../../wire/assembly/bytes'
import { putDecoded } from '../../../wire/assembly/decode'
import { hasEscapes, stringEnd } from '../../../wire/assembly/string'
import { isUtf8 } from '../../../wire/assembly/utf-8'
import { copy } from './copy'
import { encodeJson } from './host'
import { fractionEnd } from './members'
import { writeCsvText, writeQuoted, writeString } from './text'

const HAS_COMMA = 1
const HAS_QUOTE = 2
const HAS_LINE_END = 4
const HAS_TAB = 8
const HAS_ESCAPE = 16
const IS_WIDE = 32

/** The bytes that copying may write after a text. */
const SPARE_BYTES: usize = 32

/** True for `null` and for empty text. */
export function isJsonNull(start: usize, end: usize): bool {
  return start === end || load<u8>(start) === LOWER_N
}

/** Writes a cell of CSV or, without `isCsv`, of TSV. */
export function writeDelimitedJson(start: usize, end: usize, out: usize, isCsv: bool): usize {
  const length = end - start
  if (!isLong(start)) {
    copy(out, start, length)
    return out + length
  }
  const found = specialIn(start + 1, end - 1)
  const isString = load<u8>(start) === QUOTE
  if (isCsv && isString && (found & HAS_ESCAPE) !== 0 && stringEnd(start + 1) === end) {
    // Each quote is written twice.
    const text = out + 2 * length + SPARE_BYTES
    return writeCsvText(text, putDecoded(text, start + 1, end - 1), out)
  }
  const isSpecial = isString
    ? (found & HAS_ESCAPE) !== 0
    : (found & (isCsv ? HAS_LINE_END : HAS_LINE_END | HAS_TAB | HAS_ESCAPE)) !== 0
  if (isSpecial || ((found & IS_WIDE) !== 0 && !isUtf8(start, end))) {
    return out + encodeJson(start, end, out)
  }
  if (isCsv && !isString && (found & (HAS_COMMA | HAS_QUOTE)) !== 0) {
    return writeQuoted(start, end, out)
  }
  // In CSV, empty strings and strings with a comma keep their quotes.
  const keepsQuotes = isCsv && ((found & HAS_COMMA) !== 0 || length === 2)
  if (isString && !keepsQuotes) {
    copy(out, start + 1, length - 2)
    return out + length - 2
  }
  copy(out, start, length)
  return out + length
}

/** Writes a value of JSON on one line. */
export function writeJson(start: usize, end: usize, out: usize): usize {
  if (isLong(start)) {
    // Strings have no line ends.
    const isString = load<u8>(start) === QUOTE
    const found = isString ? wideIn(start, end) : specialIn(start + 1, end - 1)
    const isBroken = (found & HAS_LINE_END) !== 0
    if (isBroken || ((found & IS_WIDE) !== 0 && !isUtf8(start, end))) {
      return out + encodeJson(start, end, out)
    }
  }
  copy(out, start, end - start)
  return out + (end - start)
}

/**
 * Writes JSON with the escapes of ClickHouse, without white space and zeros at the ends of fractions: at most twice as long. Returns 0
 * for JSON that may be invalid. `spare` is memory for a string.
 */
export function writeEngineJson(start: usize, end: usize, out: usize, spare: usize): usize {
  let at = start
  let to = out
  while (at < end) {
    const byte = load<u8>(at)
    if (byte === QUOTE) {
      const next = stringEnd(at + 1)
      if (next === 0 || next > end) return 0
      to = hasEscapes
        ? writeString(spare, putDecoded(spare, at + 1, next - 1), to)
        : writeString(at + 1, next - 1, to)
      at = next
    } else if (byte === POINT) {
      const point = at
      do at++
      while (at < end && isDigit(load<u8>(at)))
      const length = fractionEnd(point, at) - point
      copy(to, point, length)
      to += length
    } else {
      at++
      if (byte > SPACE) store<u8>(to++, byte)
    }
  }
  return to
}

/** True for strings, arrays and objects. */
function isLong(start: usize): bool {
  const first = load<u8>(start)
  return first === QUOTE || first === OPEN_ARRAY || first === OPEN_OBJECT
}

/** Returns `IS_WIDE` for a text that is not ASCII. */
function wideIn(start: usize, end: usize): i32 {
  let at = start
  for (; at + 16 <= end; at += 16) if (i8x16.bitmask(v128.load(at))) return IS_WIDE
  return i8x16.bitmask(v128.load(at)) & ((1 << (<i32>(end - at))) - 1) ? IS_WIDE : 0
}

function specialIn(start: usize, end: usize): i32 {
  let found = 0
  for (let at = start; at < end; at += 16) {
    const bytes = v128.load(at)
    const left = end - at
    const mask = left >= 16 ? 0xffff : (1 << (<i32>left)) - 1
    if (i8x16.bitmask(bytes) & mask) found |= IS_WIDE
    if (positionsOf(bytes, COMMA) & mask) found |= HAS_COMMA
    if (positionsOf(bytes, QUOTE) & mask) found |= HAS_QUOTE
    if (positionsOf(bytes, BACKSLASH) & mask) found |= HAS_ESCAPE
    // Most vectors have no control characters.
    if ((i8x16.bitmask(i8x16.lt_u(bytes, i8x16.splat(SPACE))) & mask) === 0) continue
    if (positionsOf(bytes, TAB) & mask) found |= HAS_TAB
    if ((positionsOf(bytes, LINE_FEED) | positionsOf(bytes, RETURN)) & mask) found |= HAS_LINE_END
  }
  return found
}

function positionsOf(bytes: v128, byte: u8): i32 {
  return i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(byte)))
}
