import type { CheckedPatterns, CheckedReduce } from '../../apl/check/checked.js'
import type { OperatorContext } from '../compile-context.js'
import { expression } from '../expression.js'
import { messagePattern } from '../function/message-pattern.js'
import {
  type Cell,
  columnName,
  type OrderKey,
  type Rows,
  select,
  storedCell,
  subquery,
} from '../rows.js'
import { type Scope, scopeOf } from '../scope.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import type { Value } from '../value.js'
import { namedPatterns, patternOfMask } from './pattern-names.js'

/** Six decimals, so that a terminal has room for the pattern; shares that would lose too many digits are exact. */
const SHARE = sql`if(sum(weight) / any(total) >= 0.0001, round(sum(weight) / any(total), 6), sum(weight) / any(total))`

/**
 * `reduce`: a row for each pattern, the most frequent first. Shares are of all rows of the input; rows without a value have the
 * pattern null.
 */
export function reduce(operator: CheckedReduce, rows: Rows, scope: Scope): Rows {
  const { pattern, count, share, example } = operator.columns
  const message = convert(expression(operator.value, scope), 'string')
  const named = namedPatterns(messageMasks(message, rows), operator.threshold)
  const values: readonly (readonly [number, Value])[] = [
    [pattern.id, { sql: raw('name'), type: 'string', nullable: message.nullable }],
    [count.id, { sql: sql`sum(weight)`, type: 'int', nullable: false }],
    [share.id, { sql: SHARE, type: 'real', nullable: false }],
    [example.id, { sql: sql`min(least)`, type: 'string', nullable: message.nullable }],
  ]
  const columns = new Map<number, Cell>(values.map(([id, value]) => [id, storedCell(id, value)]))
  const selected = values.map(([id, value]) => sql`${value.sql} AS ${columnName(id)}`)
  const order: readonly OrderKey[] = [
    { sql: columnName(count.id), direction: 'desc', column: count.id },
    { sql: columnName(pattern.id), direction: 'asc', column: pattern.id, nulls: 'first' },
  ]
  return {
    from: sql`(SELECT ${list(selected)} FROM (${named}) GROUP BY name)`,
    columns,
    filters: [],
    order,
    hidden: rows.hidden,
    summary: { keys: [pattern.id], weight: count.id, byGroups: false },
  }
}

/** `reduce kind=source` with a threshold: adds the pattern under which `reduce` counts each row. */
export function withPatterns(
  { value, threshold, column }: CheckedPatterns,
  rows: Rows,
  context: OperatorContext,
): Rows {
  if (!context.uses.has(column.id)) return rows
  const message = convert(expression(value, scopeOf(rows, context)), 'string')
  const mask = raw(`h${rows.hidden}`)
  const own = subquery({ ...rows, hidden: rows.hidden + 1 }, context, [
    sql`${messagePattern([message]).sql} AS ${mask}`,
  ])
  const names = patternOfMask(messageMasks(message, rows), threshold)
  const isSame = sql`isNull(own.${mask}) = isNull(named.mask) AND ifNull(own.${mask}, '') = ifNull(named.mask, '')`
  const pattern = storedCell(column.id, { type: 'string', nullable: message.nullable })
  return {
    ...own,
    from: sql`(SELECT own.*, named.name AS ${columnName(column.id)} FROM ${own.from} AS own LEFT JOIN (${names}) AS named ON ${isSame})`,
    columns: new Map(own.columns).set(column.id, pattern),
  }
}

/** Returns a SELECT of the messages without their numbers and ids: the columns `mask`, `weight` and `least`. */
function messageMasks(message: Value, rows: Rows): Sql {
  const { sql: mask } = messagePattern([message])
  return sql`${select(rows, [sql`${mask} AS mask`, sql`toInt64(count()) AS weight`, sql`min(${message.sql}) AS least`])} GROUP BY mask`
}
