// Lines are reduced to the members that a query uses. Only a line that is an event for certain is reduced: any other is
// copied, so that its problem is reported when it is stored. Each token ends in front of the line feed after the line at
// the latest, so the end of memory need not be checked.

import {
  BACKSLASH,
  CLOSE_OBJECT,
  COLON,
  COMMA,
  LINE_FEED,
  OPEN_OBJECT,
  QUOTE,
  spaceEnd,
} from '../../../engine/ingest/scan/assembly/bytes'
import { isCertainTime } from '../../../engine/ingest/scan/assembly/certain-time'
import { stringEnd } from '../../../engine/ingest/scan/assembly/string'
import {
  keys,
  MAX_KEY_LENGTH,
  MAX_KEYS,
  resetKeys,
  valueEnd,
} from '../../../engine/ingest/scan/assembly/value'

/**
 * Bytes per entry of the table of keys: the address and the length of a key with its closing quote, or of the beginning of keys
 * without a quote.
 */
const ENTRY_BYTES: usize = 8

/** The position after the reduced line. */
let written: usize = 0

/**
 * Writes the lines from `start` to `end`, of which each ends with a line feed, to `out`, reduced to the members in the table
 * at `table` with `count` entries. `time` is the number of the entry that is dropped when its value is a time for certain; -1
 * for none. Returns the end of what was written.
 */
export function project(
  start: usize,
  end: usize,
  out: usize,
  table: usize,
  count: u32,
  time: i32,
): usize {
  let at = start
  while (at < end) {
    let lineEnd = reduced(at, out, table, count, time)
    if (lineEnd !== 0) out = written
    else {
      lineEnd = lineFeed(at)
      memory.copy(out, at, lineEnd - at)
      out += lineEnd - at
    }
    store<u8>(out++, LINE_FEED)
    at = lineEnd + 1
  }
  return out
}

/** Returns the position of the line feed after a line that was reduced; 0 for any other line. */
function reduced(start: usize, out: usize, table: usize, count: u32, time: i32): usize {
  let at = spaceEnd(start)
  if (load<u8>(at) !== OPEN_OBJECT) return 0
  store<u8>(out++, OPEN_OBJECT)
  at = spaceEnd(at + 1)
  if (load<u8>(at) === CLOSE_OBJECT) return close(at, out)
  resetKeys()
  let seen: u32 = 0
  while (true) {
    if (load<u8>(at) !== QUOTE) return 0
    const member = at
    at++
    const entry = entryOf(at, table, count)
    if (entry < 0) at = otherKeyEnd(at)
    else {
      // The first of several values of a key counts, which other code knows.
      if ((seen & (1 << entry)) !== 0) return 0
      seen |= 1 << entry
      const keyEnd = at + load<u32>(table + <usize>entry * ENTRY_BYTES, 4)
      at = load<u8>(keyEnd - 1) === QUOTE ? keyEnd : otherKeyEnd(at)
    }
    if (at === 0) return 0
    at = spaceEnd(at)
    if (load<u8>(at) !== COLON) return 0
    at = spaceEnd(at + 1)
    const value = at
    at = valueEnd(at)
    if (at === 0 || keys > MAX_KEYS) return 0
    if (entry >= 0 && !(entry === time && isCertainTime(value))) {
      if (load<u8>(out - 1) !== OPEN_OBJECT) store<u8>(out++, COMMA)
      memory.copy(out, member, at - member)
      out += at - member
    }
    at = spaceEnd(at)
    const byte = load<u8>(at)
    if (byte === CLOSE_OBJECT) return close(at, out)
    if (byte !== COMMA) return 0
    at = spaceEnd(at + 1)
  }
}

/** Ends the reduced line after the `}` at `at`. */
function close(at: usize, out: usize): usize {
  at = spaceEnd(at + 1)
  if (load<u8>(at) !== LINE_FEED) return 0
  store<u8>(out, CLOSE_OBJECT)
  written = out + 1
  return at
}

/** Returns the entry of the key that begins at `at`; -1 when there is none. */
function entryOf(at: usize, table: usize, count: u32): i32 {
  for (let i: u32 = 0; i < count; i++) {
    const entry = table + <usize>i * ENTRY_BYTES
    if (isAt(load<u32>(entry), load<u32>(entry, 4), at)) return <i32>i
  }
  return -1
}

function isAt(key: usize, length: u32, at: usize): bool {
  let left = <i32>length
  while (left > 16) {
    if (i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(at))) !== 0xffff) return false
    key += 16
    at += 16
    left -= 16
  }
  const other = ~i8x16.bitmask(i8x16.eq(v128.load(key), v128.load(at)))
  return (other & ((1 << left) - 1)) === 0
}

/** Returns the position after a key that is in no entry; 0 for one with escapes, which may be a key of an entry. */
function otherKeyEnd(at: usize): usize {
  const end = stringEnd(at)
  if (end === 0 || end - at === 1 || end - at > MAX_KEY_LENGTH) return 0
  for (let i = at; i < end; i++) if (load<u8>(i) === BACKSLASH) return 0
  return end
}

/** Returns the position of the first line feed. */
function lineFeed(at: usize): usize {
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(LINE_FEED)))
    if (found !== 0) return at + ctz(found)
    at += 16
  }
}
