import type { JsonText } from '../../wire/json/json-text.js'
import type { LineFormat } from './line-encoding.js'
import { JSON_CELLS, LINE_END, responseMemory } from './response-memory.js'
import type { ScannedResponse } from './scan-response.js'

interface RowSelection {
  readonly table: number
  /** Indices of columns, in output order; all columns by default. */
  readonly columns?: readonly number[]
  /** The first row and the row to stop at; all rows by default. */
  readonly from?: number
  readonly to?: number
}

/** Returns the line that names the columns; empty when each row names its own. */
export async function headingBytes(
  lines: LineFormat,
  response: ScannedResponse,
  selection: RowSelection,
): Promise<Buffer> {
  return Buffer.from(await lines.heading(namesOf(response, selection)))
}

/** Yields rows as lines, in pieces of whole lines. Each piece is a copy made by `copy`, because the memory is reused. */
export function* rowBytes(
  lines: LineFormat,
  response: ScannedResponse,
  selection: RowSelection,
  copy: (piece: Uint8Array) => Uint8Array = Buffer.from,
): Iterable<Uint8Array> {
  const { table, from = 0, to } = selection
  const { columns, rows } = response.tables[table]!
  const order = selection.columns ?? Array.from({ length: columns }, (_, column) => column)
  const encoding = lines.encoding(namesOf(response, selection))
  const last = Math.min(to ?? rows, rows)
  let row = from
  while (row < last) {
    const { bytes, next } = responseMemory().lines(
      response,
      { table, order, from: row, to: last },
      encoding,
    )
    yield copy(bytes)
    row = next
  }
}

const JSON_LINES: LineFormat = { heading: () => '', encoding: () => JSON_CELLS }

export function columnCells(
  response: ScannedResponse,
  { table, column }: { readonly table: number; readonly column: number },
): readonly JsonText[] {
  const pieces = [...rowBytes(JSON_LINES, response, { table, columns: [column] })]
  return Buffer.concat(pieces).toString('utf8').split(LINE_END).slice(0, -1)
}

const MARKED_CELLS: LineFormat = {
  heading: () => '',
  encoding: (names) => ({ ...JSON_CELLS, keys: names.map(() => '\0') }),
}

/** Yields rows as lines of JSON values with a zero byte in front of each, in pieces that are valid until the next one. */
export function markedCells(
  response: ScannedResponse,
  selection: RowSelection,
): Iterable<Uint8Array> {
  return rowBytes(MARKED_CELLS, response, selection, (piece) => piece)
}

/**
 * Returns all values of a column in the format Native, which are valid until values of any response are read; undefined when the
 * response has them in another format.
 */
export function columnValues(
  response: ScannedResponse,
  { table, column }: { readonly table: number; readonly column: number },
) {
  const found = response.tables[table]?.native?.[column]
  return found && { ...found, values: responseMemory().range(response, found) }
}

function namesOf({ result }: ScannedResponse, { table, columns }: RowSelection): readonly string[] {
  const fields = result.tables[table]!.fields.map(({ name }) => name)
  return columns?.map((column) => fields[column]!) ?? fields
}
