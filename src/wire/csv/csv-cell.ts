import { MINUS, NINE, POINT, ZERO } from '../../text/bytes.js'
import { printsEqual } from '../../text/decimal.js'
import { isInt64 } from '../../text/integer.js'

const WHOLE_NUMBER = /^(?:0|-?[1-9]\d{0,18})$/
/** A sign or a fraction, as in `1e-7` and Java's `1.0E10`, distinguishes exponents from identifiers such as `1234e5`. */
const REAL = /^-?(?:0|[1-9]\d*)(?:\.\d+(?:[eE][+-]?\d+)?|[eE][+-]\d+)$/
const NEGATIVE_ZERO = /^-[0.]+(?:[eE]|$)/
const MAX_NUMBER_LENGTH = 24
/** A double represents decimals with this many digits exactly. */
const SAFE_DIGITS = 15

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
  if (point === 0 || point === length - 1) return false
  return text.charCodeAt(0) !== ZERO || point === 1
}

/**
 * True when a number prints equal to what was written, perhaps in another form: `391.10` and `6.3e-05` are numbers like `391.12` and
 * `0.0063` in the same column. `007`, integers of twenty digits, and `-0`, whose sign is not kept, stay strings.
 */
export function isExactNumber(text: string): boolean {
  if (text.length > MAX_NUMBER_LENGTH) return false
  if (WHOLE_NUMBER.test(text)) return text.length < 19 || isInt64(BigInt(text))
  return REAL.test(text) && !NEGATIVE_ZERO.test(text) && printsEqual(text)
}
