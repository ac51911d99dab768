// `evq page` and `evq tail` ask more than their user wrote: the query, and what makes a part of its rows.
import { ApiError } from '../../../client/error.js'
import type { AplRequest } from '../../../wire/http/query.js'
import type { Context } from '../../context.js'
import { checkRequest } from './check.js'
import { QueryError } from './error.js'

/** A query that was asked with more behind it. */
interface ExtendedQuery {
  /** As it was written. */
  readonly request: AplRequest
  /** What is wrong with it when the rest alone is at fault: names are missing that the rest is about. */
  readonly missingColumns: () => Error
  readonly signal: AbortSignal
}

/** Throws the refusal of a query that was asked with more behind it as one of what was written. */
export async function throwForUserQuery(
  error: ApiError,
  { request, missingColumns: lacking, signal }: ExtendedQuery,
  context: Pick<Context, 'io'>,
): Promise<never> {
  const { apl } = request
  const { problems = [] } = error
  if (problems.length === 0) throw new QueryError(apl, error)
  const ofUser = problems.filter(({ span }) => span.end <= apl.length)
  if (ofUser.length > 0) {
    const refusal = new ApiError({ ...error, message: error.message, problems: ofUser })
    throw new QueryError(apl, refusal)
  }
  // A query that breaks off is found to be wrong only where the rest goes on.
  const isBroken = problems.some(({ code }) => code !== 'unknown-field')
  if (isBroken) await checkRequest({ request, signal }, context)
  throw lacking()
}
