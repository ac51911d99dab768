import { EngineError, isTimeout, isUnreachable } from '../engine/engine.js'
import { isCorruption } from '../engine/maintenance/corruption.js'
import { isDiskFull, StoreError } from '../engine/store-error.js'
import { queryFailure, TOO_LONG } from '../sql/failure.js'
import { SqlTooLongError } from '../sql/sql.js'
import { CsvHeaderError } from '../wire/csv/csv.js'
import type { ErrorBody } from '../wire/http/error-body.js'
import { json, type ServiceRequest, type ServiceResponse } from './http.js'
import { RefusedError } from './refused-error.js'

/** The response to a request that failed, before it is encoded. */
export interface FailedRequest {
  readonly body: ErrorBody & { readonly code: number }
  /** The delay after which the same request may succeed. */
  readonly retryAfterSeconds?: number
}

/** Encodes the response to a request that failed. */
export type EncodeError = (failed: FailedRequest, request: ServiceRequest) => ServiceResponse

/** Describes an error thrown by a route: its reason when it is a refusal, else a message with a request id. */
export function describeError(
  error: unknown,
  options: {
    readonly traceId: string
    readonly report: ((error: unknown, traceId: string) => void) | undefined
  },
): FailedRequest {
  const refused = refusal(error)
  if (refused !== undefined) {
    const { body, retryAfterSeconds } = refused
    return { body, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  }
  options.report?.(error, options.traceId)
  const what = isCorruption(error)
    ? DAMAGED
    : error instanceof StoreError
      ? error.message
      : 'Internal error.'
  const message = `${what} Quote request id \`${options.traceId}\` when reporting it.`
  return { body: { code: 500, message } }
}

/** Returns the response as JSON with `code` and `message`. */
export function jsonError({ body, retryAfterSeconds }: FailedRequest): ServiceResponse {
  const response = json(body.code, body)
  if (retryAfterSeconds === undefined) return response
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } }
}

const DAMAGED =
  'Stored events that the query reads are corrupted on disk. Query a different time range, or fewer fields.'

function refusal(error: unknown): RefusedError | undefined {
  if (error instanceof RefusedError) return error
  if (isDiskFull(error) && !(error instanceof StoreError)) {
    return new RefusedError(
      'disk-full',
      'The disk of the service is full. Nothing was changed. Free some space, then retry.',
    )
  }
  if (error instanceof EngineError) return engineRefusal(error)
  if (error instanceof SqlTooLongError) return new RefusedError('invalid-query', TOO_LONG.message)
  if (error instanceof CsvHeaderError) return new RefusedError('invalid-request', error.message)
  if (error instanceof StoreError && error.reason !== 'failed') {
    const about = error.reason === 'unavailable' ? LATER : {}
    return new RefusedError(STORE_REASON[error.reason], error.message, about)
  }
  return undefined
}

/** About the time that a restarting server needs. */
const LATER = { retryAfterSeconds: 2 }

const STORE_REASON = {
  'disk-full': 'disk-full',
  removed: 'removed',
  'too-many-lines': 'too-large',
  unavailable: 'unavailable',
} as const

/** ClickHouse error codes for a query that exceeded one of its limits. */
const MEMORY_LIMIT = 241
const RESULT_LIMIT = 396
const UNKNOWN_TABLE = 60

function engineRefusal(error: EngineError): RefusedError | undefined {
  if (isUnreachable(error)) {
    return new RefusedError(
      'unavailable',
      'ClickHouse, or one of its servers, is unreachable. Retry when it is available again.',
      LATER,
    )
  }
  if (isTimeout(error)) {
    return new RefusedError(
      'query-limit',
      'The query exceeded the time limit of the service. Use a shorter time range, or filter earlier with `where`.',
    )
  }
  switch (error.code) {
    case MEMORY_LIMIT:
      return new RefusedError(
        'query-limit',
        'The query exceeded the memory limit of the service. Use a shorter time range, or fewer groups.',
      )
    case RESULT_LIMIT:
      return new RefusedError(
        'query-limit',
        'The result exceeds the size limit of the service. Return fewer rows or columns.',
      )
    case UNKNOWN_TABLE:
      return new RefusedError('not-found', 'The dataset was deleted while the request was running.')
    default: {
      const failure = queryFailure(error.code)
      return failure && new RefusedError('invalid-query', failure.message)
    }
  }
}
