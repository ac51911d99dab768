import type { RowAggregate } from '../../apl/check/expression/row-aggregate.js'
import type { Type } from '../../apl/type.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { convert, nanoseconds } from '../type/convert.js'
import { orderTuple } from '../type/dynamic-order.js'
import { jsonArray } from '../type/json-array.js'
import { nonNullable, nullable, once, type Value } from '../value.js'
import { type AggregateRow, type Group, hasValue, only, orNull } from './row.js'

export const EXTREME_SQL = {
  arg_max: ([value, field], call) => atExtreme('max', value!, field!, call),
  arg_min: ([value, field], call) => atExtreme('min', value!, field!, call),
  max: ([value]) => extreme('max', value!),
  maxif: ([value, test]) => extreme('max', only(value!, test!)),
  min: ([value]) => extreme('min', value!),
  minif: ([value, test]) => extreme('min', only(value!, test!)),
  percentile: ([value, percent]) => percentile(value!, percent!),
  percentileif: ([value, percent, test]) => percentile(only(value!, test!), percent!),
  percentiles_array: ([value, ...percents]) => percentiles(value!, percents.flatMap(percentsOf)),
  percentiles_arrayif: ([value, percents, test]) =>
    percentiles(only(value!, test!), percentsOf(percents!)),
} satisfies Record<string, AggregateRow>

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

/** Returns a field of the row with the largest or smallest value; of rows with equal values, the oldest. */
function atExtreme(name: 'max' | 'min', value: Value, field: Value, group: Group): Value {
  if (field.sql.text === value.sql.text && EQUAL_ARE_SAME.includes(value.type)) {
    return extreme(name, value)
  }
  const key = rankOf(name, value, group)
  const found = (suffix: string, item: Sql) =>
    sql`${raw(`${name === 'max' ? 'argMax' : 'argMin'}${suffix}`)}(${item}, ${key}, ${hasValue(value)})`
  if (!field.nullable) return nullable(field.type, found('OrNullIf', field.sql))
  // The engine skips rows whose field is null. A second aggregate is faster than a tuple with the field.
  const isThere = found('If', sql`isNotNull(${field.sql})`)
  return nullable(field.type, sql`if(${isThere}, ${found('If', nonNullable(field))}, NULL)`)
}

/** The row with the largest or smallest value. */
export interface Extreme {
  readonly side: RowAggregate['name']
  readonly value: Value
}

/** The row with the largest or smallest value, and the values of the row that are used. */
interface ExtremeRow extends Extreme {
  readonly fields: readonly Sql[]
}

/** Returns a tuple of the used values of the row. */
export function rowAtExtreme(row: ExtremeRow, group: Group): Sql {
  return ofExtreme(row, sql`tuple(${list(row.fields)})`, group)
}

/** Returns the tuple for the only row of a group: a tuple of defaults when the row has no value to compare. */
export function rowItself({ value, fields }: ExtremeRow): Sql {
  const row = sql`tuple(${list(fields)})`
  if (!value.nullable) return row
  return sql`if(${hasValue(value)}, ${row}, defaultValueOfArgumentType(${row}))`
}

/** Returns the arrival of that row; of any row when all rows of the group lack a value. */
export function arrivalAtExtreme(extreme: Extreme, arrival: Sql, group: Group): Sql {
  const found = ofExtreme(extreme, arrival, group)
  if (!extreme.value.nullable) return found
  return sql`if(max(${hasValue(extreme.value)}), ${found}, any(${arrival}))`
}

function ofExtreme({ side, value }: Extreme, item: Sql, group: Group): Sql {
  const [found, name] =
    side === 'arg_max' ? ([sql`argMaxIf`, 'max'] as const) : ([sql`argMinIf`, 'min'] as const)
  return sql`${found}(${item}, ${rankOf(name, value, group)}, ${hasValue(value)})`
}

/** Returns a sort key for rows with a value. The engine compares integers of any size faster than tuples. */
function rankOf(name: 'max' | 'min', value: Value, { age, time }: Group): Sql {
  if (age && value.sql.text === time?.text) {
    return name === 'max' ? sql`bitXor(${age}, ${ARRIVAL_BITS})` : age
  }
  const sign = raw(name === 'max' ? '-' : '+')
  const whole = age && wholeOf(name, value)
  if (whole) return sql`(bitShiftLeft(toInt256(${whole}), 128) ${sign} ${age})`
  const size = value.type === 'dynamic' ? orderTuple(value) : nonNullable(value)
  const first = age === undefined ? [] : [name === 'max' ? sql`negate(${age})` : age]
  return sql`tuple(${list([size, ...first])})`
}

/** The bits of an age that order events of the same time. */
const ARRIVAL_BITS = sql`toInt128('18446744073709551615')`

/** Returns an integer of 64 bits with the order of the values; undefined for types that have none. */
function wholeOf(name: 'max' | 'min', value: Value): Sql | undefined {
  const size = nonNullable(value)
  if (value.type === 'string' || value.type === 'dynamic') return undefined
  if (value.type === 'datetime') return nanoseconds(size)
  return value.type === 'real' ? once(size, (x) => wholeOfReal(name, x)) : size
}

/** Orders reals by their bits: the bits of negative numbers are in reverse order. NaN is neither the largest nor the smallest. */
function wholeOfReal(name: 'max' | 'min', x: Sql): Sql {
  const last = name === 'max' ? sql`bitNot(${MOST})` : MOST
  // Negative zero equals zero.
  const bits = sql`reinterpretAsInt64(${x} + 0.)`
  return sql`multiIf(isNaN(${x}), ${last}, ${bits} < 0, bitXor(${bits}, ${MOST}), ${bits})`
}

/** The largest integer of 64 bits. */
const MOST = sql`toInt64(9223372036854775807)`

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
