import { LINE_FEED } from '../text/bytes.js'
import type { EngineResult } from './engine.js'

const DATA = '\n\t"data":\n\t{\n'

/**
 * Splits a response in the format `JSONColumnsWithMetadata` into columns without parsing values: the format puts each column
 * on one line, and strings contain no raw line breaks.
 */
export function splitResult(response: Buffer): EngineResult {
  const data = response.indexOf(DATA)
  const bytes = new Map<string, Buffer>()
  let at = data + DATA.length
  for (const name of namesIn(response.toString('utf8', 0, data))) {
    const start = `\t\t${name}: `
    const end = response.indexOf(LINE_FEED, at)
    // A result without rows has metadata of its columns, but no lines for them.
    const isThere = response.toString('utf8', at, at + Buffer.byteLength(start)) === start
    bytes.set(JSON.parse(name), isThere ? valuesIn(response.subarray(at, end), start) : NO_VALUES)
    if (isThere) at = end + 1
  }
  const rest = response.toString('utf8', at)
  const rows = numberAfter('\t"rows": ', rest) ?? 0
  const rowsAggregated = numberAfter('\t"rows_before_aggregation": ', rest)
  let columns: ReadonlyMap<string, string> | undefined
  return {
    bytes,
    get columns() {
      columns ??= new Map([...bytes].map(([name, values]) => [name, values.toString()]))
      return columns
    },
    rows,
    // Missing without a LIMIT.
    rowsBeforeLimit: numberAfter('\t"rows_before_limit_at_least": ', rest) || rows,
    rowsExamined: numberAfter('\t\t"rows_read": ', rest) ?? 0,
    rowsAggregated,
  }
}

/** Returns the values of a string column without nulls. */
export function stringsIn(response: EngineResult, column: string): readonly string[] {
  return JSON.parse(response.columns.get(column) ?? '[]')
}

/** Returns the rows of a result as objects of string columns without nulls. */
export function rowsIn<Column extends string>(
  response: EngineResult,
  ...names: readonly Column[]
): readonly Readonly<Record<Column, string>>[] {
  const columns = names.map((name) => [name, stringsIn(response, name)] as const)
  const rows = Array.from({ length: response.rows }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[row]])),
  )
  return rows as Record<Column, string>[]
}

/** Returns the number in the first row of a column; 0 without rows. */
export function numberIn(response: EngineResult, column: string): number {
  const [number] = JSON.parse(response.columns.get(column) ?? '[]') as readonly number[]
  return number ?? 0
}

/** Returns the column names in the metadata, as JSON strings. */
function namesIn(metadata: string): readonly string[] {
  const label = '\t\t\t"name": '
  const lines = metadata.split('\n').filter((line) => line.startsWith(label))
  return lines.map((line) => line.slice(label.length, -1))
}

export const NO_VALUES = Buffer.from('[]')

function valuesIn(line: Buffer, start: string): Buffer {
  const hasComma = line.at(-1) === 44
  return line.subarray(Buffer.byteLength(start), hasComma ? -1 : undefined)
}

function numberAfter(label: string, text: string): number | undefined {
  const start = text.lastIndexOf(`\n${label}`)
  return start === -1 ? undefined : Number.parseInt(text.slice(start + 1 + label.length), 10)
}
