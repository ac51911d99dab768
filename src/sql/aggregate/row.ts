import type { AggregateName } from '../../apl/aggregate/aggregates.js'
import type { Type } from '../../apl/type.js'
import { raw, type Sql, sql } from '../sql.js'
import { nullable, type Value } from '../value.js'

/** Aggregations whose result depends on the order of the rows. */
export const IN_ORDER: readonly AggregateName[] = [
  'make_list',
  'make_list_if',
  'make_set',
  'make_set_if',
]
/** Aggregations that compare the age of rows. */
export const BY_AGE: readonly AggregateName[] = ['arg_max', 'arg_min']

/** Properties of the groups of one `summarize`. */
export interface Group {
  /** A number for each row that increases in the current order; absent when the rows have no order. */
  readonly position?: Sql
  /** A number for each row that increases with the time of events, or in the current order when rows are not events. */
  readonly age?: Sql
  /** The time of each row in the upper bits of its age; absent when the age is not made from a time. */
  readonly time?: Sql
  /** The length, in seconds, that a rate is relative to; null when unknown. */
  readonly seconds?: Sql
}

/** The context of an aggregation, in addition to its arguments. */
export interface AggregateCall extends Group {
  readonly type: Type
}

export type AggregateRow = (values: readonly Value[], call: AggregateCall) => Value

/** Returns the value in rows for which a predicate is true, null in others. */
export function only(value: Value, test: Value): Value {
  return nullable(value.type, sql`if(${test.filter ?? test.sql}, ${value.sql}, NULL)`)
}

/** Returns an aggregate that is null without rows: over nullable values the plain one is, and faster than its `OrNull` variant. */
export function orNull(name: string, value: Value): Sql {
  return raw(value.nullable ? name : `${name}OrNull`)
}

export function hasValue(value: Value): Sql {
  return value.nullable ? sql`isNotNull(${value.sql})` : sql`true`
}
