// Lines are read one by one. The host reads lines that are not events of a usual form.

import { LINE_FEED, RETURN } from '../../../../wire/assembly/bytes'
import {
  beginColumns,
  clearOutput,
  endBlock,
  fixedBlockBytes,
  outputEnd,
  outputLimit,
} from './columns'
import { beginEvents, eventEnd } from './event'
import { setTimes } from './event-time'
import { CHUNK_BYTES, MAX_LINE_BYTES } from './memory'
import { clearRemainders } from './remainder'
import { addRow, newRow } from './rows'

/** The most bytes of a block without the characters of its events. */
const BLOCK_BYTES: usize = 1 << 20

/** The numbers of lines up to now, of lines with events, and of lines that are not empty. */
export let lineCount: u32 = 0
export let rowCount: u32 = 0
export let filledCount: u32 = 0
/**
 * The number of lines for the host to read. The entry of a line has its number, the number of lines before it that are not empty,
 * and its position.
 */
export let hostLines: u32 = 0

const HOST_LINE_BYTES: usize = 16
const MAX_HOST_LINES: u32 = 1_024
export const hostLineEntries: usize = memory.data(MAX_HOST_LINES * HOST_LINE_BYTES, 16)

/** The lines to read, which the host writes, and bytes after them that may be read, too. */
export const input: usize = memory.data(CHUNK_BYTES + MAX_LINE_BYTES + 64, 16)

/** The slot of the event itself; 0 when the host reads all lines. */
let root: usize = 0
/** The number of events examined with this schema, so that each has a number of its own. */
let examined: u32 = 0

/**
 * Starts with other lines. `schema` is the address of the first slot, or 0 for the host to read all lines; `others` says what
 * happens to members without a slot. Events without a time get the time `arrival`. `sequence` is the position of line 0 in a
 * sequence of events.
 */
export function begin(
  schema: usize,
  others: u32,
  arrival: i64,
  hasOtherFormat: bool,
  firstLine: u32,
  sequence: u64,
): void {
  root = schema
  lineCount = firstLine
  rowCount = 0
  filledCount = 0
  hostLines = 0
  beginEvents(others)
  setTimes(arrival, hasOtherFormat)
  clearRemainders()
  beginColumns(sequence)
}

/** Counts a line that the host does not pass because it is very long. */
export function skipLine(): void {
  lineCount++
  filledCount++
}

/** Reads complete lines; returns `end`, or the position of the next line when the memory is full. */
export function read(start: usize, end: usize): usize {
  clearOutput()
  hostLines = 0
  let at = start
  while (at < end && hostLines < MAX_HOST_LINES) {
    const byte = load<u8>(at)
    if (byte === LINE_FEED) {
      lineCount++
      at++
      continue
    }
    if (byte === RETURN && load<u8>(at, 1) === LINE_FEED) {
      lineCount++
      at += 2
      continue
    }
    const row = lineCount++
    filledCount++
    let lineEnd: usize = root === 0 ? 0 : eventEnd(at, root, ++examined, newRow())
    if (lineEnd === 0) {
      lineEnd = lineFeed(at)
      addHostLine(row, at, lineEnd)
      at = lineEnd + 1
    } else {
      at = lineEnd + 1
      rowCount++
      const isFull = addRow(row)
      if (isFull || fixedBlockBytes() > BLOCK_BYTES) {
        endBlock()
        clearRemainders()
        if (outputEnd + BLOCK_BYTES + BLOCK_BYTES / 2 + (end - at) > outputLimit) break
      }
    }
  }
  // The rows refer to the bytes of these lines, which the host replaces.
  endBlock()
  clearRemainders()
  return at
}

function addHostLine(row: u32, start: usize, end: usize): void {
  const entry = hostLineEntries + <usize>hostLines * HOST_LINE_BYTES
  hostLines++
  store<u32>(entry, row)
  store<u32>(entry, filledCount - 1, 4)
  store<u32>(entry, <u32>start, 8)
  store<u32>(entry, <u32>end, 12)
}

/** Returns the position of the next line feed. */
function lineFeed(at: usize): usize {
  while (true) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(at), i8x16.splat(0x0a)))
    if (found !== 0) return at + ctz(found)
    at += 16
  }
}
