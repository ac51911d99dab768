import { stringValue } from '../cell.js'
import { engineString } from './valid-text.js'

/** A number, white space, or what is between them and strings. */
const TOKEN = /-?\d[-+.\deE]*|[ \t\r\n]+|[^" \t\r\n\d-]+/y

/**
 * Returns JSON as ClickHouse writes it again: without white space, with its escapes and its form of numbers. `isInside` is true for a
 * member of an object: the engine writes the object first, and reads the member from that.
 */
export function engineJson(json: string, { isInside = false } = {}): string {
  let written = ''
  let at = 0
  while (at < json.length) {
    const end = json[at] === '"' ? stringEnd(json, at) : tokenEnd(json, at)
    const token = engineToken(json.slice(at, end))
    written += isInside && token === '-0' ? '0' : token
    at = end
  }
  return written
}

function stringEnd(json: string, quote: number): number {
  let at = quote + 1
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at + 1
}

function tokenEnd(json: string, at: number): number {
  TOKEN.lastIndex = at
  return TOKEN.test(json) ? TOKEN.lastIndex : at + 1
}

function engineToken(token: string): string {
  const first = token[0]!
  if (first === '"') return engineString(stringValue(token))
  if (first <= ' ') return ''
  if (token === '-0') return '0'
  const isDouble = (first === '-' || (first >= '0' && first <= '9')) && /[.eE]/.test(token)
  return isDouble ? engineDouble(Number(token)) : token
}

function engineDouble(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e')
}
