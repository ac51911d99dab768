import type { Problem } from '../text/problem.js'
import type { CheckedPipeline, CheckedQuery } from './check/checked.js'
import { type Checks, Context } from './check/context.js'
import { checkExpressionKind } from './check/expression/expression.js'
import { pipelineOf } from './check/flow.js'
import { checkPipelineFlow } from './check/pipeline.js'
import { checkSourceKind } from './check/source/source.js'
import { bindVariables, checkStatement } from './check/source/statement.js'
import type { Environment } from './environment.js'
import { Stop } from './parse/cursor.js'
import { MAX_PROBLEMS } from './problem/wording.js'
import { type ParseResult, parse } from './syntax/parser.js'

/** A query that can run, or its problems in source order. */
export type Analysis = { readonly query: CheckedQuery } | { readonly problems: readonly Problem[] }

const CHECKS: Checks = {
  expression: checkExpressionKind,
  source: checkSourceKind,
  flow: checkPipelineFlow,
}

/** Parses and checks a query. Never throws, whatever the text. */
export function analyze(text: string, environment: Environment): Analysis {
  const parsed = parse(text, { hasInput: environment.inputs?.main !== undefined })
  return analyzeParsed(text, parsed, environment)
}

/** Checks a parsed query, for callers that need its tree as well. */
export function analyzeParsed(
  text: string,
  parsed: ParseResult,
  environment: Environment,
): Analysis {
  const context = new Context(text, environment, CHECKS)
  const problems = [...parsed.problems]
  try {
    const pipeline = checkedPipeline(parsed, context)
    if (pipeline !== undefined && context.problems.length === 0) {
      const { patterns, warnings } = context
      return { query: { ...pipeline, now: environment.now, patterns, warnings: [...warnings] } }
    }
    problems.push(...context.problems)
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    problems.push(...context.problems, error.problem)
  } finally {
    context.isChecked = true
  }
  problems.sort((a, b) => a.span.start - b.span.start)
  return { problems: problems.slice(0, MAX_PROBLEMS) }
}

/** Resolves the names and types of a query; undefined when there are problems. */
function checkedPipeline(parsed: ParseResult, context: Context): CheckedPipeline | undefined {
  bindVariables(context)
  for (const statement of parsed.statements) checkStatement(statement, context)
  const flow = checkPipelineFlow(parsed, context)
  // Only a query that can run materializes all columns of its result.
  const hasProblems = context.problems.length + parsed.problems.length > 0
  return hasProblems ? undefined : pipelineOf(flow, flow.scope.columns)
}
