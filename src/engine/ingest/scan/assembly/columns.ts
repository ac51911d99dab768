// Events as blocks of columns in ClickHouse's format `Native`: the number of columns and of rows; then for each column
// its name, its type, a byte per row that is 1 for a null, and the values. The time, the number of the line, the position in the
// sequence of events and the remainder are never null. A column without values is left out: the engine fills it with nulls.

import { LOWER_T } from '../../../../wire/assembly/bytes'
import { integerOf } from '../../../../wire/assembly/integer'
import { isInexact, realOf } from '../../../../wire/assembly/real'
import { hostReal } from './host'
import { putString, putVarint } from './output'
import { beginRows, CELL_END, firstRow, lineNumber, rowBytes, rowsEnd, setRows } from './rows'

/** The layout of a column, which the host writes: its type, its cell, the address and the length of its encoded name and type. */
const COLUMN_BYTES: usize = 16
const CELL: usize = 4
const HEADER: usize = 8
const HEADER_LENGTH: usize = 12

/** The bytes of the number of columns, which is known after the last one: as many as the largest number needs. */
const COUNT_BYTES: usize = 3

const TIME: u32 = 0
const LINE: u32 = 1
const STRING: u32 = 2
const INT: u32 = 3
const REAL: u32 = 4
const BOOL: u32 = 5
const SEQUENCE: u32 = 6
const REMAINDER: u32 = 7

/** The blocks that the host has to take, and the position after them. */
const OUTPUT_BYTES: usize = 6 << 20
export const output: usize = memory.data(OUTPUT_BYTES + 64, 16)
export const outputLimit: usize = output + OUTPUT_BYTES
export let outputEnd: usize = output
/** The first and the last of the times that were written. */
export let firstTime: i64 = i64.MAX_VALUE
export let lastTime: i64 = i64.MIN_VALUE

let columns: usize = 0
let columnsEnd: usize = 0
/** The bytes of the names and types in a block; the bytes of a row without the characters of strings. */
let headerBytes: usize = 0
let fixedBytes: usize = 0
/** The position of line 0 in the sequence of events. */
let sequence: u64 = 0

/** Sets the columns of a schema, and the size of a row. */
export function setColumns(at: usize, count: u32, oneRow: usize): void {
  columns = at
  columnsEnd = at + <usize>count * COLUMN_BYTES
  setRows(oneRow)
  headerBytes = 16
  fixedBytes = 0
  for (let column = columns; column < columnsEnd; column += COLUMN_BYTES) {
    headerBytes += load<u32>(column, HEADER_LENGTH)
    fixedBytes += width(load<u32>(column))
  }
}

export function beginColumns(firstSequence: u64): void {
  sequence = firstSequence
  firstTime = i64.MAX_VALUE
  lastTime = i64.MIN_VALUE
  beginRows()
  clearOutput()
}

export function clearOutput(): void {
  outputEnd = output
}

/** Returns the most bytes of a block of the current rows without the characters of their events. */
export function fixedBlockBytes(): usize {
  return headerBytes + <usize>((rowsEnd - firstRow) / rowBytes) * fixedBytes
}

/** Writes all rows as a block. */
export function endBlock(): void {
  if (rowsEnd > firstRow) outputEnd = putBlock()
  beginRows()
}

function width(type: u32): usize {
  if (type === REMAINDER) return 5
  if (type === INT || type === REAL) return 9
  if (type === LINE) return 4
  return type === STRING || type === BOOL ? 2 : 8
}

/** Writes the rows and returns the position after them. */
function putBlock(): usize {
  const rows = <u32>((rowsEnd - firstRow) / rowBytes)
  let count: u32 = 0
  let at = putVarint(outputEnd + COUNT_BYTES, rows)
  for (let column = columns; column < columnsEnd; column += COLUMN_BYTES) {
    const type = load<u32>(column)
    const cell: usize = load<u32>(column, CELL)
    const headerLength: usize = load<u32>(column, HEADER_LENGTH)
    const isNullable = type >= STRING && type <= BOOL
    if (isNullable && !putNulls(at + headerLength, cell)) continue
    count++
    memory.copy(at, load<u32>(column, HEADER), headerLength)
    at += isNullable ? headerLength + rows : headerLength
    if (type === TIME) at = putTimes(at, cell)
    else if (type === LINE) at = putLines(at)
    else if (type === INT) at = putIntegers(at, cell)
    else if (type === REAL) at = putReals(at, cell)
    else if (type === BOOL) at = putBools(at, cell)
    else if (type === SEQUENCE) at = putSequence(at)
    else at = putStrings(at, cell)
  }
  store<u8>(outputEnd, <u8>(count | 0x80))
  store<u8>(outputEnd, <u8>((count >> 7) | 0x80), 1)
  store<u8>(outputEnd, <u8>(count >> 14), 2)
  return at
}

/** Writes for each row whether the cell has no value; returns true when one of them has a value. */
function putNulls(start: usize, cell: usize): bool {
  let at = start
  let hasValues = false
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const isNull = load<u32>(row) === 0
    store<u8>(at++, isNull ? 1 : 0)
    if (!isNull) hasValues = true
  }
  return hasValues
}

function putTimes(start: usize, cell: usize): usize {
  let at = start
  for (let row = firstRow; row < rowsEnd; row += rowBytes) {
    const time = load<i64>(row + cell)
    if (time < firstTime) firstTime = time
    if (time > lastTime) lastTime = time
    store<i64>(at, time)
    at += 8
  }
  return at
}

function putStrings(start: usize, cell: usize): usize {
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

function putIntegers(start: usize, cell: usize): usize {
  let at = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    store<i64>(at, value === 0 ? 0 : integerOf(value, load<u32>(row, CELL_END)))
    at += 8
  }
  return at
}

function putReals(start: usize, cell: usize): usize {
  let at = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    if (value === 0) store<u64>(at, 0)
    else {
      const end: usize = load<u32>(row, CELL_END)
      store<f64>(at, realOf(value, end))
      if (isInexact) store<f64>(at, hostReal(value, end))
    }
    at += 8
  }
  return at
}

function putBools(start: usize, cell: usize): usize {
  let at = start
  for (let row = firstRow + cell; row < rowsEnd; row += rowBytes) {
    const value: usize = load<u32>(row)
    store<u8>(at++, value !== 0 && load<u8>(value) === LOWER_T ? 1 : 0)
  }
  return at
}
