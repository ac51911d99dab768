import type { CheckedSort, CheckedSortKey } from '../../apl/check/checked.js'
import { expression } from '../expression.js'
import type { OrderKey, Rows } from '../rows.js'
import type { Scope } from '../scope.js'
import { identifier } from '../sql.js'
import { orderKeys } from '../type/dynamic-order.js'

/** `sort`: these keys first, then the current order, so that the sort is stable. */
export function sort(operator: CheckedSort, rows: Rows, scope: Scope): Rows {
  const keys = operator.keys
    .flatMap((key) => compiled(key, scope))
    .map((key) => ofEvents(key, rows))
  const order = withoutRepeats([...keys, ...tieBreakers(keys, rows)])
  if (!rows.summary) return { ...rows, order }
  return { ...rows, order, summary: { ...rows.summary, byGroups: false } }
}

function compiled({ value, direction, nulls }: CheckedSortKey, scope: Scope): readonly OrderKey[] {
  const compiledValue = expression(value, scope)
  const column = value.kind === 'reference' ? { column: value.column } : {}
  const where = compiledValue.nullable ? { nulls } : {}
  return orderKeys(compiledValue).map((key) => ({ sql: key, direction, ...where, ...column }))
}

/** A key that is the time of the events keeps that property. */
function ofEvents(key: OrderKey, { order }: Rows): OrderKey {
  const isTime = order.some(({ instant, sql: { text } }) => instant && text === key.sql.text)
  return isTime ? { ...key, instant: true } : key
}

/** The time of arrival, which is the same for all events of a request. */
const ARRIVED_AT = identifier('_sysTime')

/**
 * Events sorted by time are tie-broken by arrival, then by dataset, in the same direction; events sorted by the time of their
 * arrival are in the order of arrival.
 */
function tieBreakers(keys: readonly OrderKey[], rows: Rows): readonly OrderKey[] {
  const [time, arrival, ...rest] = rows.order
  const last = keys.at(-1)
  if (arrival?.arrival && last?.sql.text === ARRIVED_AT.text) {
    return [{ ...arrival, direction: last.direction }, ...rows.order]
  }
  const oldestFirst = keys.some(
    ({ direction, sql: { text } }) => direction === 'asc' && text === time?.sql.text,
  )
  if (!oldestFirst || !time || !arrival?.arrival) return rows.order
  const others = rest.map((key) => (key.dataset ? { ...key, direction: 'asc' as const } : key))
  return [time, { ...arrival, direction: 'asc' }, ...others]
}

function withoutRepeats(keys: readonly OrderKey[]): readonly OrderKey[] {
  const seen = new Set<string>()
  return keys.filter(({ sql: { text } }) => !seen.has(text) && seen.add(text))
}
