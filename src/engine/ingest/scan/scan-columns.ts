import type { FieldPath } from '../../../wire/json/field-path.js'
import type { TypedColumnType } from '../../../wire/json/kinds.js'

/** A column of the values at a path. */
export interface ScanColumn {
  readonly path: FieldPath
  readonly type: TypedColumnType
  /** Its name in a block; by default `c` and its number. */
  readonly name?: string
}

/**
 * A column that is not of values: the time of an event, the number of its line, its position in a sequence of events, its text
 * where a slot asks for it.
 */
export type LeadingColumn = '_time' | 'time' | 'row' | '_seq' | 'line'

/** The columns in which a scanner writes events. */
export interface ScanColumns {
  /** The paths at which the time of an event may be, in order of precedence: one or two. */
  readonly times: readonly FieldPath[]
  readonly columns: readonly ScanColumn[]
  /** The columns in front of them; by default the time and the number of the line. */
  readonly leading?: readonly LeadingColumn[]
}

export const LEADING: readonly LeadingColumn[] = ['time', 'row']

/** A column, and the offset of its cell in the rows of the scanner. */
export interface PlacedColumn extends ScanColumn {
  readonly cell: number
}

/** Rows of the scanner begin with 24 bytes; a cell for a value has 8. A path without a slot has the cell that is always empty. */
export const FIRST_CELL = 24
export const CELL_BYTES = 8
export const EMPTY_CELL = 12
/** The cell of values that are read from the text of the event. */
export const TEXT_CELL = 16

/** More columns take more time and space in most datasets than the text of events, which have few of them. */
export const MAX_COLUMNS = 200

/** The numbers of the types in `assembly/columns.ts`. */
const LEADING_TYPE: Readonly<Record<LeadingColumn, number>> = {
  _time: 0,
  time: 0,
  row: 1,
  _seq: 6,
  line: 7,
}
const TYPE: Readonly<Record<TypedColumnType, number>> = { string: 2, int: 3, real: 4, bool: 5 }

export const NATIVE_TYPE: Readonly<Record<TypedColumnType, string>> = {
  string: 'Nullable(String)',
  int: 'Nullable(Int64)',
  real: 'Nullable(Float64)',
  bool: 'Nullable(Bool)',
}

const LEADING_NATIVE: Readonly<Record<LeadingColumn, string>> = {
  _time: "DateTime64(9, 'UTC')",
  time: "DateTime64(9, 'UTC')",
  row: 'UInt32',
  _seq: 'UInt64',
  line: 'String',
}

const COLUMN_BYTES = 20
/** The scanner copies up to this many bytes after a name. */
const SPARE_BYTES = 16

interface NativeColumn {
  readonly name: string
  readonly type: string
}

/** Returns the names and types of the columns in a block. */
export function nativeColumns(
  columns: readonly ScanColumn[],
  leading = LEADING,
): readonly NativeColumn[] {
  return [
    ...leading.map((name) => ({ name, type: LEADING_NATIVE[name] })),
    ...columns.map(({ type, name }, i) => ({ name: name ?? `c${i}`, type: NATIVE_TYPE[type] })),
  ]
}

/** Returns the columns as the scanner reads them at `address`; `times` are the cells of the time. */
export function encodeColumns(options: {
  readonly times: readonly number[]
  readonly columns: readonly PlacedColumn[]
  readonly leading: readonly LeadingColumn[]
  readonly address: number
}): Buffer {
  const { times, columns, leading, address } = options
  const [time = EMPTY_CELL, otherTime = EMPTY_CELL] = times
  const cells = [
    ...leading.map((name) => [LEADING_TYPE[name], time, otherTime]),
    ...columns.map(({ type, cell }) => [TYPE[type], cell, EMPTY_CELL]),
  ]
  const headers = nativeColumns(columns, leading).map(({ name, type }) =>
    Buffer.concat([shortString(name), shortString(type)]),
  )
  const table = Buffer.alloc(headers.length * COLUMN_BYTES)
  let headerAddress = address + table.length
  for (const [i, header] of headers.entries()) {
    const fields = [...(cells[i] ?? []), headerAddress, header.length]
    for (const [field, value] of fields.entries()) {
      table.writeUInt32LE(value, i * COLUMN_BYTES + field * 4)
    }
    headerAddress += header.length
  }
  return Buffer.concat([table, ...headers, Buffer.alloc(SPARE_BYTES)])
}

/** Returns a string of fewer than 16,384 bytes with its length in front. */
export function shortString(text: string): Buffer {
  const bytes = Buffer.from(text)
  const { length } = bytes
  return Buffer.concat([
    Buffer.from(length < 128 ? [length] : [(length & 0x7f) | 0x80, length >> 7]),
    bytes,
  ])
}
