// `evq page` and `evq tail` append operators to the query of the user. Errors are reported about the query as written.
import { ApiError } from '../../client/error.js'
import type { Problem } from '../../text/problem.js'
import type { AplRequest } from '../../wire/http/query.js'
import type { Context } from '../context.js'
import { checkRequest } from './check.js'
import { QueryError } from './error.js'

/** A query that was run with appended operators. */
interface ExtendedQuery {
  /** The query as written. */
  readonly request: AplRequest
  /** Converts a problem of the query that was run to a problem of the query as written. */
  readonly restore?: ((problem: Problem) => Problem) | undefined
  /** Returns the error when the query lacks columns that the appended operators need. */
  readonly missingColumns: () => Error
  readonly signal: AbortSignal
}

/** Converts the error of an extended query to an error about the query as written, and throws it. */
export async function throwForUserQuery(
  error: ApiError,
  { request, restore = (problem) => problem, missingColumns: lacking, signal }: ExtendedQuery,
  context: Pick<Context, 'io'>,
): Promise<never> {
  const { apl } = request
  const problems = (error.problems ?? []).map(restore)
  if (problems.length === 0) throw new QueryError(apl, error)
  const ofUser = problems.filter(({ span }) => span.end <= apl.length)
  if (ofUser.length > 0) {
    const refusal = new ApiError({ ...error, message: error.message, problems: ofUser })
    throw new QueryError(apl, refusal)
  }
  // The problem of an incomplete query may only show in the appended operators.
  const isBroken = problems.some(({ code }) => code !== 'unknown-field')
  if (isBroken) await checkRequest({ request, signal }, context)
  throw lacking()
}
