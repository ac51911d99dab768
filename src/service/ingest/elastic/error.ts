import { type FailedRequest, withRetryAfter } from '../../error-response.js'
import type { ServiceResponse } from '../../http.js'
import { json, jsonText } from '../../http.js'

/** Clients of Elasticsearch reject responses without this header, even when their events were stored. */
const PRODUCT = { 'x-elastic-product': 'Elasticsearch' }

/** The type and text of an error of a request, or of one of its actions. */
export interface ElasticError {
  readonly type: string
  readonly reason: string
}

const TYPES: Readonly<Record<number, string>> = {
  400: 'illegal_argument_exception',
  403: 'security_exception',
  404: 'resource_not_found_exception',
  413: 'content_too_long_exception',
  429: 'es_rejected_execution_exception',
  503: 'es_rejected_execution_exception',
  507: 'cluster_block_exception',
}

/** Returns a response with a value, as JSON, and the header that clients require. */
export function elasticJson(status: number, value: unknown): ServiceResponse {
  return asElastic(json(status, value))
}

/** Returns a response with JSON text and the header that clients require. */
export function elasticText(status: number, text: string | Buffer): ServiceResponse {
  return asElastic(jsonText(status, text))
}

export function elasticError({ body, retryAfterSeconds }: FailedRequest): ServiceResponse {
  const { code: status, message: reason } = body
  const error: ElasticError = { type: TYPES[status] ?? 'exception', reason }
  const response = elasticJson(status, { error: { root_cause: [error], ...error }, status })
  return withRetryAfter(response, retryAfterSeconds)
}

function asElastic(response: ServiceResponse): ServiceResponse {
  return { ...response, headers: { ...response.headers, ...PRODUCT } }
}
