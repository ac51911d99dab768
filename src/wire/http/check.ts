import { MalformedResponseError } from './malformed-response.js'
import { parseResponseJson } from './response-json.js'

/** The answer of the local service's `POST /v1/datasets/_apl/check`. */
export interface AplCheck {
  /** What the result's columns will be; `dynamic` where only the values tell the type. */
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The query as it was understood, a step a line. */
  readonly apl: string
  /** What it compiles to. */
  readonly sql: string
}

/** Reads the answer to a check that found nothing wrong. */
export function decodeAplCheck(text: string): AplCheck {
  const answer = parseResponseJson(text)
  if (isAplCheck(answer)) return answer
  throw new MalformedResponseError('it does not say what became of the query')
}

function isAplCheck(value: unknown): value is AplCheck {
  if (typeof value !== 'object' || value === null) return false
  const { columns, apl, sql } = value as Partial<AplCheck>
  return Array.isArray(columns) && typeof apl === 'string' && typeof sql === 'string'
}
