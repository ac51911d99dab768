import type { Expression, Pipeline, Source } from '../syntax/ast.js'
import type { CheckedExpression } from './checked.js'
import type { Context, Site } from './context.js'
import type { Flow } from './flow.js'
import { Scope } from './scope.js'

// Expressions, sources and pipelines are mutually recursive. Their checks call each other through the context: see
// `Checks`.

/** Resolves the names and the type of an expression. Returns undefined when a problem has been reported. */
export function checkExpression(expression: Expression, site: Site): CheckedExpression | undefined {
  const { context } = site
  return context.limited(expression.span, () => context.checks.expression(expression, site))
}

export function checkSource(source: Source, context: Context): Flow {
  return context.checks.source(source, context)
}

/** Checks a pipeline. Names that it defines are in scope until its end. */
export function checkFlow(pipeline: Omit<Pipeline, 'span'>, context: Context): Flow {
  return context.checks.flow(pipeline, context)
}

/** Returns the site of a value that cannot refer to columns. */
export function valueSite(context: Context, operator: string) {
  return {
    context,
    scope: new Scope([], { open: false }),
    operator,
    aggregates: 'none',
  } as const
}
