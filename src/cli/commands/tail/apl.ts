// The queries that poll for events.

import { isDatasetName } from '../../../wire/http/dataset-name.js'
import type { EventPosition, Order } from '../../around/event-position.js'
import { instantText } from '../../query/quoted-name.js'

/** Returns the query for an argument; the name of a dataset selects all events of the dataset. */
export function queryFor(argument: string): string {
  return isDatasetName(argument) ? `['${argument}']` : argument
}

/** Returns the query for the latest arrival; its result is null when there are no events. */
export function lastArrival(apl: string): string {
  return `${apl}\n| summarize arrived_ = max(_sysTime), happened_ = max(_time)`
}

/** Returns the query for the newest events that arrived by `until`, newest first. */
export function newestBy(apl: string, { until, limit }: { until: bigint; limit: number }): string {
  return `${apl}\n| where ${arrivedBy(until)}\n| sort by _time desc\n| limit ${limit}`
}

interface EventPart {
  readonly order: Order
  readonly condition: string
  readonly from: EventPosition | undefined
}

/** Returns the query for events that meet a condition, from a position on (inclusive). */
export function eventsFrom(
  apl: string,
  { order, condition, from, limit }: EventPart & { readonly limit: number },
): string {
  const [first, second] = order
  const after = from === undefined ? '' : ` and ${boundCondition(order, '>', from)}`
  return `${apl}\n| where ${condition}${after}\n| sort by ${first} asc, ${second} asc\n| limit ${limit}`
}

export function countWhere(apl: string, condition: string): string {
  return `${apl}\n| where ${condition}\n| summarize count_ = count()`
}

/** Returns the query for the number of events that meet a condition between two positions (inclusive). */
export function countBetween(
  apl: string,
  { order, condition, from, to }: EventPart & { readonly to: EventPosition },
): string {
  const after = from === undefined ? '' : ` and ${boundCondition(order, '>', from)}`
  return countWhere(apl, `${condition}${after} and ${boundCondition(order, '<', to)}`)
}

/** Returns the condition for events at a position or on one side of it. */
function boundCondition([first, second]: Order, side: '<' | '>', place: EventPosition): string {
  const [one, two] = [instantText(place.first), instantText(place.second)]
  return `(${first} ${side} ${one} or (${first} == ${one} and ${second} ${side}= ${two}))`
}

/** Returns the condition for events that arrived by an instant. */
export function arrivedBy(instant: bigint): string {
  return `_sysTime <= ${instantText(instant)}`
}

/** Returns the condition for events that arrived after an instant, or at any time. */
export function arrivedAfter(instant: bigint | undefined): string {
  return instant === undefined ? 'true' : `_sysTime > ${instantText(instant)}`
}
