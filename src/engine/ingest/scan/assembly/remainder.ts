// The members of an event that no column holds, as a JSON object: in the order of the event, inside the objects that contain them.

import { CLOSE_OBJECT, COLON, COMMA, OPEN_OBJECT, QUOTE } from '../../../../wire/assembly/bytes'
import { CHUNK_BYTES, MAX_LINE_BYTES } from './memory'
import { KEY, KEY_LENGTH, PARENT } from './schema'

/** The remainders of a block, which are together no longer than its lines. */
const remainders: usize = memory.data(CHUNK_BYTES + MAX_LINE_BYTES + (1 << 16), 16)
/** The remainder of the current event, and the position after it. */
let start: usize = remainders
let end: usize = remainders
/** For each depth, whether the object there has been begun, and whether it has a member, as bits. */
let begun: u32 = 0
let filled: u32 = 0

/** Begins a block. */
export function clearRemainders(): void {
  start = end = remainders
}

/** Begins the remainder of the next event. */
export function beginRemainder(): void {
  start = end
  begun = filled = 0
}

/** Removes the remainder of the current event. */
export function dropRemainder(): void {
  end = start
}

/** Keeps the position of the remainder in a cell, unless the event has none. */
export function keepRemainder(cell: usize): void {
  if (end === start) return
  store<u32>(cell, <u32>start)
  store<u32>(cell, <u32>end, 4)
}

/** Adds a member of the object at a depth; `keyLength` includes the quote after the key. */
export function putMember(
  depth: u32,
  object: usize,
  key: usize,
  keyLength: usize,
  value: usize,
  valueEnd: usize,
): void {
  beginObject(depth, object)
  putKey(depth, key, keyLength)
  putBytes(value, valueEnd - value)
}

/** Ends the object at a depth if it has been begun. */
export function endObject(depth: u32): void {
  const bit: u32 = 1 << depth
  if ((begun & bit) === 0) return
  begun &= ~bit
  store<u8>(end++, CLOSE_OBJECT)
}

function beginObject(depth: u32, object: usize): void {
  const bit: u32 = 1 << depth
  if ((begun & bit) !== 0) return
  if (depth > 0) {
    beginObject(depth - 1, load<u32>(object, PARENT))
    putKey(depth - 1, load<u32>(object, KEY), load<u32>(object, KEY_LENGTH))
  }
  begun |= bit
  filled &= ~bit
  store<u8>(end++, OPEN_OBJECT)
}

function putKey(depth: u32, key: usize, length: usize): void {
  const bit: u32 = 1 << depth
  if ((filled & bit) !== 0) store<u8>(end++, COMMA)
  filled |= bit
  store<u8>(end++, QUOTE)
  putBytes(key, length)
  store<u8>(end++, COLON)
}

/** Up to 15 bytes after the text are written, too, and replaced by what follows. */
function putBytes(from: usize, length: usize): void {
  for (let i: usize = 0; i < length; i += 16) v128.store(end + i, v128.load(from + i))
  end += length
}
