import type { CheckedQuery, ComputedColumn } from '../apl/checked.js'
import type { Type } from '../apl/type.js'
import type { CompiledColumn, CompiledQuery } from './compile.js'
import type { Layout } from './layout.js'
import type { OrderKey, Rows } from './rows.js'

/** What a result calls the types; dynamic values are of any. */
export const WIRE_TYPES: Readonly<Record<Type, string>> = {
  bool: 'boolean',
  int: 'integer',
  real: 'float',
  string: 'string',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: '',
}

/** What the columns of the result are; a field under another name is still that field. */
export function describeColumns(query: CheckedQuery, layout: Layout): readonly CompiledColumn[] {
  const fields = new Map(layout.fields.map((field) => [field.name, field]))
  const wireTypes = new Map<number, string>()
  for (const { id, name, type } of query.source.columns) {
    wireTypes.set(id, fields.get(name)?.wireType ?? WIRE_TYPES[type])
  }
  for (const { column, value } of query.operators.flatMap(computedColumns)) {
    const same = value.kind === 'reference' ? wireTypes.get(value.column) : undefined
    wireTypes.set(column.id, same ?? WIRE_TYPES[column.type])
  }
  return query.columns.map(({ id, name, type }) => ({
    id,
    name,
    type,
    wireType: wireTypes.get(id) ?? WIRE_TYPES[type],
    encoding: type === 'dynamic' ? 'json' : 'plain',
  }))
}

function computedColumns(operator: CheckedQuery['operators'][number]): readonly ComputedColumn[] {
  if (operator.kind === 'summarize') return [...operator.by, ...operator.aggregates]
  return operator.kind === 'extend' || operator.kind === 'distinct' ? operator.computed : []
}

/** The order, groups and time bins of the result, as far as its columns show them. */
export function describeTable(
  query: CheckedQuery,
  { order, summary }: Rows,
): Pick<CompiledQuery, 'order' | 'groups' | 'buckets'> {
  const names = new Map(query.columns.map(({ id, name }) => [id, name]))
  const field = summary?.time && names.get(summary.time.column)
  return {
    order: visibleOrder(order, names),
    groups: (summary?.keys ?? []).flatMap((id) => names.get(id) ?? []),
    ...(summary?.time && field !== undefined
      ? { buckets: { field, size: summary.time.size } }
      : {}),
  }
}

/** The first keys of the order up to one that the result doesn't show. */
function visibleOrder(
  keys: readonly OrderKey[],
  names: ReadonlyMap<number, string>,
): CompiledQuery['order'] {
  const order: { field: string; desc: boolean }[] = []
  for (const { column, direction } of keys) {
    const field = column === undefined ? undefined : names.get(column)
    if (field === undefined) break
    // A dynamic column is several keys.
    if (order.at(-1)?.field !== field) order.push({ field, desc: direction === 'desc' })
  }
  return order
}
