import { addTo } from '../../../text/lists.js'
import { matchAt } from '../../../text/match-at.js'
import { cellValue } from '../../../wire/csv/csv-cell.js'
import { closingQuote } from '../quoted.js'

/** The structured data of RFC 5424 as JSON, and the position after it. */
interface StructuredData {
  readonly json: string
  readonly end: number
}

const NAME = /[^\s=\]"]+/y
/** The example of RFC 5424 has a space in front of a value, and so do messages that are made after it. */
const OPENING = /= ?"/y

/** The values of an element by name; a repeated name has several values. */
type Values = Map<string, string[]>

/**
 * Reads `[id name="value" …][id …]` from its first bracket; undefined when it is malformed. The values of a repeated name,
 * also in a repeated id, become an array: an event that repeats a key many times would take long to read.
 */
export function readStructuredData(line: string, from: number): StructuredData | undefined {
  const elements = new Map<string, Values>()
  const own = readColonPairs(line, from)
  if (own !== undefined) return own
  let at = from
  while (line[at] === '[') {
    const end = readElement(line, at, elements)
    if (end === undefined) return undefined
    at = end
  }
  if (elements.size === 0) return undefined
  const members = [...elements].map(([id, values]) => `${JSON.stringify(id)}:${objectOf(values)}`)
  return { json: `{${members.join(',')}}`, end: at }
}

/** Reads an element, and returns the position after it. */
function readElement(
  line: string,
  from: number,
  elements: Map<string, Values>,
): number | undefined {
  const id = nameAt(line, from + 1)
  if (id === undefined) return undefined
  const values = elements.get(id) ?? new Map<string, string[]>()
  elements.set(id, values)
  let at = from + 1 + id.length
  while (line[at] === ' ') {
    while (line[at] === ' ') at += 1
    if (line[at] === ']') break
    const name = nameAt(line, at)
    if (name === undefined) return undefined
    if (matchAt(OPENING, line, at + name.length) === null) return undefined
    const from = OPENING.lastIndex
    const end = closingQuote(line, from)
    if (end === -1) return undefined
    addTo(values, name, cellValue(unescaped(line.slice(from, end))))
    at = end + 1
  }
  return line[at] === ']' ? at + 1 : undefined
}

function unescaped(value: string): string {
  // Searching is faster than replacing, and few values need it.
  return value.includes('\\') ? value.replace(/\\(["\\\]])/g, '$1') : value
}

function objectOf(values: Values): string {
  const members = [...values].map(
    ([name, found]) =>
      `${JSON.stringify(name)}:${found.length === 1 ? found[0] : `[${found.join(',')}]`}`,
  )
  return `{${members.join(',')}}`
}

function nameAt(line: string, from: number): string | undefined {
  NAME.lastIndex = from
  return NAME.test(line) ? line.slice(from, NAME.lastIndex) : undefined
}

const COLON_START = /\[\w{1,64}:"/y
const COLON_NAME = /([\w.-]{1,128}):"/y
const COLON_SEPARATOR = /(?:; ?)?/y

/** Reads `[name:"value"; name:"value"]`, which Check Point writes in place of structured data. */
function readColonPairs(line: string, from: number): StructuredData | undefined {
  if (matchAt(COLON_START, line, from) === null) return undefined
  const values: Values = new Map()
  let at = from + 1
  while (line[at] !== ']') {
    const name = matchAt(COLON_NAME, line, at)?.[1]
    // An expression for the value would exhaust the stack for values of tens of megabytes.
    const end = name === undefined ? -1 : closingQuote(line, COLON_NAME.lastIndex)
    if (name === undefined || end === -1) return undefined
    addTo(values, name, cellValue(unescaped(line.slice(COLON_NAME.lastIndex, end))))
    at = end + 1 + matchAt(COLON_SEPARATOR, line, end + 1)![0].length
  }
  return { json: objectOf(values), end: at + 1 }
}
