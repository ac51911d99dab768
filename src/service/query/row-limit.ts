import type { CheckedQuery } from '../../apl/check/checked.js'
import { formatInteger } from '../../text/integer.js'
import type { Message } from '../../wire/http/tabular-result.js'
import { DEFAULT_ROWS } from '../../wire/limits.js'

/** The maximum number of rows in a result, and the origin of the limit. */
export interface RowLimit {
  readonly rows: number
  readonly setBy: 'request' | 'default' | 'service'
}

/** Returns the lower one of the limits of the request and of the service; a limit in the query itself is part of its SQL. */
export function rowLimit(options: {
  readonly query: CheckedQuery
  readonly requested: number | undefined
  readonly most: number
}): RowLimit {
  const { query, requested, most } = options
  if (requested !== undefined && requested <= most) return { rows: requested, setBy: 'request' }
  const hasOwn = query.operators.some(({ kind }) => kind === 'limit')
  if (requested === undefined && !hasOwn && DEFAULT_ROWS <= most) {
    return { rows: DEFAULT_ROWS, setBy: 'default' }
  }
  return { rows: most, setBy: 'service' }
}

const ADVICE = {
  default: 'the default. Set another limit with `limit` in the query, or in the request.',
  service: 'the maximum of the service. Fetch the rest page by page.',
}

/** Returns the messages for a truncated result; no message when the request set the limit. */
export function truncationMessages({ rows, setBy }: RowLimit): readonly Message[] {
  if (setBy === 'request') return []
  const msg = `The result is truncated to ${formatInteger(rows)} rows, ${ADVICE[setBy]}`
  return [{ priority: 'warn', code: `${setBy}_limit_warning`, count: 1, msg }]
}
