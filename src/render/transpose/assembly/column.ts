// The columns of a response. `response-memory.ts` and `native-values.ts` find them and write their states.

/** A text that is a value itself. */
export const TEXT: u32 = 0
export const JSON_TEXT: u32 = 1
/** A text that is JSON as in an event, which the engine may write in another way. */
export const DOCUMENT: u32 = 2
export const SIGNED: u32 = 3
export const UNSIGNED: u32 = 4
export const BOOL: u32 = 5
/** Nanoseconds since 1970. */
export const TIME: u32 = 6
export const REAL: u32 = 7

export const COLUMN_BYTES: usize = 64

/** The state of a column: addresses in memory, and the position of the next text. */
@unmanaged
export class Column {
  kind: u32
  /** One byte per row, which is 1 for null; 0 when there are no nulls. */
  nulls: u32
  /** The numbers, the texts, or the indices into the dictionary; 0 when the index is the row. */
  values: u32
  /** The bytes of a number, or of an index into the dictionary; 0 for texts, and for a member of the remainder. */
  width: u32
  /** The start and the end of each text, `u32` each; for a member, its place. 0 when the values are the texts. */
  dictionary: u32
  /** 1 when the first text of the dictionary stands for null. */
  hasNullKey: u32
  /** The next text, and its row. */
  next: u32
  row: u32
  /** The last second formatted, and its text from the address `timeText` on. */
  second: i64
  hasSecond: u32
}

const TIME_TEXT: usize = 44

/** Returns the address of the text of the last second. */
export function timeText(column: Column): usize {
  return changetype<usize>(column) + TIME_TEXT
}

/** The text found by `findText`; `foreign` has the reasons for which the engine writes JSON in another way, see `members.ts`. */
export let textStart: usize = 0
export let textEnd: usize = 0
export let foreign: u32 = 0

/** Returns the address after `count` texts, each of which follows its length; 0 when they exceed `end`. */
export function textsEnd(from: usize, count: i32, end: usize): usize {
  let at = from
  for (let i = 0; i < count; i++) {
    at = readLength(at)
    if (at > end || lengthRead > end - at) return 0
    at += lengthRead
  }
  return at
}

/** Writes the starts and ends of texts to `places`; returns the address after the last text, or 0. */
export function findTexts(from: usize, count: i32, end: usize, places: usize): usize {
  let at = from
  for (let i = 0; i < count; i++) {
    at = readLength(at)
    if (at > end || lengthRead > end - at) return 0
    store<u32>(places + ((<usize>i) << 3), <u32>at)
    at += lengthRead
    store<u32>(places + ((<usize>i) << 3), <u32>at, 4)
  }
  return at
}

export let lengthRead: usize = 0

/** Reads a number in groups of seven bits (a varint) into `lengthRead`; returns the address after it. */
export function readLength(from: usize): usize {
  let at = from
  let byte = load<u8>(at++)
  let length: usize = byte & 0x7f
  for (let shift = 7; byte >= 0x80 && shift < 35; shift += 7) {
    byte = load<u8>(at++)
    length |= (<usize>(byte & 0x7f)) << shift
  }
  lengthRead = length
  return at
}

/** Positions the columns at a row. */
export function seek(columns: usize, wide: i32, row: u32): void {
  for (let i = 0; i < wide; i++) {
    const column = changetype<Column>(columns + <usize>i * COLUMN_BYTES)
    if (column.kind > DOCUMENT || column.dictionary !== 0 || column.row === row) continue
    if (column.row > row) {
      column.row = 0
      column.next = column.values
    }
    column.next = <u32>textsEnd(column.next, row - column.row, usize.MAX_VALUE)
    column.row = row
  }
}

/** Records the row at which the columns stand. */
export function standAt(columns: usize, wide: i32, row: u32): void {
  for (let i = 0; i < wide; i++) changetype<Column>(columns + <usize>i * COLUMN_BYTES).row = row
}

/** Moves to the next text and sets `textStart` and `textEnd`; returns false for null. */
export function findText(column: Column, row: i32): bool {
  foreign = 0
  if (column.dictionary !== 0) {
    if (column.width === 0) {
      // The members of `Place`.
      const place: usize = column.dictionary
      textStart = load<u32>(place)
      textEnd = load<u32>(place, 4)
      foreign = load<u32>(place, 12)
      return load<u32>(place, 8) === row + 1
    }
    const index = column.values === 0 ? <u32>row : <u32>unsigned(column, row)
    if (index === 0 && column.hasNullKey !== 0) return false
    const place: usize = column.dictionary + ((<usize>index) << 3)
    textStart = load<u32>(place)
    textEnd = load<u32>(place, 4)
    return true
  }
  textStart = readLength(column.next)
  textEnd = textStart + lengthRead
  column.next = <u32>textEnd
  return !isNull(column, row)
}

export function isNull(column: Column, row: i32): bool {
  return column.nulls !== 0 && load<u8>(<usize>column.nulls + row) !== 0
}

export function unsigned(column: Column, row: i32): u64 {
  const at = <usize>column.values + <usize>row * column.width
  switch (column.width) {
    case 1:
      return load<u8>(at)
    case 2:
      return load<u16>(at)
    case 4:
      return load<u32>(at)
    default:
      return load<u64>(at)
  }
}

export function signed(column: Column, row: i32): i64 {
  const unused: i64 = 64 - 8 * <i64>column.width
  return ((<i64>unsigned(column, row)) << unused) >> unused
}
