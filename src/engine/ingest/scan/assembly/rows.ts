// The positions of the values of events, in a row per event, until a block of rows is written column by column.

import { hasEscapes } from '../../../../wire/assembly/string'

/** A row begins with a cell for all values without a column, the number of the line, and four bytes that are always 0. */
const LINE_NUMBER: usize = 8
/** A cell has the position of the first byte of a value, 0 without a value, and at this offset the position after its last byte. */
export const CELL_END: usize = 4
/** The bit that is set in the end of a string with escapes. */
export const ESCAPED: u32 = 0x8000_0000

/** The first row, the position after the last row, and the last position at which there is room for a row. */
const ROWS_BYTES: usize = 1 << 20
export const firstRow: usize = memory.data(ROWS_BYTES, 16)
export let rowsEnd: usize = firstRow
let limit: usize = 0
export let rowBytes: usize = 0

export function setRows(oneRow: usize): void {
  rowsEnd = firstRow
  limit = firstRow + ROWS_BYTES - oneRow
  rowBytes = oneRow
}

export function beginRows(): void {
  rowsEnd = firstRow
}

/** Returns the address of an empty row after the last one. */
export function newRow(): usize {
  const end = rowsEnd + rowBytes
  for (let at = rowsEnd; at < end; at += 8) store<u64>(at, 0)
  return rowsEnd
}

/** Adds the row returned last, of the line with this number; returns true when there is no room for another. */
export function addRow(line: u32): bool {
  store<u32>(rowsEnd, line, LINE_NUMBER)
  rowsEnd += rowBytes
  return rowsEnd > limit
}

export function lineNumber(row: usize): u32 {
  return load<u32>(row, LINE_NUMBER)
}

export function keepValue(cell: usize, start: usize, end: usize): void {
  store<u32>(cell, <u32>start)
  store<u32>(cell, <u32>end, CELL_END)
}

/** Keeps the characters of the string found last. */
export function keepString(cell: usize, start: usize, end: usize): void {
  keepValue(cell, start, hasEscapes ? end | ESCAPED : end)
}
