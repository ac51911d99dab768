import { ApiError } from '../../client/error.js'

/** A deployment refused a query; carries the text, in which its problems have their places. */
export class QueryError extends Error {
  readonly apl: string
  readonly refusal: ApiError

  constructor(apl: string, refusal: ApiError) {
    super(refusal.message, { cause: refusal })
    this.name = 'QueryError'
    this.apl = apl
    this.refusal = refusal
  }
}

/** An answer's refusal as one of the query that was asked; any other error is what it was. */
export function queryError(apl: string, error: unknown): unknown {
  return error instanceof ApiError ? new QueryError(apl, error) : error
}
