import type { Problem } from '../text/problem.js'
import { connectionErrorCode, connectionErrorText } from '../text/system-error.js'
import { decodeError, type ErrorBody } from '../wire/http/error-body.js'
import { HEADER } from '../wire/http/header.js'
import type { Timeouts } from './address.js'
import type { HttpResponse } from './connection.js'

/** The deployment responded with an error. */
export class ApiError extends Error {
  declare readonly url: string
  declare readonly status: number
  /** The error code in the body, or else the status. */
  declare readonly code: string
  declare readonly requestId?: string | undefined
  /** The origin of the token; undefined when the request had no token. */
  declare readonly credential?: string | undefined
  /** The problems found in the query, if the deployment reports them. */
  declare readonly problems?: readonly Problem[] | undefined
  /** A single problem of the query and its position. */
  declare readonly detail?: ErrorBody['detail'] | undefined

  constructor({ message, ...members }: Omit<ApiError, 'name'>) {
    super(message)
    Object.assign(this, members, { name: 'ApiError' })
  }
}

/** True when the deployment does not accept the token, or does not permit the request. */
export function isDenied(error: unknown): boolean {
  return error instanceof ApiError && [401, 403].includes(error.status)
}

/** True for a request to an endpoint that the deployment does not have. */
export function isEndpointMissing(error: unknown): error is ApiError {
  return error instanceof ApiError && [404, 405, 501].includes(error.status)
}

/**
 * `unreachable`: the request was not sent. `cut` and `timeout`: the request may have been carried out. `stopped`: the client
 * aborted the request.
 */
type NetworkFailure = 'unreachable' | 'cut' | 'timeout' | 'stopped'

/** There was no response. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
  readonly failure: NetworkFailure

  constructor(failure: NetworkFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

export interface NetworkErrorContext {
  /** The name of the deployment in messages. */
  readonly name: string
  /** The address of the proxy, if there is one. */
  readonly proxy: string | undefined
  readonly wasSent: boolean
  readonly timeouts: Timeouts
}

/** Converts an error of the connection to a `NetworkError` with a readable message. */
export function networkError(
  cause: Error,
  { name, proxy, wasSent, timeouts }: NetworkErrorContext,
): NetworkError {
  if (cause instanceof NetworkError) return cause
  const code = connectionErrorCode(cause)
  const route = proxy === undefined ? '' : ` through the proxy \`${new URL(proxy).host}\``
  const unreachable = `${name} could not be reached${route}`
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    const message = `${unreachable}: no connection within ${seconds(timeouts.connectMs)}.`
    return new NetworkError('unreachable', message, { cause })
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT') {
    const message = `${name} did not respond within ${seconds(timeouts.responseMs)}.`
    return new NetworkError('timeout', message, { cause })
  }
  const meaning = connectionErrorText(cause) ?? cause.message
  return wasSent
    ? new NetworkError('cut', `The connection to ${name} was lost: ${meaning}.`, { cause })
    : new NetworkError('unreachable', `${unreachable}: ${meaning}.`, { cause })
}

export function seconds(ms: number): string {
  return `${ms / 1000} s`
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

/** Returns a 2xx response; throws an `ApiError` for any other status. */
export function ensureSuccess(response: HttpResponse): HttpResponse {
  const { status, headers, url, credential } = response
  if (isSuccess(status)) return response
  const { code, message, problems, detail } = decodeError(response.body.toString(), status)
  throw new ApiError({
    url,
    status,
    code: String(code),
    message: status >= 300 && status < 400 ? moved(headers) : message,
    requestId: requestIdOf(headers),
    credential,
    problems,
    detail,
  })
}

export function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  return headers[HEADER.traceId] ?? headers['x-request-id']
}

/** Returns the message for a redirect. Redirects are not followed, because the token is only for the configured address. */
function moved({ location }: HttpResponse['headers']): string {
  return `The deployment has moved${location === undefined ? '' : ` to ${location}`}.`
}
