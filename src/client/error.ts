import type { Problem } from '../text/problem.js'
import type { ErrorBody } from '../wire/http/query.js'

/** The deployment answered, and the answer is a refusal. */
export class ApiError extends Error {
  readonly method: string
  readonly url: string
  readonly status: number
  /** The body's own word or number for what is wrong; the status when it has none. */
  readonly code: string
  readonly requestId: string | undefined
  /** Where the token of the request came from; undefined when it carried none. */
  readonly credential: string | undefined
  /** Everything wrong with the query, where the deployment says it. */
  readonly problems: readonly Problem[] | undefined
  /** One thing that is wrong with the query, and its place there. */
  readonly detail: ErrorBody['detail'] | undefined

  constructor(options: {
    readonly method: string
    readonly url: string
    readonly status: number
    readonly code: string
    readonly message: string
    readonly requestId?: string | undefined
    readonly credential?: string | undefined
    readonly problems?: readonly Problem[] | undefined
    readonly detail?: ErrorBody['detail'] | undefined
  }) {
    super(options.message)
    this.name = 'ApiError'
    this.method = options.method
    this.url = options.url
    this.status = options.status
    this.code = options.code
    this.requestId = options.requestId
    this.credential = options.credential
    this.problems = options.problems
    this.detail = options.detail
  }
}

/**
 * How far a request came that got no answer: `unreachable` was never sent, `cut` may have been
 * carried out, `timeout` too, `stopped` was given up by this side.
 */
type NetworkFailure = 'unreachable' | 'cut' | 'timeout' | 'stopped'

/** There was no answer. */
export class NetworkError extends Error {
  readonly failure: NetworkFailure

  constructor(failure: NetworkFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'NetworkError'
    this.failure = failure
  }
}
