import type { Problem } from '../../text/problem.js'
import type { Environment } from '../environment.js'
import type { ParseResult } from '../syntax/parser.js'
import type { CheckedPipeline, CheckedQuery } from './checked.js'
import { type Checks, Context, TooManyFields } from './context.js'
import { checkExpressionKind } from './expression/expression.js'
import { pipelineOf } from './flow.js'
import { checkPipelineFlow } from './pipeline.js'
import { checkSourceKind } from './source/source.js'
import { bindVariables, checkStatement } from './source/statement.js'

/** A parsed query and the environment to check it against. */
export interface CheckInput {
  readonly text: string
  readonly parsed: ParseResult
  readonly environment: Environment
}

/** The checked query, or its problems. */
interface CheckResult {
  /** Undefined when there are problems, here or in the parsed text. */
  readonly query?: CheckedQuery
  readonly problems: readonly Problem[]
}

const CHECKS: Checks = {
  expression: checkExpressionKind,
  source: checkSourceKind,
  flow: checkPipelineFlow,
}

/** Resolves the names and types of a query. */
export function checkQuery({ text, parsed, environment }: CheckInput): CheckResult {
  const context = new Context(text, environment, CHECKS)
  const { problems } = context
  try {
    const pipeline = checkedPipeline(parsed, context)
    if (pipeline === undefined || problems.length > 0) return { problems }
    return { query: { ...pipeline, now: environment.now }, problems }
  } catch (error) {
    if (!(error instanceof TooManyFields)) throw error
    return { problems: [...problems, error.problem] }
  } finally {
    context.isChecked = true
  }
}

function checkedPipeline(parsed: ParseResult, context: Context): CheckedPipeline | undefined {
  bindVariables(context)
  for (const statement of parsed.statements) checkStatement(statement, context)
  const flow = checkPipelineFlow(parsed, context)
  // Only a query that can run materializes all columns of its result.
  const hasProblems = context.problems.length + parsed.problems.length > 0
  return hasProblems ? undefined : pipelineOf(flow, flow.scope.columns)
}
