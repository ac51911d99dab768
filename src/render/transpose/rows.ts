import { csvHeader } from '../csv.js'
import { tsvHeader } from '../tsv.js'
import { answerMemory } from './answer-memory.js'
import { CSV_LINES, type LineEncoding, ndjsonLines, TSV_LINES } from './line-encoding.js'
import type { LineFormat } from './line-format.js'
import type { ScannedAnswer } from './scan-answer.js'

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

/** The names of a table's columns as the first line of a format; NDJSON has none. */
export async function headerBytes(
  format: LineFormat,
  answer: ScannedAnswer,
  selection: RowSelection,
): Promise<Buffer> {
  if (format === 'ndjson') return Buffer.alloc(0)
  const names = namesOf(answer, selection)
  return Buffer.from(format === 'csv' ? await csvHeader(names) : tsvHeader(names))
}

/** Rows of an answer as lines of a format, in pieces that end with a line. */
export function* rowBytes(
  format: LineFormat,
  answer: ScannedAnswer,
  selection: RowSelection,
): Iterable<Uint8Array> {
  const { table, from = 0, to } = selection
  const { columns, rows } = answer.places[table]!
  const order = selection.columns ?? Array.from({ length: columns }, (_, column) => column)
  const encoding = encodingOf(format, namesOf(answer, selection))
  const last = Math.min(to ?? rows, rows)
  let row = from
  while (row < last) {
    const { bytes, next } = answerMemory().lines(
      answer,
      { table, order, from: row, to: last },
      encoding,
    )
    yield bytes
    row = next
  }
}

function encodingOf(format: LineFormat, names: readonly string[]): LineEncoding {
  switch (format) {
    case 'csv':
      return CSV_LINES
    case 'tsv':
      return TSV_LINES
    case 'ndjson':
      return ndjsonLines(names)
    default:
      return format satisfies never
  }
}

function namesOf({ result }: ScannedAnswer, { table, columns }: RowSelection): readonly string[] {
  const fields = result.tables[table]!.fields.map(({ name }) => name)
  return columns?.map((column) => fields[column]!) ?? fields
}
