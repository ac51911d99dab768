import type { CheckedExpression, CheckedPipeline, CheckedSource } from '../apl/check/checked.js'
import { subqueries, valuesOf } from './walk.js'

/** Returns the names of the datasets that a query reads, without duplicates, in the order of the query. */
export function datasetsOf(query: CheckedPipeline): readonly string[] {
  return [...new Set(namesIn(query))]
}

function namesIn({ source, operators }: CheckedPipeline): readonly string[] {
  return [
    ...inSource(source),
    ...operators.flatMap((operator) => valuesOf(operator).flatMap(inValue)),
  ]
}

function inSource(source: CheckedSource): readonly string[] {
  switch (source.kind) {
    case 'dataset':
      return [source.name]
    case 'rows':
      return []
    case 'union':
      return source.parts.flatMap(({ pipeline }) => namesIn(pipeline))
    case 'join': {
      const keys = source.keys.flatMap(({ left, right }) => [left, right])
      return [...namesIn(source.left), ...namesIn(source.right), ...keys.flatMap(inValue)]
    }
    default:
      return source satisfies never
  }
}

function inValue(value: CheckedExpression): readonly string[] {
  return subqueries(value).flatMap(({ pipeline }) => namesIn(pipeline))
}
