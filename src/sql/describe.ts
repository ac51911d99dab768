import type { CheckedQuery } from '../apl/check/checked.js'
import { wireTypeOf } from '../apl/check/wire-type.js'
import type { CompiledColumn, CompiledQuery } from './compiled-query.js'
import type { OrderKey, Rows } from './rows.js'

export function describeColumns({ columns }: CheckedQuery): readonly CompiledColumn[] {
  return columns.map((column) => ({
    id: column.id,
    name: column.name,
    type: column.type,
    wireType: wireTypeOf(column),
    encoding: column.type === 'dynamic' ? 'json' : 'plain',
  }))
}

/** Returns the order, groups and time bin of the result, as far as its columns show them. */
export function describeTable(
  query: CheckedQuery,
  { order, summary }: Rows,
): Pick<CompiledQuery, 'order' | 'groups' | 'buckets'> {
  const names = new Map(query.columns.map(({ id, name }) => [id, name]))
  const field = summary?.time && names.get(summary.time.column)
  return {
    order: visibleOrder(order, names),
    groups: (summary?.keys ?? []).flatMap((id) => names.get(id) ?? []),
    ...(summary?.time && field !== undefined && { buckets: { field, size: summary.time.size } }),
  }
}

/** Returns the leading order keys, up to the first one that is not a column of the result. */
function visibleOrder(
  keys: readonly OrderKey[],
  names: ReadonlyMap<number, string>,
): CompiledQuery['order'] {
  const order: { field: string; desc: boolean }[] = []
  for (const { column, direction } of keys) {
    const field = column === undefined ? undefined : names.get(column)
    if (field === undefined) break
    // The rows are sorted by several keys of a dynamic column.
    if (order.at(-1)?.field !== field) order.push({ field, desc: direction === 'desc' })
  }
  return order
}
