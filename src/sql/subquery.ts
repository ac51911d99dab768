import type { CheckedSubquery } from '../apl/check/checked.js'
import type { Scope } from './scope.js'
import { list, type Sql, sql } from './sql.js'
import { keyPair, nullSafe } from './stage/join-key.js'
import { folded } from './type/convert.js'
import type { Value } from './value.js'

/** `value in (query)`: true when the value equals one of the query's values. Null equals null. */
export function inSubquery(value: Value, subquery: CheckedSubquery, scope: Scope): Value {
  return among(value, subquery, scope, (pair) => pair)
}

/** `value in~ (query)`: the same, ignoring case. */
export function inSubqueryFolded(value: Value, subquery: CheckedSubquery, scope: Scope): Value {
  return among(value, subquery, scope, ([a, b]) => [folded(a), folded(b)])
}

type Pair = readonly [Value, Value]

function among(
  value: Value,
  { pipeline }: CheckedSubquery,
  scope: Scope,
  as: (pair: Pair) => Pair,
): Value {
  const rows = scope.rowsOf(pipeline)
  const found = rows.columns.get(pipeline.columns[0]!.id)
  if (!found) throw new Error('the nested query has no column')
  const [a, b] = keyPair(...as([value, found.value]))
  const isNullable = a.nullable || b.nullable
  const [own, theirs] = [a, b].map((key) => tuple(key, isNullable)) as [Sql, Sql]
  const test = sql`(${own} IN (SELECT ${theirs} FROM ${rows.from}))`
  return { sql: test, type: 'bool', nullable: false }
}

function tuple(key: Value, isNullable: boolean): Sql {
  return isNullable ? sql`tuple(${list(nullSafe(key))})` : key.sql
}
