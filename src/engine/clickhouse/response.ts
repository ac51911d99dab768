import type { EngineResult } from '../engine.js'

const DATA = '\n\t"data":\n\t{\n'
const LINE_BREAK = 10

/**
 * Takes apart what the engine wrote in its format `JSONColumnsWithMetadata`, without reading a value:
 * the format puts each column on a line of its own, and no text in it holds a raw line break.
 */
export function splitAnswer(answer: Buffer): EngineResult {
  const data = answer.indexOf(DATA)
  const bytes = new Map<string, Buffer>()
  let at = data + DATA.length
  for (const name of namesIn(answer.toString('utf8', 0, data))) {
    const start = `\t\t${name}: `
    const end = answer.indexOf(LINE_BREAK, at)
    // A result without rows names its columns, but has no lines for them.
    const isThere = answer.toString('utf8', at, at + Buffer.byteLength(start)) === start
    bytes.set(JSON.parse(name), isThere ? valuesIn(answer.subarray(at, end), start) : NO_VALUES)
    if (isThere) at = end + 1
  }
  const rest = answer.toString('utf8', at)
  const rows = numberBehind('\t"rows": ', rest)
  let columns: ReadonlyMap<string, string> | undefined
  return {
    bytes,
    get columns() {
      columns ??= new Map([...bytes].map(([name, values]) => [name, values.toString()]))
      return columns
    },
    rows,
    // Without a limit there is no such line.
    rowsBeforeLimit: numberBehind('\t"rows_before_limit_at_least": ', rest) || rows,
    rowsExamined: numberBehind('\t\t"rows_read": ', rest),
  }
}

/** The texts of a column that holds no nulls. */
export function textsIn(answer: EngineResult, column: string): readonly string[] {
  return JSON.parse(answer.columns.get(column) ?? '[]')
}

/** The number in the only row of an answer; 0 when there is no row. */
export function numberIn(answer: EngineResult, column: string): number {
  const [number] = JSON.parse(answer.columns.get(column) ?? '[]') as readonly number[]
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

function numberBehind(label: string, text: string): number {
  const start = text.lastIndexOf(`\n${label}`)
  return start === -1 ? 0 : Number.parseInt(text.slice(start + 1 + label.length), 10)
}
