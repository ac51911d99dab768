import { csvHeader } from '../csv.js'
import { tsvHeader } from '../tsv.js'
import { type CellEncoding, CSV_CELLS, encodeDelimited, TSV_CELLS } from './delimited.js'
import type { LineFormat } from './line-format.js'
import { encodeNdjson } from './ndjson.js'
import type { ScannedAnswer } from './scan-answer.js'
import { PLACE, type Places } from './scan-columns.js'

const CELLS: Readonly<Record<Exclude<LineFormat, 'ndjson'>, CellEncoding>> = {
  csv: CSV_CELLS,
  tsv: TSV_CELLS,
}

/** Which rows of an answer, and which of their columns. */
export interface RowSelection {
  /** Of which table of the answer. */
  readonly table: number
  /** Positions of columns, in the order in which they are wanted; all of them without it. */
  readonly columns?: readonly number[]
  /** The first row, and the row to stop before; from the first to the last without them. */
  readonly from?: number
  readonly to?: number
}

/** Bytes that are made and written at once, so that much is not held in memory twice. */
const PIECE_BYTES = 1 << 20

/** The names of a table's columns as the first line of a format; NDJSON has none. */
export async function headerBytes(
  format: LineFormat,
  { result }: ScannedAnswer,
  { table, columns }: RowSelection,
): Promise<Buffer> {
  const fields = result.tables[table]!.fields.map(({ name }) => name)
  const names = columns?.map((column) => fields[column]!) ?? fields
  if (format === 'ndjson') return Buffer.alloc(0)
  return Buffer.from(format === 'csv' ? await csvHeader(names) : tsvHeader(names))
}

/** Rows of an answer as lines of a format, in pieces that end with a line. */
export function* rowBytes(
  format: LineFormat,
  { body, result, places }: ScannedAnswer,
  { table, columns, from = 0, to }: RowSelection,
): Iterable<Uint8Array> {
  const found = places[table]!
  const { fields } = result.tables[table]!
  const order = columns ?? Array.from({ length: found.columns }, (_, column) => column)
  const keys = order.map((column, position) =>
    Buffer.from(`${position === 0 ? '{' : ','}${JSON.stringify(fields[column]!.name)}:`),
  )
  const keyBytes = keys.reduce((sum, key) => sum + key.length, 0)
  // In CSV and TSV a quote or a backslash becomes two of them, and a value may gain two quotes.
  const room =
    format === 'ndjson'
      ? { times: 1, more: keyBytes + 2 }
      : { times: 2, more: order.length * 3 + 1 }
  const last = Math.min(to ?? found.rows, found.rows)
  let row = from
  while (row < last) {
    const { end, bytes } = fitting(found, order, row, last, room)
    const out = Buffer.allocUnsafeSlow(bytes)
    const range = { from: row, to: end }
    const length =
      format === 'ndjson'
        ? encodeNdjson({ body, found, order, keys }, range, out)
        : encodeDelimited({ body, found, order, cells: CELLS[format] }, range, out)
    yield out.subarray(0, length)
    row = end
  }
}

/** How many rows make a piece, and how many bytes they take at most. */
function fitting(
  { places, rows }: Places,
  order: readonly number[],
  from: number,
  to: number,
  room: { readonly times: number; readonly more: number },
): { readonly end: number; readonly bytes: number } {
  let bytes = 0
  let row = from
  while (row < to && bytes < PIECE_BYTES) {
    let length = 0
    for (let i = 0; i < order.length; i++) {
      const at = 2 * (order[i]! * rows + row)
      length += (places[at + 1]! & PLACE) - (places[at]! & PLACE)
    }
    bytes += length * room.times + room.more
    row++
  }
  return { end: row, bytes }
}
