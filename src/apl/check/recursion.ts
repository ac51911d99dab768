import type { Expression, Pipeline, Source } from '../syntax/ast.js'
import type { CheckedExpression } from './checked.js'
import type { Context, Site } from './context.js'
import type { Flow } from './flow.js'
import { Scope } from './scope.js'

// Expressions, sources and pipelines contain each other, and so do their checks. They call each other through
// the context: see `Checks`.

/** An expression with its names resolved and its type known; undefined when a problem has been reported. */
export function checkExpression(expression: Expression, site: Site): CheckedExpression | undefined {
  const { context } = site
  return context.limited(expression.span, () => context.checks.expression(expression, site))
}

/** The rows of a source. */
export function checkSource(source: Source, context: Context): Flow {
  return context.checks.source(source, context)
}

/** Follows the columns through the steps of a pipeline; the names that it defines end with it. */
export function checkFlow(pipeline: Omit<Pipeline, 'span'>, context: Context): Flow {
  return context.checks.flow(pipeline, context)
}

/** The site of a value that cannot refer to columns. */
export function valueSite(context: Context, operator: string) {
  return {
    context,
    scope: new Scope([], { open: false }),
    operator,
    aggregates: 'none',
  } as const
}
