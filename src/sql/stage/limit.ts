import { type ColumnUse, columnName, type Rows, type Summary, subquery } from '../rows.js'
import { list, type Sql, sql } from '../sql.js'
import type { Value } from '../value.js'

/** `limit`: the first rows in the current order; for a time-binned table, the first groups. */
export function limit(count: bigint, rows: Rows, use: ColumnUse): Rows {
  const { summary } = rows
  if (summary?.byGroups && summary.weight !== undefined)
    return topGroups(count, rows, { summary, weight: summary.weight }, use)
  const least = rows.limit === undefined || count < rows.limit ? count : rows.limit
  return { ...rows, limit: least }
}

/** Returns the groups with the largest first aggregate over the whole time range, with all their bins. */
function topGroups(
  count: bigint,
  rows: Rows,
  { summary, weight }: { readonly summary: Summary; readonly weight: number },
  use: ColumnUse,
): Rows {
  const inner = subquery(rows, use)
  const groups = list(summary.keys.map(columnName))
  const total = sql`${totalOf(inner.columns.get(weight)!.value)} OVER (PARTITION BY ${groups})`
  const weighed = sql`(SELECT *, ${total} AS total FROM ${inner.from})`
  const rank = sql`dense_rank() OVER (ORDER BY total DESC NULLS LAST, ${groups})`
  const ranked = sql`(SELECT *, ${rank} AS place FROM ${weighed})`
  return {
    ...inner,
    from: ranked,
    filters: [sql`(place <= ${count})`],
    summary: { ...summary, byGroups: false },
  }
}

/** Non-numeric aggregates have no sum and are ranked by their maximum. */
function totalOf(value: Value): Sql {
  const isNumber = value.type === 'int' || value.type === 'real' || value.type === 'timespan'
  return isNumber ? sql`sum(toFloat64(${value.sql}))` : sql`max(${value.sql})`
}
