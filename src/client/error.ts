import type { Problem } from '../text/problem.js'
import { connectionErrorCode, connectionErrorText } from '../text/system-error.js'
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

interface Circumstances {
  readonly name: string
  readonly wasSent: boolean
  readonly timeouts: { readonly connectMs: number; readonly responseMs: number }
}

/** Why there was no answer, in words for a reader. */
export function networkError(cause: Error, circumstances: Circumstances): NetworkError {
  if (cause instanceof NetworkError) return cause
  const { name, wasSent, timeouts } = circumstances
  const code = connectionErrorCode(cause)
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const message = `${name} could not be reached: no connection within ${seconds(timeouts.connectMs)}.`
    return new NetworkError('unreachable', message, { cause })
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const message = `${name} gave no answer within ${seconds(timeouts.responseMs)}.`
    return new NetworkError('timeout', message, { cause })
  }
  if (code === 'UND_ERR_BODY_TIMEOUT') {
    return new NetworkError('timeout', `${name} stopped in the middle of its answer.`, { cause })
  }
  const meaning = connectionErrorText(cause) ?? cause.message
  return wasSent
    ? new NetworkError('cut', `The exchange with ${name} broke off: ${meaning}.`, { cause })
    : new NetworkError('unreachable', `${name} could not be reached: ${meaning}.`, { cause })
}

function seconds(ms: number): string {
  return `${ms / 1000} s`
}
