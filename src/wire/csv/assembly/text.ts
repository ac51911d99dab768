// Sixteen bytes are read and written at once: as many after the end may be read, and are written and then overwritten.

import { BACKSLASH, QUOTE, shortEscape } from '../../assembly/bytes'

/** Returns the position of the first delimiter or line feed. One of them is there. */
export function bareEnd(start: usize, delimiter: v128): usize {
  let at = start
  while (true) {
    const bytes = v128.load(at)
    const stops = i8x16.bitmask(
      v128.or(i8x16.eq(bytes, delimiter), i8x16.eq(bytes, i8x16.splat(0x0a))),
    )
    if (stops !== 0) return at + ctz(stops)
    at += 16
  }
}

/** The number of line feeds in the cell that `quotedEnd` found. */
export let lineFeeds: u32 = 0

/** Returns the position of the quote that closes a cell, whose text begins at `start`; 0 when it is not in front of `end`. */
export function quotedEnd(start: usize, end: usize): usize {
  lineFeeds = 0
  let at = start
  while (at < end) {
    const bytes = v128.load(at)
    const quotes = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x22)))
    const feeds = i8x16.bitmask(i8x16.eq(bytes, i8x16.splat(0x0a)))
    if (quotes === 0) {
      lineFeeds += popcnt(feeds)
      at += 16
      continue
    }
    const quote = ctz(quotes)
    lineFeeds += popcnt(feeds & ((1 << quote) - 1))
    at += quote
    // A quote in front of the end may be the first of two.
    if (at + 1 >= end) return 0
    if (load<u8>(at, 1) !== QUOTE) return at
    at += 2
  }
  return 0
}

/** The most bytes that `putText` writes for a byte. */
export const MOST_ESCAPED: usize = 6

/** Writes the characters of a cell as characters of a JSON string; returns the position after them. In quotes, `""` is a quote. */
export function putText(out: usize, start: usize, end: usize, isQuoted: bool): usize {
  let at = start
  let to = out
  while (at < end) {
    const bytes = v128.load(at)
    v128.store(to, bytes)
    const stops = i8x16.bitmask(
      v128.or(
        v128.or(i8x16.eq(bytes, i8x16.splat(0x22)), i8x16.eq(bytes, i8x16.splat(0x5c))),
        i8x16.lt_u(bytes, i8x16.splat(0x20)),
      ),
    )
    const plain = stops === 0 ? 16 : <usize>ctz(stops)
    if (at + plain >= end) return to + (end - at)
    at += plain
    to += plain
    if (stops === 0) continue
    const byte = load<u8>(at)
    to = putEscaped(to, byte)
    at += isQuoted && byte === QUOTE ? 2 : 1
  }
  return to
}

function putEscaped(to: usize, byte: u8): usize {
  const letter = byte === QUOTE || byte === BACKSLASH ? byte : shortEscape(byte)
  store<u8>(to, BACKSLASH)
  if (letter !== 0) {
    store<u8>(to, letter, 1)
    return to + 2
  }
  // `u00`
  store<u8>(to, 0x75, 1)
  store<u16>(to, 0x3030, 2)
  store<u8>(to, 0x30 + (byte >> 4), 4)
  const low = byte & 0x0f
  store<u8>(to, low < 10 ? 0x30 + low : 0x57 + low, 5)
  return to + 6
}
