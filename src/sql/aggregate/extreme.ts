import type { EXTREME_AGGREGATES } from '../../apl/aggregate/extreme.js'
import type { Type } from '../../apl/type.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { orderTuple } from '../type/dynamic-order.js'
import { jsonArray } from '../type/json-array.js'
import { nullable, type Value } from '../value.js'
import { type AggregateCall, type AggregateRow, hasValue, only, orNull, present } from './row.js'

/** Aggregations that select a value by its rank. */
export const EXTREME_SQL: Readonly<Record<keyof typeof EXTREME_AGGREGATES, AggregateRow>> = {
  arg_max: ([value, field], call) => atExtreme('max', value!, field ?? value!, call),
  arg_min: ([value, field], call) => atExtreme('min', value!, field ?? value!, call),
  max: ([value]) => extreme('max', value!),
  maxif: ([value, test]) => extreme('max', only(value!, test!)),
  min: ([value]) => extreme('min', value!),
  minif: ([value, test]) => extreme('min', only(value!, test!)),
  percentile: ([value, percent]) => percentile(value!, percent!),
  percentileif: ([value, percent, test]) => percentile(only(value!, test!), percent!),
  percentiles_array: ([value, ...percents]) => percentiles(value!, percents.flatMap(percentsOf)),
  percentiles_arrayif: ([value, percents, test]) =>
    percentiles(only(value!, test!), percentsOf(percents!)),
}

function extreme(name: 'max' | 'min', value: Value): Value {
  if (value.type === 'dynamic') {
    const found = raw(name === 'max' ? 'argMaxOrNullIf' : 'argMinOrNullIf')
    const isPresent = sql`isNotNull(${value.sql})`
    return nullable('dynamic', sql`${found}(${value.sql}, ${orderTuple(value)}, ${isPresent})`)
  }
  return nullable(value.type, sql`${orNull(name, value)}(${value.sql})`)
}

/** The types whose equal values are the same value: the row that has it does not matter. Of real numbers, -0.0 equals 0.0. */
const EQUAL_ARE_SAME: readonly Type[] = ['int', 'string', 'datetime', 'timespan']

/** Returns a field of the row with the largest or smallest value. */
function atExtreme(name: 'max' | 'min', value: Value, field: Value, { age }: AggregateCall): Value {
  if (field.sql.text === value.sql.text && EQUAL_ARE_SAME.includes(value.type)) {
    return extreme(name, value)
  }
  const size = value.type === 'dynamic' ? orderTuple(value) : present(value)
  const first = age === undefined ? [] : [name === 'max' ? sql`negate(${age})` : age]
  const key = sql`tuple(${list([size, ...first])})`
  // The engine skips rows whose field is null, unless the field is in a tuple.
  const row = sql`tuple(toNullable(${field.sql}))`
  const found = raw(name === 'max' ? 'argMaxIf' : 'argMinIf')
  const isPresent = hasValue(value)
  return nullable(field.type, sql`tupleElement(${found}(${row}, ${key}, ${isPresent}), 1)`)
}

/** Returns the value at the nearest rank: the smallest value that at least this share of all values do not exceed. */
function percentile(value: Value, percent: Value): Value {
  const share = level(Number(percent.constant))
  return nullable(value.type, sql`${orNull('quantileExact', value)}(${share})(${value.sql})`)
}

function percentiles(value: Value, percents: readonly number[]): Value {
  const found = sql`quantilesExact(${list(percents.map(level))})(${value.sql})`
  const item = convert({ sql: sql`item`, type: value.type, nullable: false }, 'dynamic')
  const array = jsonArray(sql`arrayMap(item -> ${item.sql}, ${found})`)
  return nullable('dynamic', sql`if(count(${value.sql}) > 0, ${array}, NULL)`)
}

/** Returns the percentages of a number or an array literal. */
function percentsOf({ constant }: Value): readonly number[] {
  const written: unknown = typeof constant === 'string' ? JSON.parse(constant) : Number(constant)
  return [written].flat().map(Number)
}

function level(percent: number): Sql {
  // The engine takes the element at index `level * count`, rounded down. When the product is integral,
  // the nearest rank is one lower; a slightly smaller level selects it and changes nothing else.
  return raw((percent / 100 - percent / 100 / 1e13).toFixed(17))
}
