import { type Sql, sql } from '../../sql/sql.js'
import type { EngineResult } from '../engine.js'

const DATA = '\n\t"data":\n\t{\n'
const LINE_BREAK = 10

/**
 * Takes apart what the engine wrote in its format `JSONColumnsWithMetadata`, without reading a value:
 * the format puts each column on a line of its own, and no text in it holds a raw line break.
 */
export function splitResult(response: Buffer): EngineResult {
  const data = response.indexOf(DATA)
  const bytes = new Map<string, Buffer>()
  let at = data + DATA.length
  for (const name of namesIn(response.toString('utf8', 0, data))) {
    const start = `\t\t${name}: `
    const end = response.indexOf(LINE_BREAK, at)
    // A result without rows names its columns, but has no lines for them.
    const isThere = response.toString('utf8', at, at + Buffer.byteLength(start)) === start
    bytes.set(JSON.parse(name), isThere ? valuesIn(response.subarray(at, end), start) : NO_VALUES)
    if (isThere) at = end + 1
  }
  const rest = response.toString('utf8', at)
  const rows = numberAfter('\t"rows": ', rest)
  let columns: ReadonlyMap<string, string> | undefined
  return {
    bytes,
    get columns() {
      columns ??= new Map([...bytes].map(([name, values]) => [name, values.toString()]))
      return columns
    },
    rows,
    // Without a limit there is no such line.
    rowsBeforeLimit: numberAfter('\t"rows_before_limit_at_least": ', rest) || rows,
    rowsExamined: numberAfter('\t\t"rows_read": ', rest),
  }
}

/** The texts of a column that holds no nulls. */
export function stringsIn(response: EngineResult, column: string): readonly string[] {
  return JSON.parse(response.columns.get(column) ?? '[]')
}

/** The number in the only row of an answer; 0 when there is no row. */
export function numberIn(response: EngineResult, column: string): number {
  const [number] = JSON.parse(response.columns.get(column) ?? '[]') as readonly number[]
  return number ?? 0
}

/** The names of the columns as the metadata has them, as JSON. */
function namesIn(metadata: string): readonly string[] {
  const label = '\t\t\t"name": '
  const lines = metadata.split('\n').filter((line) => line.startsWith(label))
  return lines.map((line) => line.slice(label.length, -1))
}

const NO_VALUES = Buffer.from('[]')

function valuesIn(line: Buffer, start: string): Buffer {
  const hasComma = line.at(-1) === 44
  return line.subarray(Buffer.byteLength(start), hasComma ? -1 : undefined)
}

function numberAfter(label: string, text: string): number {
  const start = text.lastIndexOf(`\n${label}`)
  return start === -1 ? 0 : Number.parseInt(text.slice(start + 1 + label.length), 10)
}

/** Asks how many parts a query has to look into; of those whose times are out of range their own index says no. */
export function estimateQuery(query: Sql): Sql {
  return sql`EXPLAIN ESTIMATE ${query}`
}

/** The number that the answer to it tells, over all tables. */
export function partsIn({ columns }: EngineResult): number {
  const parts: readonly number[] = JSON.parse(columns.get('parts') ?? '[]')
  return parts.reduce((sum, count) => sum + count, 0)
}
