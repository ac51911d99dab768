import type { LineFormat } from './line-encoding.js'
import { responseMemory } from './response-memory.js'
import type { ScannedResponse } from './scan-response.js'

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

/** The line that names the columns of a table; empty where each row names its own. */
export async function headingBytes(
  lines: LineFormat,
  answer: ScannedResponse,
  selection: RowSelection,
): Promise<Buffer> {
  return Buffer.from(await lines.heading(namesOf(answer, selection)))
}

/** Rows of an answer as lines, in pieces that end with a line. */
export function* rowBytes(
  lines: LineFormat,
  answer: ScannedResponse,
  selection: RowSelection,
): Iterable<Uint8Array> {
  const { table, from = 0, to } = selection
  const { columns, rows } = answer.tables[table]!
  const order = selection.columns ?? Array.from({ length: columns }, (_, column) => column)
  const encoding = lines.encoding(namesOf(answer, selection))
  const last = Math.min(to ?? rows, rows)
  let row = from
  while (row < last) {
    const { bytes, next } = responseMemory().lines(
      answer,
      { table, order, from: row, to: last },
      encoding,
    )
    yield bytes
    row = next
  }
}

function namesOf({ result }: ScannedResponse, { table, columns }: RowSelection): readonly string[] {
  const fields = result.tables[table]!.fields.map(({ name }) => name)
  return columns?.map((column) => fields[column]!) ?? fields
}
