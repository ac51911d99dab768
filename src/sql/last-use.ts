import type { CheckedExpression, CheckedOperator, CheckedQuery } from '../apl/checked.js'

/**
 * For each column the position of the last operator that needs it; the number of operators when the
 * result shows it. A column that is not here is never needed: it is neither read nor computed.
 */
export type LastUse = ReadonlyMap<number, number>

export function lastUse(query: CheckedQuery): LastUse {
  const uses = new Map<number, number>()
  const use = (node: CheckedExpression, step: number) => {
    for (const id of references(node)) if (!uses.has(id)) uses.set(id, step)
  }
  for (const column of query.columns) uses.set(column.id, query.operators.length)
  for (let step = query.operators.length - 1; step >= 0; step--) {
    const operator = query.operators[step]!
    if (operator.kind === 'extend') {
      // From the last: a column may be needed only by one that is computed after it.
      for (const { column, value } of operator.computed.toReversed()) {
        if (uses.has(column.id)) use(value, step)
      }
    } else {
      for (const node of valuesOf(operator)) use(node, step)
    }
  }
  return uses
}

/** The expressions of an operator. */
export function valuesOf(operator: CheckedOperator): readonly CheckedExpression[] {
  switch (operator.kind) {
    case 'where':
      return [operator.predicate]
    case 'extend':
    case 'distinct':
      return operator.computed.map(({ value }) => value)
    case 'summarize':
      return [...operator.by, ...operator.aggregates].map(({ value }) => value)
    case 'sort':
      return operator.keys.map(({ value }) => value)
    case 'mv-expand':
      return operator.items.map(({ value }) => value)
    case 'make-series':
      return [operator.on, ...[...operator.by, ...operator.series].map(({ value }) => value)]
    case 'project':
    case 'limit':
    case 'getschema':
      return []
    default:
      return operator satisfies never
  }
}

/** The columns that an expression is made of. */
export function references(node: CheckedExpression): ReadonlySet<number> {
  const ids = new Set<number>()
  const open: CheckedExpression[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'reference') ids.add(next.column)
    if (next.kind === 'path') open.push(next.value, next.key)
    if (next.kind === 'invocation' || next.kind === 'aggregate') open.push(...next.arguments)
  }
  return ids
}
