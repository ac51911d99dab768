import type { JsonText } from '../../../../wire/json/json-text.js'
import type { TimeRange } from '../../../option/time-range.js'
import type { Nearby } from './nearby.js'

/** The number of rows at each point of a query where rows can be lost. */
export interface Explanation {
  readonly range: TimeRange
  /** True when the rows of the source are events. */
  readonly isEvents: boolean
  /** The number of rows of the source in the range. */
  readonly rows: number
  /** All events of the source; set only when the range has no events. */
  readonly all?: AllEvents
  /** The points in the order of the query, counted without the time range when the range has no events. */
  readonly points: readonly Point[]
  /** The time of an event: with a range that starts there, the query has rows. In nanoseconds since 1970. */
  readonly since?: bigint
}

export interface AllEvents {
  readonly rows: number
  /** The event times, as JSON; missing when there are no events. */
  readonly first: JsonText | undefined
  readonly last: JsonText | undefined
}

/** A point of a query where rows can be lost. */
export type Point = ConditionPoint | JoinPoint | OperatorPoint

/** A condition and the rows that it let through. */
export interface ConditionPoint {
  readonly kind: 'condition'
  readonly text: string
  readonly matched: number
  /** The rows that reach the condition. */
  readonly of: number
  /** The rows that meet the condition regardless of the conditions before it, among `rows`. */
  readonly alone: number
  /** The rows that reach the first condition of the segment. */
  readonly rows: number
  /** The existing values, for a condition that matches nothing. */
  readonly nearby: readonly Nearby[]
}

/** A join and the rows of its sides. */
export interface JoinPoint {
  readonly kind: 'join'
  readonly text: string
  readonly left: number
  readonly right: number
  readonly joined: number
}

/** Another operator and the number of its rows. */
export interface OperatorPoint {
  readonly kind: 'operator'
  readonly text: string
  readonly rows: number
}
