import type { ApiError } from '../../client/error.js'

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
