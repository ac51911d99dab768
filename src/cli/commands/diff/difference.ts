// The difference of two numbers as the JSON of cells: exact for integers, of doubles otherwise.
import { isNumber } from '../../../render/cell.js'
import type { JsonText } from '../../../wire/json/json-text.js'

const NULL = 'null'

/** Returns `after - before`; null when one of them is null. */
export function differenceOf(before: JsonText, after: JsonText): JsonText {
  if (!isNumber(before) || !isNumber(after)) return NULL
  if (isWhole(before) && isWhole(after)) return String(BigInt(after) - BigInt(before))
  return finite(Number(after) - Number(before))
}

/** Returns `after / before`; null when one of them is null, or `before` is 0. */
export function ratioOf(before: JsonText, after: JsonText): JsonText {
  if (!isNumber(before) || !isNumber(after) || Number(before) === 0) return NULL
  return finite(Number(after) / Number(before))
}

/** Compares two cells by their absolute value, the larger one first; null is the smallest. */
export function byMagnitude(a: JsonText, b: JsonText): number {
  return magnitude(b) - magnitude(a)
}

function magnitude(cell: JsonText): number {
  return isNumber(cell) ? Math.abs(Number(cell)) : -1
}

function isWhole(cell: JsonText): boolean {
  return /^-?\d+$/.test(cell)
}

function finite(value: number): JsonText {
  return Number.isFinite(value) ? String(value) : NULL
}
