import type {
  CheckedExpression,
  CheckedOperator,
  CheckedPipeline,
  CheckedSource,
  CheckedSummarize,
  ComputedColumn,
} from '../apl/check/checked.js'
import { BY_AGE, IN_ORDER } from './aggregate/row.js'
import { aggregatesIn, references, subqueries, valuesOf } from './walk.js'

/**
 * For each column id, the position of the last operator of its pipeline that uses it; the number of
 * operators when the result contains it. A column that is absent is never used, and is neither read
 * nor computed.
 */
export type LastUse = ReadonlyMap<number, number>

/** Returns the aggregates that later operators, the result or the order of the groups use. */
export function usedAggregates(
  { aggregates }: CheckedSummarize,
  uses: LastUse,
): readonly ComputedColumn[] {
  return aggregates.filter(({ column }) => uses.has(column.id))
}

/** Determines the last use of each column of a query, including nested queries. */
export function lastUse(query: CheckedPipeline): LastUse {
  const uses = new Map<number, number>()
  follow(query, uses)
  return uses
}

/** `shown`: the columns of the pipeline that the outer query uses; by default all. */
function follow(
  pipeline: CheckedPipeline,
  uses: Map<number, number>,
  shown: Iterable<number> = pipeline.columns.map(({ id }) => id),
): void {
  const { source, operators } = pipeline
  const use = (node: CheckedExpression, step: number) => {
    for (const id of references(node)) if (!uses.has(id)) uses.set(id, step)
    for (const { pipeline: inner } of subqueries(node)) follow(inner, uses)
  }
  for (const id of shown) uses.set(id, operators.length)
  let isOrdered = true
  for (let step = operators.length - 1; step >= 0; step--) {
    const operator = operators[step]!
    if (operator.kind === 'extend') {
      // In reverse order: a column may be used only by columns that are computed after it.
      for (const { column, value } of operator.computed.toReversed()) {
        if (uses.has(column.id)) use(value, step)
      }
    } else if (operator.kind === 'summarize') {
      // The first aggregate orders the groups; without keys, an aggregate makes the one row.
      const first = isOrdered || operator.by.length === 0 ? operator.aggregates[0] : undefined
      if (first && !uses.has(first.column.id)) uses.set(first.column.id, step)
      for (const { value } of [...operator.by, ...usedAggregates(operator, uses)]) use(value, step)
    } else {
      for (const node of valuesOf(operator)) use(node, step)
    }
    isOrdered = dependsOnOrder(operator, { isOrdered, uses })
  }
  followSource(source, uses)
}

/** True when the order of an operator's rows has an effect; `isOrdered`: the order of its result has. */
function dependsOnOrder(
  operator: CheckedOperator,
  { isOrdered, uses }: { readonly isOrdered: boolean; readonly uses: LastUse },
): boolean {
  switch (operator.kind) {
    case 'where':
    case 'extend':
    case 'project':
      return isOrdered
    case 'distinct':
      return false
    case 'summarize': {
      const used = usedAggregates(operator, uses).flatMap(({ value }) => aggregatesIn(value))
      return used.some((name) => IN_ORDER.includes(name) || BY_AGE.includes(name))
    }
    default:
      return true
  }
}

/** Visits the pipelines nested in a source, with the columns that the outer query uses. */
function followSource(source: CheckedSource, uses: Map<number, number>): void {
  switch (source.kind) {
    case 'dataset':
    case 'rows':
      return
    case 'union':
      for (const { pipeline, columns } of source.parts) {
        const needed = [...columns].flatMap(([shown, column]) =>
          'id' in column && uses.has(shown) ? [column.id] : [],
        )
        follow(pipeline, uses, needed)
      }
      return
    case 'join': {
      const needed = source.joined.filter(({ column }) => uses.has(column.id))
      const keys = { left: new Set<number>(), right: new Set<number>() }
      for (const key of source.keys) {
        for (const id of references(key.left)) keys.left.add(id)
        for (const id of references(key.right)) keys.right.add(id)
      }
      follow(source.left, uses, [...keys.left, ...needed.flatMap(({ left }) => left?.id ?? [])])
      follow(source.right, uses, [...keys.right, ...needed.flatMap(({ right }) => right?.id ?? [])])
      return
    }
    default:
      source satisfies never
  }
}
