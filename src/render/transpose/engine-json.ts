import { isSpace, MINUS, NINE, QUOTE, ZERO } from '../../text/bytes.js'
import { stringValue } from '../cell.js'
import { engineString } from './valid-text.js'

/** A string that the engine writes as it is. */
const PLAIN_STRING = /"[^"\\\u2028\u2029]*"/y
const STRING = /"(?:[^"\\]|\\[\s\S])*"?/y
const NUMBER = /-?\d[-+.\deE]*/y

/**
 * Returns JSON as ClickHouse writes it again: without white space, with its escapes and its form of numbers. `isInside` is true for a
 * member of an object: the engine writes the object first, and reads the member from that.
 */
export function engineJson(json: string, { isInside = false } = {}): string {
  let written = ''
  /** The position of the text that is not written yet. */
  let rest = 0
  for (let at = 0, end = 0; at < json.length; at = end) {
    const code = json.charCodeAt(at)
    end = at + 1
    if (code === QUOTE) {
      end = endOf(PLAIN_STRING, json, at)
      if (end > at) continue
      end = endOf(STRING, json, at)
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      end = Math.max(endOf(NUMBER, json, at), end)
    } else if (!isSpace(code)) continue
    const token = json.slice(at, end)
    const text = engineToken(token, isInside)
    if (text === token) continue
    written += json.slice(rest, at) + text
    rest = end
  }
  return written + json.slice(rest)
}

/** Returns the end of the match of a sticky expression at a position; 0 when it does not match. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : 0
}

/** Returns a string, a number or white space as the engine writes it. */
function engineToken(token: string, isInside: boolean): string {
  if (token.startsWith('"')) return engineString(stringValue(token))
  if (token <= ' ') return ''
  if (token === '-0') return '0'
  if (!/[.eE]/.test(token)) return token
  const value = Number(token)
  return isInside && value === 0 ? '0' : engineReal(value)
}

/** Returns a finite number as the engine writes it. */
export function engineReal(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value).replace('e+', 'e')
}
