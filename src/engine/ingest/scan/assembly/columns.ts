// Plain events as blocks of columns in ClickHouse's format `Native`: the number of columns and of rows; then for each column
// its name, its type, a byte per row that is 1 for a null, and the values. The time, the number of the line and the position in
// the sequence of events are never null.

import { hasOtherTimes } from './event'
import { hostReal } from './host'
import { NO_TIME, timeAt } from './instant'
import { integerOf } from './integer'
import { putString, putVarint } from './output'
import { isInexact, realOf } from './real'
import { beginRows, CELL_END, firstRow, lineNumber, rowBytes, rowsEnd, setRows, TEXT } from './rows'

/** A column in the memory of the host: its type, its cell, another cell for a time, its name and type as they are written. */
const COLUMN_BYTES: usize = 20
const CELL: usize = 4
const OTHER_CELL: usize = 8
const HEADER: usize = 12
const HEADER_LENGTH: usize = 16

const TIME: u32 = 0
const LINE: u32 = 1
const STRING: u32 = 2
const INT: u32 = 3
const REAL: u32 = 4
const BOOL: u32 = 5
const SEQUENCE: u32 = 6
const LINE_TEXT: u32 = 7
/** The time in a cell; the remainder, which is never null. */
const INSTANT: u32 = 8
const REMAINDER: u32 = 9

const LOWER_T: u8 = 0x74

/** Columns without characters may take this many times the space of their events, and more for the names in a block of few events. */
const MOST_TIMES: usize = 2
const SPARE: usize = 64 * 1024

/** True while all events were written as columns. */
export let isColumnar: bool = false
/** The position after the blocks that the host has to take. */
export let outputEnd: usize = 0
/** The first and the last of the times that were written. */
export let firstTime: i64 = i64.MAX_VALUE
export let lastTime: i64 = i64.MIN_VALUE
/** True when the host reads the numbers that need other code. */
let usesHost: bool = false
/** True when the time of each event is written. */
export let hasTimeColumn: bool = false
/** True when the text of events is written where it is wanted. */
let hasText: bool = false

let columns: usize = 0
let columnsEnd: usize = 0
let output: usize = 0
export let outputLimit: usize = 0
/** The bytes of the names and types in a block; the bytes of a row without the characters of strings. */
let headerBytes: usize = 0
let fixedBytes: usize = 0
let arrival: i64 = 0
/** The position of the first line in the sequence of events. */
let sequence: u64 = 0

/** Sets the columns of a schema, and the memory for rows and for blocks. */
export function setColumns(
  at: usize,
  count: u32,
  rows: usize,
  rowsSize: usize,
  oneRow: usize,
  blocks: usize,
  blocksSize: usize,
): void {
  columns = at
  columnsEnd = at + <usize>count * COLUMN_BYTES
  output = outputEnd = blocks
  outputLimit = blocks + blocksSize
  setRows(rows, rowsSize, oneRow)
  headerBytes = 16
  fixedBytes = 0
  hasTimeColumn = false
  hasText = false
  for (let column = columns; column < columnsEnd; column += COLUMN_BYTES) {
    headerBytes += load<u32>(column, HEADER_LENGTH)
    fixedBytes += width(load<u32>(column))
    if (load<u32>(column) === TIME) hasTimeColumn = true
    if (load<u32>(column) === LINE_TEXT) hasText = true
  }
}

/** Begins blocks with all events. */
export function beginWholeColumns(): void {
  usesHost = true
  beginRows(true)
  clearOutput()
}

/** Returns the most bytes of a block of the current rows without the characters of their events. */
export function fixedBlockBytes(): usize {
  return headerBytes + <usize>((rowsEnd - firstRow) / rowBytes) * fixedBytes
}

/** Writes all rows as a block. */
export function endWholeBlock(): void {
  if (rowsEnd > firstRow) outputEnd = putBlock()
  beginRows(true)
}

function width(type: u32): usize {
  if (type === REMAINDER) return 5
  if (type === INT || type === REAL) return 9
  if (type === LINE) return 4
  return type === STRING || type === BOOL || type === LINE_TEXT ? 2 : 8
}

export function beginColumns(isWanted: bool, arrivedAt: i64, firstSequence: u64): void {
  usesHost = false
  isColumnar = isWanted
  arrival = arrivedAt
  sequence = firstSequence
  firstTime = i64.MAX_VALUE
  lastTime = i64.MIN_VALUE
  beginRows(isWanted)
  clearOutput()
}

export function clearOutput(): void {
  outputEnd = output
}

/** Writes the rows as a block; they were `inputBytes` long. */
export function endBlock(inputBytes: u32): void {
  if (isColumnar && rowsEnd > firstRow) {
    const end = blockEnd(inputBytes)
    if (end === 0) {
      isColumnar = false
      clearOutput()
    } else outputEnd = end
  }
  beginRows(isColumnar)
}

/** Writes a block and returns the position after it; 0 when values need other code, or when columns are much larger than events. */
function blockEnd(inputBytes: usize): usize {
  const rows = <u32>((rowsEnd - firstRow) / rowBytes)
  const atLeast = headerBytes + rows * fixedBytes
  if (hasOtherTimes) return 0
  const characters = hasText ? 2 * inputBytes : inputBytes
  if (atLeast > MOST_TIMES * inputBytes + SPARE || outputEnd + atLeast + characters > outputLimit)
    return 0
  return putBlock()
}

/** Writes the rows and returns the position after them; 0 when values need other code. */
function putBlock(): usize {
  const rows = <u32>((rowsEnd - firstRow) / rowBytes)
  let at = putVarint(outputEnd, <u32>((columnsEnd - columns) / COLUMN_BYTES))
  at = putVarint(at, rows)
  for (let column = columns; column < columnsEnd; column += COLUMN_BYTES) {
    const type = load<u32>(column)
    const cell: usize = load<u32>(column, CELL)
    const headerLength: usize = load<u32>(column, HEADER_LENGTH)
    memory.copy(at, load<u32>(column, HEADER), headerLength)
    at += headerLength
    if (type === TIME) at = putTimes(at, cell, load<u32>(column, OTHER_CELL))
    else if (type === LINE) at = putLines(at)
    else if (type === STRING) at = putStrings(at, rows, cell)
    else if (type === INT) at = putIntegers(at, rows, cell)
    else if (type === REAL) at = putReals(at, rows, cell)
    else if (type === BOOL) at = putBools(at, rows, cell)
    else if (type === INSTANT) at = putInstants(at, cell)
    else if (type === REMAINDER) at = putRemainders(at, cell)
    else if (type === SEQUENCE) at = putSequence(at)
    else at = putText(at)
    if (at === 0) return 0
  }
  return at
}

function putTimes(start: usize, cell: usize, otherCell: usize): usize {
  let at = start
  for (let row = firstRow; row < rowsEnd; row += rowBytes) {
    let value: usize = load<u32>(row + cell)
    if (value === 0) value = load<u32>(row + otherCell)
    const time = value === 0 ? arrival : timeAt(value)
    if (time === NO_TIME) return 0
    if (time < firstTime) firstTime = time
    if (time > lastTime) lastTime = time
    store<i64>(at, time)
    at += 8
  }
  return at
}

function putInstants(start: usize, cell: usize): usize {
  let at = start
  for (let row = firstRow; row < rowsEnd; row += rowBytes) {
    store<i64>(at, load<i64>(row + cell))
    at += 8
  }
  return at
}

function putRemainders(start: usize, cell: usize): usize {
  let at = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    if (value === 0) store<u8>(at++, 0)
    else at = putString(at, value, load<u32>(row, CELL_END))
  }
  return at
}

function putSequence(start: usize): usize {
  let at = start
  for (let row = firstRow; row < rowsEnd; row += rowBytes) {
    store<u64>(at, sequence + lineNumber(row))
    at += 8
  }
  return at
}

function putLines(start: usize): usize {
  let at = start
  for (let row = firstRow; row < rowsEnd; row += rowBytes) {
    store<u32>(at, lineNumber(row))
    at += 4
  }
  return at
}

/** Writes the text of the events of which it is wanted, and empty strings for the others. */
function putText(start: usize): usize {
  let at = start
  for (let row = firstRow + TEXT; row < rowsEnd; row += rowBytes) {
    at = putString(at, load<u32>(row), load<u32>(row, CELL_END))
  }
  return at
}

function putStrings(start: usize, rows: u32, cell: usize): usize {
  let at = start + rows
  let isNull = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    store<u8>(isNull++, value === 0 ? 1 : 0)
    if (value === 0) store<u8>(at++, 0)
    else at = putString(at, value, load<u32>(row, CELL_END))
  }
  return at
}

function putIntegers(start: usize, rows: u32, cell: usize): usize {
  let at = start + rows
  let isNull = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    store<u8>(isNull++, value === 0 ? 1 : 0)
    store<i64>(at, value === 0 ? 0 : integerOf(value, load<u32>(row, CELL_END)))
    at += 8
  }
  return at
}

function putReals(start: usize, rows: u32, cell: usize): usize {
  let at = start + rows
  let isNull = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    store<u8>(isNull++, value === 0 ? 1 : 0)
    if (value === 0) store<u64>(at, 0)
    else {
      const end: usize = load<u32>(row, CELL_END)
      store<f64>(at, realOf(value, end))
      if (isInexact) {
        if (!usesHost) return 0
        store<f64>(at, hostReal(value, end))
      }
    }
    at += 8
  }
  return at
}

function putBools(start: usize, rows: u32, cell: usize): usize {
  let at = start + rows
  let isNull = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    store<u8>(isNull++, value === 0 ? 1 : 0)
    store<u8>(at++, value !== 0 && load<u8>(value) === LOWER_T ? 1 : 0)
  }
  return at
}
