// Writes texts, which need quotes or escapes only when they contain special characters. Functions return the address
// after the text. A byte of text becomes at most three bytes, six in JSON; two quotes may be added.

import {
  BACKSLASH,
  COMMA,
  LINE_FEED,
  QUOTE,
  RETURN,
  SPACE,
  shortEscape,
  UPPER_A,
  ZERO,
} from '../../../wire/assembly/bytes'
import { isUtf8 } from '../../../wire/assembly/utf-8'
import { encodeText } from './host'

/** The form of a text determines its special characters. */
const CSV: i32 = 0
const TSV: i32 = 1
const STRING: i32 = 2

/** True when the text that was copied last has characters outside of ASCII. */
let isWide = false

export function writeCsvText(start: usize, end: usize, out: usize): usize {
  if (start === end) {
    store<u8>(out, QUOTE)
    store<u8>(out, QUOTE, 1)
    return out + 2
  }
  const isSpecial = copyText(start, end, out, CSV)
  if (isWide && !isUtf8(start, end)) return out + encodeText(start, end, out)
  return isSpecial ? writeQuoted(start, end, out) : out + (end - start)
}

export function writeTsvText(start: usize, end: usize, out: usize): usize {
  const isSpecial = copyText(start, end, out, TSV)
  if (isSpecial || (isWide && !isUtf8(start, end))) return out + encodeText(start, end, out)
  return out + (end - start)
}

/** Writes a text as a JSON string, with the same escapes as ClickHouse. */
export function writeString(start: usize, end: usize, out: usize): usize {
  store<u8>(out, QUOTE)
  const isSpecial = copyText(start, end, out + 1, STRING)
  if (isWide && !isUtf8(start, end)) return out + encodeText(start, end, out)
  const at = isSpecial ? writeEscaped(start, end, out + 1) : out + 1 + (end - start)
  store<u8>(at, QUOTE)
  return at + 1
}

/** Copies a text and sets `isWide`; returns true when it has special characters. */
function copyText(start: usize, end: usize, out: usize, form: i32): bool {
  let wide = 0
  let special = 0
  let to = out
  for (let at = start; at < end; at += 16, to += 16) {
    const bytes = v128.load(at)
    v128.store(to, bytes)
    const left = end - at
    const mask = left >= 16 ? 0xffff : (1 << (<i32>left)) - 1
    special |= specialIn(bytes, form) & mask
    wide |= i8x16.bitmask(bytes) & mask
  }
  isWide = wide !== 0
  return special !== 0
}

function specialIn(bytes: v128, form: i32): i32 {
  const first = i8x16.eq(bytes, i8x16.splat(form === TSV ? BACKSLASH : QUOTE))
  if (form === CSV) {
    const ends = v128.or(
      i8x16.eq(bytes, i8x16.splat(LINE_FEED)),
      i8x16.eq(bytes, i8x16.splat(RETURN)),
    )
    return i8x16.bitmask(v128.or(v128.or(first, ends), i8x16.eq(bytes, i8x16.splat(COMMA))))
  }
  const steering = v128.or(first, i8x16.lt_u(bytes, i8x16.splat(SPACE)))
  if (form === TSV) return i8x16.bitmask(steering)
  // The first byte of U+2028 and U+2029, `e2 80 a8` and `e2 80 a9`.
  const other = v128.or(
    i8x16.eq(bytes, i8x16.splat(BACKSLASH)),
    i8x16.eq(bytes, i8x16.splat(<i8>0xe2)),
  )
  return i8x16.bitmask(v128.or(steering, other))
}

/** Writes a text in quotes, with each quote in the text doubled. */
export function writeQuoted(start: usize, end: usize, out: usize): usize {
  store<u8>(out, QUOTE)
  let at = start
  let to = out + 1
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(to, bytes)
    const quotes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(QUOTE)))
    const run: usize = quotes === 0 ? 16 : ctz(quotes)
    const left = end - at
    if (run >= left) {
      to += left
      break
    }
    at += run
    to += run
    if (quotes === 0) continue
    store<u8>(to, QUOTE)
    store<u8>(to, QUOTE, 1)
    at++
    to += 2
  }
  store<u8>(to, QUOTE)
  return to + 1
}

function writeEscaped(start: usize, end: usize, out: usize): usize {
  let at = start
  let to = out
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(to, bytes)
    const special = specialIn(bytes, STRING)
    const run: usize = special === 0 ? 16 : ctz(special)
    const left = end - at
    if (run >= left) return to + left
    at += run
    to += run
    if (special === 0) continue
    const byte = load<u8>(at)
    if (byte < SPACE) {
      to = writeControl(byte, to)
    } else if (byte === QUOTE || byte === BACKSLASH) {
      store<u8>(to, BACKSLASH)
      store<u8>(to, byte, 1)
      to += 2
    } else if (load<u8>(at, 1) === 0x80 && (load<u8>(at, 2) | 1) === 0xa9) {
      writeUnicode(0x2020 | (load<u8>(at, 2) & 0xf), to)
      to += 6
      at += 2
    } else {
      store<u8>(to++, byte)
    }
    at++
  }
  return to
}

function writeControl(byte: u8, out: usize): usize {
  const short = shortEscape(byte)
  if (short === 0) {
    writeUnicode(byte, out)
    return out + 6
  }
  store<u8>(out, BACKSLASH)
  store<u8>(out, short, 1)
  return out + 2
}

/** Writes `\u000B`. */
function writeUnicode(code: u32, out: usize): void {
  // `\u`
  store<u16>(out, 0x755c)
  for (let digit = 0; digit < 4; digit++) {
    const value = <u8>((code >> ((3 - digit) << 2)) & 0xf)
    store<u8>(out + 2 + digit, value < 10 ? ZERO + value : UPPER_A + value - 10)
  }
}
