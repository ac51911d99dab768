import type { EngineResult } from './engine.js'

/**
 * Takes apart what the engine wrote in its format `JSONColumnsWithMetadata`, without reading a value:
 * the format puts each column on a line of its own, and no text in it holds a raw line break.
 */
export function splitAnswer(answer: string): EngineResult {
  const lines = answer.split('\n')
  const data = lines.indexOf('\t"data":')
  const names = lines.slice(0, data).flatMap(nameIn)
  const columns = new Map<string, string>()
  for (const [i, name] of names.entries()) {
    const line = lines[data + 2 + i] ?? ''
    const start = `\t\t${name}: `
    // A result without rows names its columns, but has no lines for them.
    const values = line.startsWith(start) ? line.slice(start.length).replace(/,$/, '') : '[]'
    columns.set(JSON.parse(name), values)
  }
  const end = lines.slice(data + 1 + columns.size).join('\n')
  return {
    columns,
    rows: numberIn(end, '\t"rows": '),
    rowsExamined: numberIn(end, '\t\t"rows_read": '),
  }
}

/** The texts of a column that holds no nulls. */
export function textsIn(answer: EngineResult, column: string): readonly string[] {
  return JSON.parse(answer.columns.get(column) ?? '[]')
}

/** The name, as JSON, that a line of the metadata gives a column. */
function nameIn(line: string): readonly string[] {
  return line.startsWith('\t\t\t"name": ') ? [line.slice('\t\t\t"name": '.length, -1)] : []
}

function numberIn(text: string, label: string): number {
  const start = text.lastIndexOf(`\n${label}`)
  return start === -1 ? 0 : Number.parseInt(text.slice(start + 1 + label.length), 10)
}
