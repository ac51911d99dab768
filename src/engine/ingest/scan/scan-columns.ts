import type { FieldPath } from '../../../wire/json/field-path.js'
import type { TypedColumnType } from '../../../wire/json/kinds.js'
import { encodeText } from '../../../wire/native/encode-block.js'
import { nullableType } from '../../catalog/typed-column.js'
import type { FileColumn } from '../../file-statement.js'

/** A column of the values at a path. */
export interface ScanColumn {
  readonly path: FieldPath
  readonly type: TypedColumnType
  /** Its name in a block; by default `c` and its number. */
  readonly name?: string
}

/** A column of all events: their time, the number of their line, their position in a sequence of events, their remainder. */
export type LeadingColumn = 'time' | '_time' | 'row' | '_seq' | 'line'

/** A column, and the offset of its cell in the rows of the scanner. */
interface PlacedColumn extends ScanColumn {
  readonly cell: number
}

export const STORED_COLUMNS: readonly LeadingColumn[] = ['time', 'row', 'line']

/** The offsets of cells in a row (`assembly/event.ts`, `assembly/rows.ts`): of the first value, and of an always empty cell. */
export const FIRST_CELL = 32
export const CELL_BYTES = 8
export const EMPTY_CELL = 12
const REMAINDER_CELL = 16
const TIME_CELL = 24

/** The numbers of types in `assembly/columns.ts`. */
const TYPE: Readonly<Record<TypedColumnType, number>> = {
  string: 2,
  int: 3,
  real: 4,
  bool: 5,
  array: 2,
}

const TIME = { type: 0, cell: TIME_CELL, native: "DateTime64(9, 'UTC')" }
const LEADING = {
  time: TIME,
  _time: TIME,
  row: { type: 1, cell: EMPTY_CELL, native: 'UInt32' },
  _seq: { type: 6, cell: EMPTY_CELL, native: 'UInt64' },
  line: { type: 7, cell: REMAINDER_CELL, native: 'String' },
} satisfies Record<LeadingColumn, object>

const COLUMN_BYTES = 16
/** The scanner copies up to this many bytes after a name. */
const SPARE_BYTES = 16

/** Returns the names and types of the columns in a block. */
export function blockColumns(
  columns: readonly ScanColumn[],
  leading = STORED_COLUMNS,
): readonly FileColumn[] {
  return [
    ...leading.map((name) => ({ name, type: LEADING[name].native })),
    ...columns.map(({ type, name }, i) => ({ name: name ?? `c${i}`, type: nullableType(type) })),
  ]
}

/** Returns the columns as `assembly/columns.ts` reads them at an address. */
export function encodeColumns(
  columns: readonly PlacedColumn[],
  leading: readonly LeadingColumn[],
  address: number,
): Buffer {
  const places = [
    ...leading.map((name) => [LEADING[name].type, LEADING[name].cell]),
    ...columns.map(({ type, cell }) => [TYPE[type], cell]),
  ]
  const headers = columnHeaders(columns, leading)
  const table = Buffer.alloc(headers.length * COLUMN_BYTES)
  let headerAddress = address + table.length
  for (const [i, header] of headers.entries()) {
    const fields = [...places[i]!, headerAddress, header.length]
    for (const [field, value] of fields.entries()) {
      table.writeUInt32LE(value!, i * COLUMN_BYTES + field * 4)
    }
    headerAddress += header.length
  }
  return Buffer.concat([table, ...headers, Buffer.alloc(SPARE_BYTES)])
}

/** Returns the headers of the columns in a block: their names and types. */
export function columnHeaders(
  columns: readonly ScanColumn[],
  leading = STORED_COLUMNS,
): readonly Buffer[] {
  return blockColumns(columns, leading).map(({ name, type }) =>
    Buffer.concat([encodeText(name), encodeText(type)]),
  )
}
