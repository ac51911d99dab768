// Finds the existing values that are nearest to the values that a condition requires.

import type { Comparison } from '../../../../apl/language.js'
import { cellText, isNumber } from '../../../../render/cell.js'
import { nearest } from '../../../../text/suggest.js'
import { columnOf } from '../../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../../wire/json/json-text.js'
import type { Asking } from '../../../query/ask-rows.js'

/** The existing values of an expression that a condition tests. */
export type Nearby =
  /** Some of the values, nearest or most frequent first. */
  | {
      readonly kind: 'values'
      readonly subject: string
      readonly values: readonly JsonText[]
      /** The number of further values; undefined when they were not all counted. */
      readonly others: number | undefined
    }
  | {
      readonly kind: 'range'
      readonly subject: string
      readonly low: JsonText
      readonly high: JsonText
    }
  /** All values are null. */
  | { readonly kind: 'nothing'; readonly subject: string }

/** The maximum number of values that are read, the most frequent first. */
const READ_VALUES = 1_000

/** The maximum number of values that are named. */
const NAMED_VALUES = 5

/** Returns the values that a comparison finds in the rows of a query. */
export async function nearbyValues(
  { subject, isOrder, wanted }: Comparison,
  { apl, asking }: { readonly apl: string; readonly asking: Asking },
): Promise<Nearby | undefined> {
  if (isOrder) {
    const row = await asking.askRow(
      `${apl}\n| summarize low_ = min(${subject}), high_ = max(${subject})`,
    )
    const [low, high] = [row('low_'), row('high_')]
    if (low === undefined || high === undefined) return { kind: 'nothing', subject }
    return { kind: 'range', subject, low, high }
  }
  const grouped = `summarize count_ = count() by value_ = ${subject}`
  const top = `top ${READ_VALUES} by count_ desc`
  const table = await asking.askTable(`${apl}\n| ${grouped}\n| ${top}`, READ_VALUES)
  const cells = columnOf(table, 'value_')
  if (cells === undefined) return undefined
  const values = cells.filter((cell) => cell !== 'null')
  if (values.length === 0) return { kind: 'nothing', subject }
  const named = nearestOf(values, wanted.map(String)).slice(0, NAMED_VALUES)
  const others = cells.length < READ_VALUES ? values.length - named.length : undefined
  return { kind: 'values', subject, values: named, others }
}

/** Sorts values: numbers by their distance to a wanted value, other values with similar ones first. */
function nearestOf(values: readonly JsonText[], wanted: readonly string[]): readonly JsonText[] {
  const numbers = wanted.map(Number).filter((number) => !Number.isNaN(number))
  if (numbers.length > 0 && values.every(isNumber)) {
    const distance = (cell: JsonText) =>
      Math.min(...numbers.map((number) => Math.abs(Number(cell) - number)))
    return [...values].sort((one, other) => distance(one) - distance(other))
  }
  const cells = new Map(values.map((cell) => [cellText(cell) ?? '', cell]))
  const similar = wanted.flatMap((text) => nearest(text, [...cells.keys()], NAMED_VALUES))
  const names = new Set([...similar, ...cells.keys()])
  return [...names].map((name) => cells.get(name)!)
}
