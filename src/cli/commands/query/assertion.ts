// What a script demands of a result, with an exit code of its own.
import type { Command } from 'commander'
import type { Connection } from '../../../client/connection.js'
import { ApiError } from '../../../client/error.js'
import { query } from '../../../client/query.js'
import { formatInteger } from '../../../text/integer.js'
import type { Problem } from '../../../text/problem.js'
import type { AplRequest, TabularResult } from '../../../wire/http/query.js'
import type { Context } from '../../context.js'
import { UsageError } from '../../error/usage-error.js'
import { EXIT, type ExitCode } from '../../exit-code.js'
import { counted } from '../../option/quantity.js'
import { problemsIn, QueryError } from './error.js'

/** The flags that make a result fail which is not as it should be. */
export interface AssertionFlags {
  readonly failOnEmpty?: boolean
  /** A predicate in APL. */
  readonly assert?: string
}

/** How many rows a query has, and how many of them do not meet the predicate. */
export interface AssertionResult {
  readonly rows: number
  readonly failing: number
}

/** Gives a command the flags that make a result fail. */
export function addAssertionOptions(command: Command): Command {
  return command
    .option('--fail-on-empty', 'end with 6 when there are no rows')
    .option('--assert <predicate>', 'end with 6 unless all rows meet it: "status < 500"')
}

/**
 * Asks the deployment itself, since only it speaks its whole language: the same query once more, with
 * an aggregation behind it. So all rows are judged, also those that a limit of the request cuts off.
 */
export async function evaluateAssertion(
  connection: Connection,
  request: AplRequest,
  { predicate, signal }: { readonly predicate: string; readonly signal: AbortSignal },
): Promise<AssertionResult> {
  if (predicate.trim() === '') {
    throw new UsageError('`--assert` is empty. It takes a predicate, such as `"status < 500"`.')
  }
  // The last line of either text may be a comment.
  const before = `${request.apl}\n| summarize rows_ = count(), met_ = countif((\n`
  const { apl, startTime, endTime, variables, libraries } = request
  const asked: AplRequest = {
    apl: `${before}${predicate}\n))`,
    ...(startTime && { startTime }),
    ...(endTime && { endTime }),
    ...(variables && { variables }),
    ...(libraries && { libraries }),
  }
  try {
    return resultOf(await query(connection, asked, { signal }))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw await assertionError(error, { apl, predicate, start: before.length, asked: asked.apl })
  }
}

interface AssertionQuery {
  readonly apl: string
  readonly predicate: string
  /** Where the predicate begins in the query that was asked. */
  readonly start: number
  /** That query. */
  readonly asked: string
}

/** The refusal, as one of the query's own text or of the predicate alone: what stands between them nobody wrote. */
async function assertionError(error: ApiError, texts: AssertionQuery): Promise<QueryError> {
  const { apl, predicate, start, asked } = texts
  const isWritten = ({ span }: Problem) =>
    span.end <= apl.length || (span.start >= start && span.end <= start + predicate.length)
  const found = error.problems ?? problemsIn(asked, error).filter(isWritten)
  const { text, problems } = await attributeProblems(found, texts)
  const { message, detail: _, ...rest } = error
  const named = text === apl ? message : `\`--assert\`: ${message}`
  return new QueryError(text, new ApiError({ ...rest, message: named, problems }))
}

/** The text that is to blame, and what is wrong with it. */
async function attributeProblems(
  problems: readonly Problem[],
  { apl, predicate, start }: AssertionQuery,
): Promise<{ readonly text: string; readonly problems: readonly Problem[] }> {
  const ofQuery = problems.filter(({ span }) => span.end <= apl.length)
  if (ofQuery.length > 0) return { text: apl, problems: ofQuery }
  const end = start + predicate.length
  if (problems.every(({ span }) => span.start >= start && span.start < end)) {
    return { text: predicate, problems: problems.map((problem) => shifted(problem, start)) }
  }
  // One of the texts has run into what stands around it: each is read by itself.
  const alone = await readAlone(apl)
  if (alone.length > 0) return { text: apl, problems: alone }
  const before = 'events | where '
  const found = await readAlone(before + predicate)
  if (found.length > 0) {
    return { text: predicate, problems: found.map((problem) => shifted(problem, before.length)) }
  }
  throw new UsageError(`\`--assert\` takes one predicate, not \`${predicate}\`.`)
}

async function readAlone(text: string): Promise<readonly Problem[]> {
  const { checkApl } = await import('../../../apl/language.js')
  const read = checkApl(text, { now: 0n })
  return 'problems' in read ? read.problems : []
}

function shifted(problem: Problem, by: number): Problem {
  const { start, end } = problem.span
  return { ...problem, span: { start: Math.max(start - by, 0), end: Math.max(end - by, 0) } }
}

function resultOf({ tables: [table] }: TabularResult): AssertionResult {
  function value(name: string): number {
    const index = table?.fields.findIndex((field) => field.name === name) ?? -1
    return Number(table?.columns[index]?.[0] ?? 0)
  }
  const rows = value('rows_')
  return { rows, failing: rows - value('met_') }
}

/** Says what a result falls short of; returns what the command then ends with. */
export function concludeAssertion(
  found: { readonly rows: number; readonly verdict?: AssertionResult | undefined },
  { failOnEmpty, assert }: AssertionFlags,
  { warn }: Pick<Context, 'warn'>,
): ExitCode {
  const { rows, verdict } = found
  const isEmpty = failOnEmpty === true && rows === 0
  if (isEmpty) warn('There are no rows, which `--fail-on-empty` does not allow.')
  if (verdict === undefined || verdict.failing === 0) return isEmpty ? EXIT.assertion : EXIT.done
  const { failing: unmet } = verdict
  const how = unmet === 1 ? 'does not' : 'do not'
  warn(`${formatInteger(unmet)} of ${counted(verdict.rows, 'row')} ${how} meet \`${assert}\`.`)
  return EXIT.assertion
}
