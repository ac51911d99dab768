import { decodeError } from '../wire/http/error-body.js'
import { HEADER } from '../wire/http/header.js'
import type { HttpRequest, HttpResponse } from './connection.js'
import { ApiError } from './error.js'

/** Returns a 2xx response; throws an `ApiError` for any other status. */
export function ensureSuccess(request: HttpRequest, response: HttpResponse): HttpResponse {
  const { status, headers, url, credential } = response
  if (status >= 200 && status < 300) return response
  const { code, message, problems, detail } = decodeError(response.body.toString(), status)
  throw new ApiError({
    method: request.method,
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

/** Returns the id that the service gave the request. */
export function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  return headers[HEADER.traceId] ?? headers['x-request-id']
}

/** Redirects are not followed: the token belongs to the configured address. */
function moved({ location }: HttpResponse['headers']): string {
  return `The deployment has moved${location === undefined ? '' : ` to ${location}`}.`
}
