// The texts of the queries that follow a query's events.
import { isDatasetName } from '../../../wire/http/dataset-name.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import type { EventPosition } from './seen.js'

/** `_time`: when an event was. `_sysTime`: when it arrived. */
export type TimeField = '_time' | '_sysTime'

/** In which order events are asked for. */
export type Order = readonly [first: TimeField, second: TimeField]

/** The query that an argument means: a dataset's name alone is all of its events. */
export function queryFor(argument: string): string {
  return isDatasetName(argument) ? `['${argument}']` : argument
}

/** When the last of the events there are arrived; null where there are none. */
export function lastArrival(apl: string): string {
  return `${apl}\n| summarize arrived_ = max(_sysTime), happened_ = max(_time)`
}

/** The newest events that had arrived by then, newest first. */
export function newestBy(apl: string, { until, limit }: { until: bigint; limit: number }): string {
  return `${apl}\n| where ${arrivedBy(until)}\n| sort by _time desc\n| limit ${limit}`
}

/** The events that meet a condition, from a place on, that place included. */
export function eventsFrom(
  apl: string,
  part: {
    readonly order: Order
    readonly condition: string
    readonly from: EventPosition | undefined
    readonly limit: number
  },
): string {
  const { order, condition, from, limit } = part
  const [first, second] = order
  const after = from === undefined ? '' : ` and ${boundCondition(order, '>', from)}`
  return `${apl}\n| where ${condition}${after}\n| sort by ${first} asc, ${second} asc\n| limit ${limit}`
}

/** How many events meet a condition. */
export function countWhere(apl: string, condition: string): string {
  return `${apl}\n| where ${condition}\n| summarize count_ = count()`
}

/** How many events meet a condition and lie between two places, those included. */
export function countBetween(
  apl: string,
  part: {
    readonly order: Order
    readonly condition: string
    readonly from: EventPosition | undefined
    readonly to: EventPosition
  },
): string {
  const { order, condition, from, to } = part
  const after = from === undefined ? '' : ` and ${boundCondition(order, '>', from)}`
  return countWhere(apl, `${condition}${after} and ${boundCondition(order, '<', to)}`)
}

/** The condition of a place and all on one side of it. */
function boundCondition([first, second]: Order, side: '<' | '>', place: EventPosition): string {
  const [one, two] = [literal(place.first), literal(place.second)]
  return `(${first} ${side} ${one} or (${first} == ${one} and ${second} ${side}= ${two}))`
}

/** The condition of events that had arrived by an instant. */
export function arrivedBy(instant: bigint): string {
  return `_sysTime <= ${literal(instant)}`
}

/** The condition of events that arrived after an instant, or at any. */
export function arrivedAfter(instant: bigint | undefined): string {
  return instant === undefined ? 'true' : `_sysTime > ${literal(instant)}`
}

function literal(instant: bigint): string {
  return `datetime(${formatTimestamp(instant)})`
}
