// The default range of a query on a terminal: the last hour, or the hour that ends with the newest event.
import { ApiError, NetworkError } from '../../../client/error.js'
import { cellText } from '../../../render/cell.js'
import { readResponse } from '../../../render/transpose/scan-response.js'
import type { ChunkedBuffer } from '../../../wire/bytes/chunked-buffer.js'
import type { AplRequest } from '../../../wire/http/query.js'
import { NANOSECONDS } from '../../../wire/time/duration.js'
import { clockAt, type TimeZone, UTC } from '../../../wire/time/time-zone.js'
import { formatTimestamp, parseTimestamp } from '../../../wire/time/timestamp.js'
import type { Asking } from '../../query/ask-rows.js'

export type DefaultRange =
  | { readonly kind: 'last-hour' }
  /** The times of the range in nanoseconds since 1970; the newest event is at `end`. */
  | { readonly kind: 'newest-hour'; readonly start: bigint; readonly end: bigint }
  /** The last hour of a dataset that has no events at any time. */
  | { readonly kind: 'no-events' }

/** A response, with the request and the default range that led to it. */
export interface Ranged {
  readonly request: AplRequest
  readonly response: ChunkedBuffer
  /** Undefined when the range was given. */
  readonly range: DefaultRange | undefined
}

const LAST_HOUR: DefaultRange = { kind: 'last-hour' }

/**
 * Runs a request over the last hour. If no event matches, runs it over the hour that ends with the newest event, which is found by
 * queries without a range.
 */
export async function runInDefaultRange(
  request: AplRequest,
  { run, asking }: { run(request: AplRequest): Promise<ChunkedBuffer>; readonly asking: Asking },
): Promise<Ranged> {
  const response = await run(request)
  const { status, tables } = readResponse(response).result
  // A query without a dataset has the rows that its text contains, at any time.
  const isTimeless =
    status.rowsExamined === 0 && tables.every((table) => table.sources.length === 0)
  const hasRows = status.rowsMatched > 0
  const asked: Ranged = { request, response, range: hasRows && isTimeless ? undefined : LAST_HOUR }
  const recent = parseTimestamp(request.startTime ?? '')
  if (recent === undefined || hasRows) return asked
  const newest = await newestEvent(request.apl, asking)
  if (newest === undefined || (typeof newest === 'bigint' && newest >= recent)) return asked
  if (newest === 'none') return { ...asked, range: { kind: 'no-events' } }
  const start = newest - NANOSECONDS.h!
  const moved = {
    ...request,
    startTime: formatTimestamp(start),
    // The end of a range is exclusive.
    endTime: formatTimestamp(newest + 1n),
  }
  const range: DefaultRange = { kind: 'newest-hour', start, end: newest }
  return { request: moved, response: await run(moved), range }
}

/** Returns the time of the newest event of a query's source; undefined when that cannot be determined. */
async function newestEvent(apl: string, asking: Asking): Promise<bigint | 'none' | undefined> {
  const { planOf } = await import('../../../apl/language.js')
  const plan = planOf(apl)
  if (plan === undefined || !plan.isEvents) return undefined
  try {
    const row = await asking.askRow(
      `${plan.source}\n| summarize newest_ = max(_time), rows_ = count()`,
    )
    if (row('rows_') === '0') return 'none'
    return parseTimestamp(cellText(row('newest_') ?? 'null') ?? '')
  } catch (error) {
    // The range is a convenience; the result over the last hour is valid without it.
    if (error instanceof ApiError || error instanceof NetworkError) return undefined
    throw error
  }
}

/** Formats the times of a range to the minute: `2015-05-20 08:05 to 09:05`. */
export function formatHour(
  { start, end }: { readonly start: bigint; readonly end: bigint },
  zone: TimeZone = UTC,
): string {
  const [from, to] = [start, end].map((time) =>
    formatTimestamp(clockAt(time, zone)).slice(0, 'YYYY-MM-DDTHH:MM'.length).replace('T', ' '),
  ) as [string, string]
  const [day, time] = to.split(' ')
  return `${from} to ${from.startsWith(day!) ? time : to}`
}
