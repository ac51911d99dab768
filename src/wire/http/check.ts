import { MalformedResponseError, parseResponseJson } from './response-json.js'

/** The response of `POST /v1/datasets/_apl/check`, an endpoint of the local service. */
export interface AplCheck {
  /** The columns of the result; `dynamic` when the type depends on the values. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The query as it was parsed, one operator per line. */
  readonly apl: string
  /** The SQL it compiles to. */
  readonly sql: string
}

/** Decodes the response for a valid query. Throws `MalformedResponseError`. */
export function decodeAplCheck(text: string): AplCheck {
  const response = parseResponseJson(text)
  if (isAplCheck(response)) return response
  throw new MalformedResponseError('it has no result of the check')
}

function isAplCheck(value: unknown): value is AplCheck {
  if (typeof value !== 'object' || value === null) return false
  const { columns, apl, sql } = value as Partial<AplCheck>
  return Array.isArray(columns) && typeof apl === 'string' && typeof sql === 'string'
}
