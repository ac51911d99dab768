import {
  EngineError,
  hasCode,
  isDamage,
  isDenied,
  isTimeout,
  isUnreachable,
  MissingServerError,
  MissingShardError,
} from '../engine/engine.js'
import { ACCESS_DENIED, isDiskFull, StoreError } from '../engine/store-error.js'
import { queryFailure, TOO_DEEP, TOO_LONG } from '../sql/failure.js'
import { SqlTooDeepError } from '../sql/planning.js'
import { SqlTooLongError } from '../sql/sql.js'
import { CODE } from '../text/clickhouse-code.js'
import { isFileSizeExceeded, shortageText } from '../text/resource-limits.js'
import { CsvError } from '../wire/csv/csv-row.js'
import type { ErrorBody } from '../wire/http/error-body.js'
import { RequestError } from '../wire/shape/request-error.js'
import { json, type ServiceRequest, type ServiceResponse } from './http.js'
import { invalidRequest, RefusedError, unavailable } from './refused-error.js'

/** The response to a request that failed, before it is encoded. */
export interface FailedRequest {
  readonly error: unknown
  readonly body: ErrorBody & { readonly code: number }
  /** The delay after which the same request may succeed. */
  readonly retryAfterSeconds?: number
  /** The headers in which SDKs look for the limit on the number of requests that was exceeded. */
  readonly limitHeaders?: Readonly<Record<string, string>>
}

export type EncodeError = (failed: FailedRequest, request: ServiceRequest) => ServiceResponse

/** Describes an error thrown by a route: the reason of a refusal, or else a message with the request id. */
export function describeError(
  error: unknown,
  options: {
    readonly traceId: string
    readonly report: ((error: unknown, traceId: string) => void) | undefined
    /** Nanoseconds since 1970. */
    now(): bigint
  },
): FailedRequest {
  const refused = refusal(error)
  if (refused !== undefined) return refusedRequest(refused, options.now())
  options.report?.(error, options.traceId)
  const message = `${failureText(error)} Quote request id \`${options.traceId}\` when reporting it.`
  return { error, body: { code: 500, message } }
}

function failureText(error: unknown): string {
  if (isDamage(error)) return DAMAGED
  if (error instanceof StoreError) return error.message
  return isDenied(error) ? ACCESS_DENIED : 'Internal error.'
}

const DAMAGED =
  'Stored events that the query reads are damaged on disk. Query a different time range, or fewer fields; `evq dataset show` names the damaged files.'

function refusedRequest(error: RefusedError, now: bigint): FailedRequest {
  const { body, retryAfterSeconds, requestLimit } = error
  if (retryAfterSeconds === undefined || requestLimit === undefined) {
    return { error, body, retryAfterSeconds }
  }
  const limitHeaders = {
    'x-ratelimit-scope': 'user',
    'x-ratelimit-limit': String(requestLimit),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': String(now / 1_000_000_000n + BigInt(retryAfterSeconds)),
  }
  return { error, body, retryAfterSeconds, limitHeaders }
}

export function jsonError({
  body,
  retryAfterSeconds,
  limitHeaders,
}: FailedRequest): ServiceResponse {
  const response = withRetryAfter(json(body.code, body), retryAfterSeconds)
  return { ...response, headers: { ...response.headers, ...limitHeaders } }
}

/** Returns the response with the header `retry-after`, unless the delay is undefined. */
export function withRetryAfter(
  response: ServiceResponse,
  retryAfterSeconds: number | undefined,
): ServiceResponse {
  if (retryAfterSeconds === undefined) return response
  return { ...response, headers: { ...response.headers, 'retry-after': String(retryAfterSeconds) } }
}

function refusal(error: unknown): RefusedError | undefined {
  if (error instanceof RefusedError) return error
  if (error instanceof RequestError) return new RefusedError(error.reason, error.message)
  if (isDiskFull(error) && !(error instanceof StoreError)) {
    return new RefusedError(
      'disk-full',
      'The disk of the service is full. Nothing was changed. Free some space, then retry.',
    )
  }
  const shortage = shortageText(error)
  if (shortage !== undefined) {
    return isFileSizeExceeded(error)
      ? new RefusedError('disk-full', shortage)
      : new RefusedError('unavailable', shortage, SHORTAGE)
  }
  if (error instanceof EngineError) return engineRefusal(error)
  if (error instanceof SqlTooLongError) return new RefusedError('invalid-query', TOO_LONG)
  if (error instanceof SqlTooDeepError) return new RefusedError('invalid-query', TOO_DEEP)
  if (error instanceof CsvError) return invalidRequest(error.message)
  if (error instanceof StoreError && error.reason !== 'failed') {
    if (error.reason === 'unavailable') return unavailable(error.message)
    return new RefusedError(STORE_REASON[error.reason], error.message)
  }
  return undefined
}

/** Long enough that clients repeat few of the requests that need more files or memory than there will ever be. */
const SHORTAGE = { retryAfterSeconds: 10 }

const STORE_REASON = {
  'disk-full': 'disk-full',
  removed: 'removed',
  'too-many-lines': 'too-large',
  'invalid-lines': 'invalid-request',
} as const

function engineRefusal(error: EngineError): RefusedError | undefined {
  if (error instanceof MissingServerError) {
    return unavailable(
      `The ClickHouse server \`${error.url}\` is unavailable, and a dataset can be deleted or renamed only while all servers are available. Nothing was changed.`,
    )
  }
  if (error instanceof MissingShardError) {
    return unavailable(
      `No ClickHouse server of shard ${error.shard + 1} responds. Retry when one of them is available again.`,
    )
  }
  if (hasCode(error, 'ALL_REPLICAS_ARE_STALE')) {
    return unavailable(
      'The replicas of a shard lack recent events, or have no connection to Keeper to check it. Retry when one of them has caught up.',
    )
  }
  if (isUnreachable(error)) {
    return unavailable(
      'ClickHouse, or one of its servers, is unreachable. Retry when it is available again.',
    )
  }
  if (isTimeout(error)) {
    return overLimit(
      'The query exceeded the time limit of the service. Use a shorter time range, or filter earlier with `where`.',
    )
  }
  switch (error.code) {
    case CODE.MEMORY_LIMIT_EXCEEDED:
      return overLimit(
        'The query exceeded the memory limit of the service. Use a shorter time range or fewer groups, or raise the limit with `evq serve --query-memory`.',
      )
    case CODE.TOO_MANY_ROWS_OR_BYTES:
      return overLimit(
        'The result exceeds the size limit of the service. Return fewer rows or columns.',
      )
    case CODE.UNKNOWN_TABLE:
      return new RefusedError('not-found', 'The dataset was deleted while the request was running.')
    default: {
      const failure = queryFailure(error)
      return failure && new RefusedError('invalid-query', failure.message)
    }
  }
}

function overLimit(message: string): RefusedError {
  return new RefusedError('query-limit', message)
}
