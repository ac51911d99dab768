// Assertions about a result, with a separate exit code for scripts.

import type { Command } from 'commander'
import type { Connection } from '../../client/connection.js'
import { ApiError } from '../../client/error.js'
import { query } from '../../client/query.js'
import { counted, formatInteger } from '../../text/integer.js'
import type { Problem } from '../../text/problem.js'
import type { AplRequest } from '../../wire/http/query.js'
import { columnOf, type TabularResult } from '../../wire/http/tabular-result.js'
import type { Context } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { EXIT, type ExitCode } from '../exit-code.js'
import { problemsIn, QueryError } from './error.js'

export interface AssertionFlags {
  readonly failOnEmpty?: boolean
  /** A predicate in APL. */
  readonly assert?: string
}

/** The number of rows of a query, and the number of rows that do not meet the predicate. */
export interface AssertionResult {
  readonly rows: number
  readonly failing: number
}

export function addAssertionOptions(command: Command): Command {
  return command
    .option('--fail-on-empty', 'exit with 6 when there are no rows')
    .option('--assert <predicate>', 'exit with 6 unless all rows meet it, e.g. "status < 500"')
}

/**
 * Evaluates a predicate on all rows, including rows beyond a limit of the request. Runs the query again with an aggregation
 * appended, since only the deployment knows its whole language. Throws a `QueryError` about the query or the predicate.
 */
export async function evaluateAssertion(
  connection: Connection,
  request: AplRequest,
  { predicate, signal }: { readonly predicate: string; readonly signal: AbortSignal },
): Promise<AssertionResult> {
  if (predicate.trim() === '') {
    throw new UsageError('`--assert` is empty. It takes a predicate, such as `"status < 500"`.')
  }
  // The last line of either text may be a comment, so each ends with a line break.
  const before = `${request.apl}\n| summarize rows_ = count(), met_ = countif((\n`
  const { apl, startTime, endTime, variables, libraries } = request
  const counted: AplRequest = {
    apl: `${before}${predicate}\n))`,
    startTime,
    endTime,
    variables,
    libraries,
  }
  const start = before.length
  const end = start + predicate.length
  try {
    return resultOf(await query(connection, counted, { signal }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isWritten = ({ span }: Problem) =>
      span.end <= apl.length || (span.start >= start && span.end <= end)
    const found = error.problems ?? problemsIn(counted.apl, error).filter(isWritten)
    const { text, problems } = await attributed(found)
    const { message, detail: _, ...rest } = error
    const named = text === apl ? message : `\`--assert\`: ${message}`
    throw new QueryError(text, new ApiError({ ...rest, message: named, problems }))
  }

  /** Returns the text that causes the problems, the query or the predicate, and the problems with spans in that text. */
  async function attributed(
    problems: readonly Problem[],
  ): Promise<{ readonly text: string; readonly problems: readonly Problem[] }> {
    const ofQuery = problems.filter(({ span }) => span.end <= apl.length)
    if (ofQuery.length > 0) return { text: apl, problems: ofQuery }
    if (problems.every(({ span }) => span.start >= start && span.start < end)) {
      return { text: predicate, problems: problems.map((problem) => shifted(problem, start)) }
    }
    // One of the texts is incomplete and continues in the next one, so each text is parsed alone.
    const alone = await readAlone(apl)
    if (alone.length > 0) return { text: apl, problems: alone }
    const source = 'events | where '
    const found = await readAlone(source + predicate)
    if (found.length > 0) {
      return { text: predicate, problems: found.map((problem) => shifted(problem, source.length)) }
    }
    throw new UsageError(`\`--assert\` takes one predicate, not \`${predicate}\`.`)
  }
}

async function readAlone(text: string): Promise<readonly Problem[]> {
  const { checkApl } = await import('../../apl/language.js')
  const read = checkApl(text, { now: 0n })
  return 'problems' in read ? read.problems : []
}

function shifted(problem: Problem, by: number): Problem {
  const { start, end } = problem.span
  return { ...problem, span: { start: Math.max(start - by, 0), end: Math.max(end - by, 0) } }
}

function resultOf({ tables: [table] }: TabularResult): AssertionResult {
  const value = (name: string): number => Number(columnOf(table, name)?.[0] ?? 0)
  const rows = value('rows_')
  return { rows, failing: rows - value('met_') }
}

export function concludeAssertion(
  found: { readonly rows: number; readonly assertion?: AssertionResult | undefined },
  { failOnEmpty, assert }: AssertionFlags,
  { warn }: Pick<Context, 'warn'>,
): ExitCode {
  const { rows, assertion } = found
  const isEmpty = failOnEmpty === true && rows === 0
  if (isEmpty) warn('The result has no rows (`--fail-on-empty`).')
  if (assertion === undefined || assertion.failing === 0)
    return isEmpty ? EXIT.assertion : EXIT.done
  const { failing } = assertion
  const how = failing === 1 ? 'does not' : 'do not'
  warn(`${formatInteger(failing)} of ${counted(assertion.rows, 'row')} ${how} meet \`${assert}\`.`)
  return EXIT.assertion
}
