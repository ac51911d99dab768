import type { EngineResult } from './engine.js'

/**
 * Takes apart what the engine wrote in its format `JSONColumnsWithMetadata`, without reading a value:
 * the format puts each column on a line of its own, and no string holds a raw line break.
 */
export function splitAnswer(answer: string): EngineResult {
  const columns = new Map<string, string>()
  const lines = answer.split('\n')
  let at = lines.indexOf('\t"meta":')
  for (; at < lines.length && lines[at] !== '\t],'; at++) {
    const name = /^\t{3}"name": (".*"),$/.exec(lines[at] ?? '')?.[1]
    // A result without rows names its columns only here.
    if (name !== undefined) columns.set(JSON.parse(name), '[]')
  }
  at = lines.indexOf('\t"data":', at) + 2
  for (; at < lines.length && lines[at] !== '\t},'; at++) {
    const line = lines[at] ?? ''
    const start = line.indexOf('": [')
    if (start === -1) continue
    const name: string = JSON.parse(line.slice(2, start + 1))
    columns.set(name, line.endsWith(',') ? line.slice(start + 3, -1) : line.slice(start + 3))
  }
  const tail = lines.slice(at).join('\n')
  return {
    columns,
    rows: numberAfter(tail, '"rows": '),
    rowsExamined: numberAfter(tail, '"rows_read": '),
  }
}

function numberAfter(text: string, label: string): number {
  const start = text.indexOf(label)
  return start === -1 ? 0 : Number.parseInt(text.slice(start + label.length), 10)
}
