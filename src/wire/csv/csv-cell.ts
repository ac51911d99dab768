import { MINUS, NINE, POINT, ZERO } from '../../text/bytes.js'
import { isInt64 } from '../../text/integer.js'

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,18})$/
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const MAX_NUMBER_LENGTH = 24
/** A double represents decimals with this many digits exactly. */
const SAFE_DIGITS = 15
/** With more digits, a small fraction prints with an exponent: `1e-7`. */
const SAFE_FRACTION = 6

/** Returns the JSON of a cell: a number or a boolean if the text is unambiguously one, otherwise a string. */
export function cellValue(text: string): string {
  return isBareCell(text) ? text : JSON.stringify(text)
}

/** True when a cell is unambiguously a number or a boolean. */
export function isBareCell(text: string): boolean {
  if (isShortNumber(text) || text === 'true' || text === 'false') return true
  return mayBeNumber(text.charCodeAt(0)) && isExactNumber(text)
}

/** True for the first character of a number. */
function mayBeNumber(code: number): boolean {
  return (code >= ZERO && code <= NINE) || code === MINUS
}

/** True for a few digits, perhaps with a point, as in most numbers. A loop is faster than regular expressions. */
function isShortNumber(text: string): boolean {
  const { length } = text
  if (length > SAFE_DIGITS || length === 0) return false
  let point = length
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    if (code === POINT && point === length) point = at
    else if (code < ZERO || code > NINE) return false
  }
  if (point === 0 || point === length - 1 || length - point - 1 > SAFE_FRACTION) return false
  return text.charCodeAt(0) !== ZERO || point === 1
}

/**
 * True when a number prints as it was written, apart from trailing zeros of the fraction: `391.10` is a number like `391.12` in the
 * same column. `007`, `1e3` and integers of twenty digits would print differently, and stay strings.
 */
export function isExactNumber(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH) return false
  // Most numbers, without the regular expressions.
  if (text.includes('.') && String(Number(text)) === text) return true
  if (!NUMBER.test(text)) return false
  if (!WHOLE_NUMBER.test(text)) {
    return String(Number(text)) === withoutEndingZeros(text) && !/^-?\d+$/.test(text)
  }
  return text.length < 19 || isInt64(BigInt(text))
}

function withoutEndingZeros(text: string): string {
  return /^[^eE]*\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text
}
