import {
  anyObject,
  count,
  flag,
  listOf,
  mapped,
  optionalMembers,
  text,
  word,
} from '../shape/request.js'
import { missing, RequestError } from '../shape/request-error.js'
import { named, type Shape, type ValueOf } from '../shape/shape.js'

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

export interface OrderEntry {
  readonly field: string
  readonly desc: boolean
}

const ORDER_MEMBERS = optionalMembers({ field: text(), desc: flag() }, ['field'])

/** A field to sort by, and its direction. */
export const ORDER: Shape<OrderEntry> = {
  schema: ORDER_MEMBERS.schema,
  decode(name, value) {
    const { field, desc = false } = ORDER_MEMBERS.decode(name, value)
    if (field === undefined) throw new RequestError('invalid-field', `${name} has no \`field\`.`)
    return { field, desc }
  },
}

/**
 * Options for running the query. The local service uses only `resolution` and `maxDataPoints`, which affect the rows, `backward`,
 * `disableCache`, `disableStats` and `shortPages`; only the local service knows `backward` and `shortPages`.
 */
export const QUERY_OPTIONS = optionalMembers({
  disableCache: flag(),
  disableStats: flag(
    'Do not count the matching events with a statement of its own: `rowsMatched` may be the number of rows.',
  ),
  disableTrace: flag(),
  /** The maximum number of intervals that `bin_auto` creates. */
  maxDataPoints: count(),
  /** A hint for charts; the local service returns all series. */
  maxSeries: count(),
  /** Hints for charts; the local service returns the rows of the query without filling gaps. */
  noAggregation: flag(),
  noFill: flag(),
  noInterpolation: flag(),
  priority: word(['low', 'medium', 'high'], 'The priority of the query.'),
  resolution: text('A time interval, such as `1m`, or `auto`.'),
  backward: flag(
    'Return the rows in the opposite order: the last rows first, or the rows before the cursor. Only for queries whose rows have cursors.',
  ),
  shortPages: flag(
    'Allow a page of rows that have cursors to have fewer rows than its limit although more follow; an empty page is the end. Consecutive pages of a dataset are then read in one scan, which is faster.',
  ),
})
export type QueryOptions = ValueOf<typeof QUERY_OPTIONS>

/** The body of `POST /v1/datasets/_apl`. */
export const APL_REQUEST = optionalMembers(
  {
    apl: text('The query.', { minLength: 1 }),
    ...QUERY_RANGE,
    includeCursorField: flag('Add a column `_cursor`.'),
    defaultLimit: count('The maximum number of rows; a lower limit in the query takes precedence.'),
    defaultOrder: listOf(named('Order', ORDER), 'The order of events when the query has none.'),
    /** Ignored by the local service, which has no libraries. */
    libraries: listOf(text()),
    queryOptions: named('QueryOptions', QUERY_OPTIONS),
    variables: anyObject('Parameters of the query.'),
  },
  ['apl'],
)
export type AplRequest = ValueOf<typeof APL_REQUEST> & { readonly apl: string }

/** Decodes the body of a query. Wrong types are refused with 400; a missing query or an unknown keyword with 422. */
export function decodeAplRequest(body: unknown): AplRequest {
  const { apl, ...request } = APL_REQUEST.decode('The request body', body)
  if (apl === undefined || apl.trim() === '') throw missing('apl', 'the query to run')
  return { apl, ...request }
}
