import type { Expression, Pipeline, Source } from '../syntax/ast.js'
import type { CheckedExpression } from './checked.js'
import type { Context, Site } from './context.js'
import { type Flow, UNKNOWN_FLOW } from './flow.js'
import { Scope } from './scope.js'

// Expressions, sources and pipelines are mutually recursive. Their checks call each other through the context: see
// `Checks`.

/** Resolves the names and the type of an expression. */
export function checkExpression(expression: Expression, site: Site): CheckedExpression {
  const { context } = site
  return context.limited(expression.span, () => context.checks.expression(expression, site))
}

/** Checks several expressions, and reports the problems of all of them. */
export function checkExpressions<const All extends readonly Expression[]>(
  expressions: All,
  site: Site,
): { readonly [Index in keyof All]: CheckedExpression } {
  const values = site.context.all(expressions, (one) => checkExpression(one, site))
  return values as { readonly [Index in keyof All]: CheckedExpression }
}

export function checkSource(source: Source, context: Context): Flow {
  return context.attempt(() => context.checks.source(source, context)) ?? UNKNOWN_FLOW
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
