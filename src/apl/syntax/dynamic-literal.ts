import { isInt64 } from '../../text/integer.js'
import { readEscapes } from './string-literal.js'

const MAX_NESTING = 100
/** A string, which may lack its closing quote, a number, a word, space, or a sign. */
const TOKEN =
  /(["'])(?:(?!\1)[^\\]|\\[\s\S])*\1?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[a-z]+|\s+|[\s\S]/g

/**
 * Parses the contents of `dynamic(…)`: JSON in which strings may have single quotes. Returns JSON text, in which
 * numbers keep their digits; undefined for anything else.
 */
export function parseDynamic(text: string): string | undefined {
  const tokens: string[] = []
  let depth = 0
  for (const [written] of text.matchAll(TOKEN)) {
    const token = tokenInJson(written)
    if (token === '[' || token === '{') depth++
    if (token === ']' || token === '}') depth--
    if (token === undefined || depth > MAX_NESTING) return undefined
    tokens.push(token)
  }
  try {
    // Without spaces, `1 2` would be one number.
    JSON.parse(tokens.join(' '))
    return tokens.join('')
  } catch {
    return undefined
  }
}

function tokenInJson(written: string): string | undefined {
  if (/^["']/.test(written)) {
    const read = readEscapes(written.slice(1, -1))
    return 'value' in read && isClosed(written) ? JSON.stringify(read.value) : undefined
  }
  if (!/^-?\d/.test(written)) return written.trim()
  const number = Number(written)
  if (!Number.isFinite(number)) return undefined
  return isReadable(written) ? written : number.toExponential()
}

function isClosed(string: string): boolean {
  return string.length > 1 && string.endsWith(string.charAt(0))
}

/** Returns false for integers that do not fit in 64 bits: the engine cannot read them, so they become real numbers. */
function isReadable(number: string): boolean {
  if (!/^-?\d+$/.test(number)) return true
  const whole = BigInt(number)
  return isInt64(whole) || BigInt.asUintN(64, whole) === whole
}
