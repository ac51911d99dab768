import type { CheckedOperator, CheckedQuery } from '../../apl/check/checked.js'
import { references } from '../../sql/walk.js'

/**
 * Returns the query grouped over the whole time range instead of by interval. Later columns that use the interval are removed, and
 * so are later operators that filter, sort or limit, because they apply to groups per interval. Returns undefined when this is not
 * possible.
 */
export function withoutInterval(query: CheckedQuery, column: string): CheckedQuery | undefined {
  const at = query.operators.findLastIndex(({ kind }) => kind === 'summarize')
  const summarize = query.operators[at]
  const time = query.columns.find(({ name }) => name === column)
  if (summarize?.kind !== 'summarize' || time === undefined) return undefined
  const gone = new Set([time.id])
  const operators: CheckedOperator[] = [
    ...query.operators.slice(0, at),
    { ...summarize, by: summarize.by.filter((one) => one.column.id !== time.id) },
  ]
  for (const operator of query.operators.slice(at + 1)) {
    const kept = without(operator, gone)
    if (kept === 'impossible') return undefined
    if (kept !== undefined) operators.push(kept)
  }
  return { ...query, operators, columns: query.columns.filter(({ id }) => !gone.has(id)) }
}

/** Returns the operator without the removed columns; adds columns derived from them to the set. */
function without(
  operator: CheckedOperator,
  gone: Set<number>,
): CheckedOperator | undefined | 'impossible' {
  switch (operator.kind) {
    case 'where':
    case 'sort':
    case 'limit':
      return undefined
    case 'project':
      return operator
    case 'extend': {
      const lost = operator.computed.filter(({ value }) => isMadeOf(value, gone))
      for (const one of lost) gone.add(one.column.id)
      const computed = operator.computed.filter((one) => !gone.has(one.column.id))
      return { ...operator, computed }
    }
    case 'summarize':
    case 'distinct':
    case 'getschema':
    case 'mv-expand':
    case 'make-series':
    case 'reduce':
    case 'patterns':
      return 'impossible'
    default:
      return operator satisfies never
  }
}

function isMadeOf(value: Parameters<typeof references>[0], gone: ReadonlySet<number>): boolean {
  return [...references(value)].some((id) => gone.has(id))
}
