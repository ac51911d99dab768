import { type EncodeError, withRetryAfter } from '../../error-response.js'
import { json, type ServiceResponse } from '../../http.js'
import { RefusedError } from '../../refused-error.js'

/** Splunk's status codes, with their texts. */
const TEXTS = {
  0: 'Success',
  2: 'Token is required',
  3: 'Invalid authorization',
  4: 'Invalid token',
  5: 'No data',
  6: 'Invalid data format',
  7: 'Incorrect index',
  8: 'Internal server error',
  9: 'Server is busy',
  12: 'Event field is required',
  13: 'Event field cannot be blank',
  14: 'ACK is disabled',
  15: 'Error in handling indexed fields',
  17: 'HEC is healthy',
} as const

type HecCode = keyof typeof TEXTS

interface HecDetails {
  /** The position of the event at fault, from 0. */
  readonly event?: number
  readonly message?: string
}

export class HecError extends RefusedError {
  readonly hecCode: HecCode
  readonly event: number | undefined

  constructor(hecCode: HecCode, { event, message = TEXTS[hecCode] }: HecDetails = {}) {
    super('invalid-request', message)
    this.hecCode = hecCode
    this.event = event
  }
}

export function hecResponse(
  status: number,
  code: HecCode,
  { event, message }: HecDetails = {},
): ServiceResponse {
  const text: string = TEXTS[code]
  return json(status, {
    text,
    code,
    'invalid-event-number': event,
    // Not in Splunk's responses: clients log the response when a request fails.
    ...(message !== undefined && message !== text && { message }),
  })
}

export const hecError: EncodeError = ({ error, body, retryAfterSeconds }) => {
  const { message } = body
  const response =
    error instanceof HecError
      ? hecResponse(400, error.hecCode, { message, event: error.event })
      : hecResponse(isUnauthenticated(error) ? 401 : body.code, codeOf(error, body.code), {
          message,
        })
  return withRetryAfter(response, retryAfterSeconds)
}

function codeOf(error: unknown, status: number): HecCode {
  if (isUnauthenticated(error)) return error.reason === 'no-token' ? 2 : 3
  if (status === 403) return 4
  if (status === 500) return 8
  return status >= 500 || status === 429 ? 9 : 6
}

function isUnauthenticated(error: unknown): error is RefusedError {
  return error instanceof RefusedError && ['no-token', 'unknown-token'].includes(error.reason)
}
