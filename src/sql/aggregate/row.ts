import type { Type } from '../../apl/type.js'
import { raw, type Sql, sql } from '../sql.js'
import { nullable, type Value } from '../value.js'

/** What the aggregations of one `summarize` know of its rows. */
export interface Group {
  /** A number for each row that grows in the order at hand; absent where there is none. */
  readonly position?: Sql
  /** A number for each row that grows with the time of events, else in the order at hand. */
  readonly age?: Sql
  /** The seconds that a rate is over; null where nobody knows. */
  readonly seconds?: Sql
}

/** What an aggregation knows beside its arguments. */
export interface AggregateCall extends Group {
  /** The type that the result is to have. */
  readonly type: Type
}

/** What an aggregation makes of its arguments. */
export type AggregateRow = (values: readonly Value[], call: AggregateCall) => Value

/** A value in the rows for which a predicate is true, null in the others. */
export function only(value: Value, test: Value): Value {
  return nullable(value.type, sql`if(${test.filter ?? test.sql}, ${value.sql}, NULL)`)
}

/** Over values that may be null an aggregate of none is null by itself, and quicker. */
export function orNull(name: string, value: Value): Sql {
  return raw(value.nullable ? name : `${name}OrNull`)
}

/** Whether a row has a value at all. */
export function hasValue(value: Value): Sql {
  return value.nullable ? sql`isNotNull(${value.sql})` : sql`true`
}

/** A value that is only looked at in rows where it is not null, of a type that arrays and tuples take. */
export function present(value: Value): Sql {
  return value.nullable ? sql`assumeNotNull(${value.sql})` : value.sql
}
