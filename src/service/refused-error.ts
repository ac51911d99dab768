import type { ErrorBody } from '../wire/http/error-body.js'

/** The reasons for refusing a request, with their status codes. */
const STATUS = {
  'invalid-request': 400,
  'invalid-query': 400,
  'no-token': 403,
  'unknown-token': 403,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
  'too-slow': 408,
  exists: 409,
  removed: 410,
  'too-large': 413,
  'unsupported-media-type': 415,
  'invalid-field': 422,
  'too-many-requests': 429,
  'query-limit': 432,
  unavailable: 503,
  'disk-full': 507,
} as const

type Reason = keyof typeof STATUS

type QueryDetail = Pick<ErrorBody, 'detail' | 'problems'>

interface RefusalOptions extends QueryDetail {
  /** The delay after which the same request may succeed. */
  readonly retryAfterSeconds?: number
  /** The limit on the number of requests, when it was exceeded. */
  readonly requestLimit?: number
}

/** A request that the service refuses; the message is for the caller. */
export class RefusedError extends Error {
  override readonly name: string = 'RefusedError'
  readonly reason: Reason
  readonly retryAfterSeconds: number | undefined
  readonly requestLimit: number | undefined
  private readonly about: QueryDetail

  constructor(
    reason: Reason,
    message: string,
    { retryAfterSeconds, requestLimit, ...about }: RefusalOptions = {},
  ) {
    super(message)
    this.reason = reason
    this.retryAfterSeconds = retryAfterSeconds
    this.requestLimit = requestLimit
    this.about = about
  }

  /** True when the request lacks a token or a permission. */
  get isForbidden(): boolean {
    return STATUS[this.reason] === 403
  }

  get body(): ErrorBody & { readonly code: number } {
    return { code: STATUS[this.reason], message: this.message, ...this.about }
  }
}

/** The refusal of a request that is malformed or contradicts itself. */
export function invalidRequest(message: string): RefusedError {
  return new RefusedError('invalid-request', message)
}

/** The refusal of a request with a member that is missing, empty, or not one of the allowed values. */
export function invalidField(message: string): RefusedError {
  return new RefusedError('invalid-field', message)
}

/** The refusal of all events of a request that is larger than a limit. */
export function requestTooLarge(fact: string): RefusedError {
  return new RefusedError(
    'too-large',
    `${fact}: none of the events were stored. Send several smaller requests.`,
  )
}

/** The refusal of a request because too many other requests are waiting. `limit` is the maximum number of waiting requests. */
export function tooManyRequests(message: string, limit: number): RefusedError {
  return new RefusedError('too-many-requests', `${message} Retry in a second.`, {
    retryAfterSeconds: 1,
    requestLimit: limit,
  })
}

/** The refusal of a request that may succeed after roughly the time that a restarting server needs. */
export function unavailable(message: string): RefusedError {
  return new RefusedError('unavailable', message, { retryAfterSeconds: 2 })
}

/** The refusal of events that cannot be stored now. SDKs send them again after a 503, but drop them after a 429. */
export function overloaded(message: string): RefusedError {
  return new RefusedError('unavailable', `${message} Retry in a second.`, { retryAfterSeconds: 1 })
}
