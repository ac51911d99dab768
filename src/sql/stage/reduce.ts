import type { CheckedReduce } from '../../apl/check/checked.js'
import { expression } from '../expression.js'
import { messagePattern } from '../function/message-pattern.js'
import { type Cell, columnName, type OrderKey, type Rows, select, stored } from '../rows.js'
import type { Scope } from '../scope.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { constant, type Value } from '../value.js'

/** The pattern of the row that sums the patterns below the threshold. */
const REST = '*'

/**
 * `reduce`: a row for each pattern, the most frequent first. Shares are of all rows of the input; rows without a value have the
 * pattern null.
 */
export function reduce(operator: CheckedReduce, rows: Rows, scope: Scope): Rows {
  const { pattern, count, share, example } = operator.columns
  const message = convert(expression(operator.value, scope), 'string')
  const [mask, number, least, total] = [0, 1, 2, 3].map((i) => raw(`h${rows.hidden + i}`)) as [
    Sql,
    Sql,
    Sql,
    Sql,
  ]
  const patterns = sql`${select(rows, [
    sql`${messagePattern([message]).sql} AS ${mask}`,
    sql`toInt64(count()) AS ${number}`,
    sql`min(${message.sql}) AS ${least}`,
  ])} GROUP BY ${mask}`
  const weighed = sql`SELECT *, sum(${number}) OVER () AS ${total} FROM (${patterns})`
  const isRare = sql`(${number} / ${total} < ${constant('real', operator.threshold).sql})`
  const values: readonly (readonly [number, Value])[] = [
    [
      pattern.id,
      {
        sql: sql`if(${isRare}, ${constant('string', REST).sql}, ${mask})`,
        type: 'string',
        nullable: message.nullable,
      },
    ],
    [count.id, { sql: sql`sum(${number})`, type: 'int', nullable: false }],
    [share.id, { sql: sql`(sum(${number}) / any(${total}))`, type: 'real', nullable: false }],
    [example.id, { sql: sql`min(${least})`, type: 'string', nullable: message.nullable }],
  ]
  const columns = new Map<number, Cell>(
    values.map(([id, value]) => [id, { kind: 'stored', value: stored(columnName(id), value) }]),
  )
  const selected = values.map(([id, value]) => sql`${value.sql} AS ${columnName(id)}`)
  const order: readonly OrderKey[] = [
    { sql: columnName(count.id), direction: 'desc', column: count.id },
    { sql: columnName(pattern.id), direction: 'asc', column: pattern.id, nulls: 'first' },
  ]
  return {
    from: sql`(SELECT ${list(selected)} FROM (${weighed}) GROUP BY ${columnName(pattern.id)})`,
    columns,
    filters: [],
    order,
    hidden: rows.hidden + 4,
    summary: { keys: [pattern.id], weight: count.id, byGroups: false },
  }
}
