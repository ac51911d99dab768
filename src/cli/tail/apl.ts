// The texts of the queries that follow a query's events.
import { isDatasetName } from '../../wire/dataset-name.js'
import { formatTimestamp } from '../../wire/timestamp.js'

/** A place in the events that are ordered by two of their times; nanoseconds since 1970. */
export interface Place {
  readonly first: bigint
  readonly second: bigint
}

/** `_time`: when an event was. `_sysTime`: when it arrived. */
export type TimeField = '_time' | '_sysTime'

/** In which order events are asked for. */
export type Order = readonly [first: TimeField, second: TimeField]

/** The query that an argument means: a dataset's name alone is all of its events. */
export function queryOf(argument: string): string {
  return isDatasetName(argument) ? `['${argument}']` : argument
}

/** When the last of the events there are arrived; null where there are none. */
export function lastArrival(apl: string): string {
  return `${apl}\n| summarize arrived_ = max(_sysTime), happened_ = max(_time)`
}

/** The newest events that had arrived by then, newest first. */
export function newest(apl: string, { until, limit }: { until: bigint; limit: number }): string {
  return `${apl}\n| where ${arrivedBy(until)}\n| sort by _time desc\n| limit ${limit}`
}

/** The events that meet a condition, from a place on, that place included. */
export function eventsFrom(
  apl: string,
  part: {
    readonly order: Order
    readonly condition: string
    readonly from: Place | undefined
    readonly limit: number
  },
): string {
  const { order, condition, from, limit } = part
  const [first, second] = order
  const conditions = [condition]
  if (from !== undefined) {
    const [one, two] = [literal(from.first), literal(from.second)]
    conditions.push(`(${first} > ${one} or (${first} == ${one} and ${second} >= ${two}))`)
  }
  return `${apl}\n| where ${conditions.join(' and ')}\n| sort by ${first} asc, ${second} asc\n| limit ${limit}`
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
