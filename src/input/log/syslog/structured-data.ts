import { cellValue } from '../../../wire/csv/csv-cell.js'
import { closingQuote } from '../quoted.js'

/** The structured data of RFC 5424 as JSON, and the position after it. */
interface StructuredData {
  readonly json: string
  readonly end: number
}

const NAME = /[^\s=\]"]+/y

/**
 * Reads `[id name="value" …][id …]` from its first bracket; undefined when it is malformed. A repeated name becomes an
 * array.
 */
export function readStructuredData(line: string, from: number): StructuredData | undefined {
  const elements: string[] = []
  let at = from
  while (line[at] === '[') {
    const element = readElement(line, at)
    if (element === undefined) return undefined
    elements.push(element.json)
    at = element.end
  }
  return elements.length === 0 ? undefined : { json: `{${elements.join(',')}}`, end: at }
}

function readElement(line: string, from: number): StructuredData | undefined {
  const id = nameAt(line, from + 1)
  if (id === undefined) return undefined
  const values = new Map<string, string[]>()
  let at = from + 1 + id.length
  while (line[at] === ' ') {
    while (line[at] === ' ') at += 1
    if (line[at] === ']') break
    const name = nameAt(line, at)
    if (name === undefined) return undefined
    const opening = at + name.length
    if (!line.startsWith('="', opening)) return undefined
    const end = closingQuote(line, opening + 2)
    if (end === -1) return undefined
    const value = cellValue(line.slice(opening + 2, end).replace(/\\(["\\\]])/g, '$1'))
    const found = values.get(name)
    if (found === undefined) values.set(name, [value])
    else found.push(value)
    at = end + 1
  }
  if (line[at] !== ']') return undefined
  const members = [...values].map(
    ([name, found]) =>
      `${JSON.stringify(name)}:${found.length === 1 ? found[0] : `[${found.join(',')}]`}`,
  )
  return { json: `${JSON.stringify(id)}:{${members.join(',')}}`, end: at + 1 }
}

function nameAt(line: string, from: number): string | undefined {
  NAME.lastIndex = from
  return NAME.exec(line)?.[0]
}
