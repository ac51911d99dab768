import type { CheckedMakeSeries, CheckedSeries } from '../../apl/check/checked.js'
import { expression } from '../expression.js'
import {
  type Cell,
  columnName,
  column as listed,
  named,
  type Rows,
  select,
  storedCell,
} from '../rows.js'
import type { Scope } from '../scope.js'
import { joined, list, raw, type Sql, sql } from '../sql.js'
import { signed } from '../type/calendar.js'
import { groupingKey } from '../type/compare.js'
import { asDynamic, convert, instant, nanoseconds } from '../type/convert.js'
import { constant, derived } from '../value.js'
import { orderKey } from './summarize.js'

/** `make-series`: aggregates each step of each group, then collects the steps of a group into arrays. */
export function makeSeries(operator: CheckedMakeSeries, rows: Rows, outside: Scope): Rows {
  const { by, series, time } = operator
  const seconds = sql`(${signed(operator.step)} / 1e9)`
  const scope = { ...outside, group: { ...outside.group, seconds } }
  const place = raw(`h${rows.hidden}`)
  const keys = by.map(({ column, value }) => ({
    id: column.id,
    value: groupingKey(convert(expression(value, scope), column.type)),
  }))
  const names = keys.map(({ id }) => columnName(id))
  const steps = grouped(
    select(inSeriesRange(operator, rows, scope), [
      ...keys.map(({ id, value }) => listed({ kind: 'computed', value }, columnName(id))),
      ...series.map((one) => named(stepValue(one, scope), columnName(one.column.id))),
      named(placeOf(operator, scope), place),
    ]),
    [...names, place],
  )
  const arrays = series.map((one) => {
    const name = columnName(one.column.id)
    return sql`${arrayOf(one, { name, place, count: operator.count })} AS ${name}`
  })
  const times = sql`${timesOf(operator)} AS ${columnName(time.id)}`
  const outer = grouped(sql`SELECT ${list([...names, ...arrays, times])} FROM (${steps})`, names)
  const columns = new Map<number, Cell>()
  for (const { id, value } of keys) columns.set(id, storedCell(id, value))
  for (const { id } of [...series.map((one) => one.column), time]) {
    columns.set(id, storedCell(id, { type: 'dynamic', nullable: false }))
  }
  const summary = { keys: keys.map(({ id }) => id), byGroups: false }
  return {
    from: sql`(${outer})`,
    columns,
    filters: [],
    order: keys.map(({ id, value }) => orderKey(id, 'asc', value)),
    hidden: rows.hidden + 1,
    summary,
  }
}

function grouped(statement: Sql, keys: readonly Sql[]): Sql {
  return keys.length === 0 ? statement : joined([statement, sql`GROUP BY ${list(keys)}`], ' ')
}

/** Returns the rows with times from the start of the series to its end. */
function inSeriesRange({ on, from, to }: CheckedMakeSeries, rows: Rows, scope: Scope): Rows {
  const { sql: time } = convert(expression(on, scope), 'datetime')
  const [start, end] = [constant('datetime', from).sql, constant('datetime', to).sql]
  return {
    ...rows,
    filters: [...rows.filters, sql`(${time} >= ${start})`, sql`(${time} < ${end})`],
  }
}

/** The index of a row's step, from 0. */
function placeOf({ on, from, step }: CheckedMakeSeries, scope: Scope): Sql {
  const time = convert(expression(on, scope), 'datetime')
  return sql`toUInt32(assumeNotNull(intDiv(${nanoseconds(time.sql)} - ${signed(from)}, ${signed(step)})))`
}

/** The JSON text of an aggregate over a step. */
function stepValue({ value }: CheckedSeries, scope: Scope): Sql {
  return sql`ifNull(${asDynamic(expression(value, scope))}, 'null')`
}

/** Places the steps at their indexes, with the default value for steps without rows. */
function arrayOf(
  { otherwise }: CheckedSeries,
  { name, place, count }: { readonly name: Sql; readonly place: Sql; readonly count: bigint },
): Sql {
  const values = sql`groupArrayInsertAt('', ${count})(${name}, ${place})`
  const none = sql`ifNull(${asDynamic(constant(otherwise.type, otherwise.value))}, 'null')`
  const filled = sql`arrayMap(item -> if(item = '', ${none}, item), ${values})`
  return sql`concat('[', arrayStringConcat(${filled}, ','), ']')`
}

function timesOf({ from, step, count }: CheckedMakeSeries): Sql {
  const nanos = sql`${signed(from)} + toInt64(step) * ${signed(step)}`
  const time = derived('datetime', instant(nanos), [])
  const texts = sql`arrayMap(step -> ${asDynamic(time)}, range(${count}))`
  return sql`concat('[', arrayStringConcat(${texts}, ','), ']')`
}
