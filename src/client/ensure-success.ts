import { decodeError } from '../wire/http/decode-error.js'
import { HEADER } from '../wire/http/header.js'
import type { HttpRequest, HttpResponse } from './connection.js'
import { ApiError } from './error.js'

/** Lets a 2xx answer pass; throws what any other one says. */
export function ensureSuccess(request: HttpRequest, answer: HttpResponse): HttpResponse {
  const { status, headers, url, credential } = answer
  if (status >= 200 && status < 300) return answer
  const { code, message, problems, detail } = decodeError(answer.body.toString(), status)
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

/** The name that a service gives to an exchange. */
export function requestIdOf(headers: HttpResponse['headers']): string | undefined {
  return headers[HEADER.traceId] ?? headers['x-request-id']
}

/** Redirects are not followed: the token belongs to the address that was configured. */
function moved({ location }: HttpResponse['headers']): string {
  return `The deployment has moved${location === undefined ? '' : ` to ${location}`}.`
}
