import type {
  CheckedOperator,
  CheckedPipeline,
  CheckedQuery,
  CheckedSource,
  CheckedUnion,
  ComputedColumn,
} from '../apl/check/checked.js'
import type { Type } from '../apl/type.js'
import type { CompiledColumn, CompiledQuery } from './compiled-query.js'
import { type Layout, layoutsByName } from './layout.js'
import type { OrderKey, Rows } from './rows.js'

/** The wire names of the types; empty for dynamic, whose values can be of any type. */
export const WIRE_TYPES: Readonly<Record<Type, string>> = {
  bool: 'boolean',
  int: 'integer',
  real: 'float',
  string: 'string',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: '',
}

type LayoutOf = (dataset: string) => Layout

/** Returns the columns of the result. A renamed field keeps its field's type. */
export function describeColumns(
  query: CheckedPipeline,
  layoutOf: LayoutOf,
): readonly CompiledColumn[] {
  const wireTypes = wireTypesOf(query, layoutOf)
  return query.columns.map(({ id, name, type }) => ({
    id,
    name,
    type,
    wireType: wireTypes.get(id) ?? WIRE_TYPES[type],
    encoding: type === 'dynamic' ? 'json' : 'plain',
  }))
}

/** Returns wire type names by column id, for columns whose own type does not determine it. */
function wireTypesOf(
  { source, operators }: CheckedPipeline,
  layoutOf: LayoutOf,
): ReadonlyMap<number, string> {
  const wireTypes = new Map(sourceTypes(source, layoutOf))
  for (const { column, value } of operators.flatMap(computedColumns)) {
    const same = value.kind === 'reference' ? wireTypes.get(value.column) : undefined
    wireTypes.set(column.id, same ?? WIRE_TYPES[column.type])
  }
  return wireTypes
}

type Typed = readonly (readonly [number, string])[]

function sourceTypes(source: CheckedSource, layoutOf: LayoutOf): Typed {
  switch (source.kind) {
    case 'dataset': {
      const fields = layoutsByName(layoutOf(source.name))
      return source.columns.map(({ id, name, type }) => [
        id,
        fields.get(name)?.wireType ?? WIRE_TYPES[type],
      ])
    }
    case 'rows':
      return []
    case 'union':
      return unionTypes(source, layoutOf)
    case 'join': {
      const sides = {
        left: wireTypesOf(source.left, layoutOf),
        right: wireTypesOf(source.right, layoutOf),
      }
      return source.joined.map(({ column, left, right }) => [
        column.id,
        both([
          left && (sides.left.get(left.id) ?? WIRE_TYPES[left.type]),
          right && (sides.right.get(right.id) ?? WIRE_TYPES[right.type]),
        ]),
      ])
    }
    default:
      return source satisfies never
  }
}

function unionTypes({ columns, parts }: CheckedUnion, layoutOf: LayoutOf): Typed {
  const all = new Map<number, string[]>(columns.map(({ id }) => [id, []]))
  for (const part of parts) {
    const types = wireTypesOf(part.pipeline, layoutOf)
    for (const [id, column] of part.columns) {
      const known = 'id' in column ? types.get(column.id) : undefined
      all.get(id)?.push(known ?? WIRE_TYPES[column.type])
    }
  }
  return [...all].map(([id, types]) => [id, both(types)])
}

/** The union of several wire types, such as `integer|string`; empty when one of them is unknown. */
function both(types: readonly (string | undefined)[]): string {
  const known = types.filter((type) => type !== undefined)
  if (known.includes('')) return ''
  return [...new Set(known.flatMap((type) => type.split('|')))].sort().join('|')
}

function computedColumns(operator: CheckedOperator): readonly ComputedColumn[] {
  if (operator.kind === 'summarize') return [...operator.by, ...operator.aggregates]
  return operator.kind === 'extend' || operator.kind === 'distinct' ? operator.computed : []
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
