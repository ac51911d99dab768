import type { AplRequest } from '../../wire/http/query.js'
import { object } from '../../wire/shape/json-schema.js'
import { named, type Shape } from '../../wire/shape/shape.js'
import { missing, orderEntry } from '../body/decode.js'
import {
  anyObject,
  count,
  flag,
  listOf,
  mapped,
  optionalMembers,
  text,
  word,
} from '../body/shape.js'

const TIME = 'RFC 3339, `now`, or relative such as `now-1h`.'

/** The zero value of Go's times, which Go clients send for an absent time. */
const NO_TIME = '0001-01-01T00:00:00Z'

const time = (description: string) =>
  mapped(text(`${description} ${TIME}`), (given) => (given === NO_TIME ? undefined : given))

/** The members that all queries share: the time range, and the start of the page. */
export const QUERY_RANGE = {
  startTime: time('The start of the range of event times, inclusive.'),
  endTime: time('The end of the range of event times, exclusive.'),
  cursor: text('Start after the row of this cursor.'),
  includeCursor: flag('Start with the row of the cursor itself.'),
}

/** A field to sort by, and its direction. */
export const ORDER: Shape<ReturnType<typeof orderEntry>> = {
  schema: object({ field: text().schema, desc: flag().schema }, { optional: ['desc'] }),
  decode: orderEntry,
}

export const QUERY_OPTIONS = optionalMembers({
  disableCache: flag(),
  disableStats: flag(
    'Do not count the matching events with a statement of its own: `rowsMatched` may be the number of rows.',
  ),
  disableTrace: flag(),
  maxDataPoints: count(),
  maxSeries: count(),
  noAggregation: flag(),
  noFill: flag(),
  noInterpolation: flag(),
  priority: word(['low', 'medium', 'high'], 'The priority of the query.'),
  resolution: text('A time interval, such as `1m`, or `auto`.'),
  backward: flag(
    'Return the rows in the opposite order: the last rows first, or the rows before the cursor. Only for queries whose rows have cursors.',
  ),
  shortPages: flag(
    'Allow a page after a cursor to have fewer rows than its limit although more follow; an empty page is the end. Consecutive pages of a dataset are then read in one scan, which is faster.',
  ),
})

export const APL_REQUEST = optionalMembers(
  {
    apl: text('The query.', { minLength: 1 }),
    ...QUERY_RANGE,
    includeCursorField: flag('Add a column `_cursor`.'),
    defaultLimit: count('The maximum number of rows; a lower limit in the query takes precedence.'),
    defaultOrder: listOf(named('Order', ORDER), 'The order of events when the query has none.'),
    libraries: listOf(text()),
    queryOptions: named('QueryOptions', QUERY_OPTIONS),
    variables: anyObject('Parameters of the query.'),
  },
  ['apl'],
)

/** Decodes the body of a query. Wrong types are refused with 400; a missing query or an unknown keyword with 422. */
export function decodeAplRequest(body: unknown): AplRequest {
  const { apl, ...request } = APL_REQUEST.decode('The request body', body)
  if (apl === undefined || apl.trim() === '') throw missing('apl', 'the query to run')
  return { apl, ...request }
}
