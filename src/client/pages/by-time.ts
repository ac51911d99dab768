// Paging by time: each page begins with the last instant of the previous page, because the instant may have more events than fitted
// into that page.
import { RESULT_ROWS } from '../../wire/limits.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { cursorOf, deduplicate, type Page, PagingError, type RowRange, total } from './page.js'
import {
  type AfterInstant,
  type AtTime,
  type Count,
  END,
  type Position,
  type Start,
  type Step,
} from './position.js'
import { type Paging, WIDENING_STEPS } from './request.js'

interface PageContext {
  readonly page: Page
  readonly limit: number
  readonly paging: Paging
  /** True when at least as many rows were returned as the service reported. */
  readonly isComplete: boolean
  /** The size of the largest page so far. */
  readonly largest: number
  /** True when rows may have been duplicated. */
  readonly isDoubtful: boolean
}

/** The page size above which cursors are preferred if the service has them, because larger pages are likely to fail. */
const LARGE = RESULT_ROWS

/** The number of retries when a service returned too few rows: it may return all of them on a retry. */
const TRIES = 2

/** Returns the step after a page of a time range. Throws `PagingError`. */
export function followTime(position: Start | AtTime | AfterInstant, arrival: PageContext): Step {
  const { page, paging, isComplete } = arrival
  if (page.rows === 0) {
    const isLost = position.kind === 'time' && !isComplete && canWiden(position)
    return isLost ? widen(position) : END
  }
  checkOrder(page, paging)
  if (position.kind === 'start') return { ...rowsAfterInstant(page, 0), repeated: 0 }
  const { at } = position
  // The rows before the instant are written.
  const from = rowsWhile(page, 0, (time) => isBefore(time, at, paging))
  const to = rowsWhile(page, from, (time) => time === at)
  if (position.kind === 'time') return followInstantOf(position, arrival, { from, to })
  if (to === page.rows) throw noProgressAt(at)
  return { ...rowsAfterInstant(page, to), repeated: to }
}

/** Returns the step after a page that has the rows `from` up to `to` at the instant of the position. */
function followInstantOf(position: AtTime, arrival: PageContext, { from, to }: RowRange): Step {
  const { page, limit } = arrival
  const unique = deduplicate(page, { from, to }, position.known)
  const repeated = from + unique.repeated
  if (to < page.rows) {
    // The page contains the whole instant, so it must contain the rows of the instant that were written.
    if (unique.missing.size > 0) return widen(position)
    const { ranges, position: next } = rowsAfterInstant(page, to, position.widened)
    return { ranges: [...unique.fresh, ...ranges], repeated, position: next }
  }
  if (unique.freshRows > 0) {
    const next = requestLarger({ ...position, known: unique.known }, arrival)
    return { ranges: unique.fresh, repeated, position: next }
  }
  const step = { ranges: [], repeated }
  if (page.rows >= limit) return { ...step, position: requestLarger(position, arrival, limit * 2) }
  if (page.status.rowsMatched !== page.rows) {
    return { ...step, position: verifyByCount(position, arrival) }
  }
  return unique.missing.size > 0 ? widen(position) : { ...step, position: END.position }
}

function isBefore(time: bigint, other: bigint, { direction }: Paging): boolean {
  return direction === 'asc' ? time < other : time > other
}

function checkOrder(page: Page, paging: Paging): void {
  const [first, last] = [page.timeOf(0), page.timeOf(page.rows - 1)]
  if (!isBefore(last, first, paging)) return
  throw new PagingError(
    `The service does not return rows ordered by \`_time\`: ${formatTimestamp(first)} comes before ${formatTimestamp(last)}.`,
  )
}

/** Returns the index of the first row from `from` on whose time does not pass a test. */
function rowsWhile(page: Page, from: number, passes: (time: bigint) => boolean): number {
  let row = from
  while (row < page.rows && passes(page.timeOf(row))) row += 1
  return row
}

/** Returns the rows from row `from` on, all of which are new, and the position after them. */
function rowsAfterInstant(
  page: Page,
  from: number,
  widened = 0,
): Pick<Step, 'ranges' | 'position'> {
  const at = page.timeOf(page.rows - 1)
  let first = page.rows - 1
  while (first > from && page.timeOf(first - 1) === at) first -= 1
  const { known } = deduplicate(page, { from: first, to: page.rows }, new Map())
  return { ranges: [{ from, to: page.rows }], position: { kind: 'time', at, known, widened } }
}

/** Requests more rows of an instant that did not fit into the page: a page of `larger` rows if a page of the usual size is full. */
function requestLarger(from: AtTime, { page, paging }: PageContext, larger?: number): Position {
  const needed = larger ?? total(from.known) + paging.pageSize
  if (needed > LARGE && cursorOf(page, paging.direction) !== '') {
    return { kind: 'instant', at: from.at, known: from.known }
  }
  return larger === undefined ? from : { ...from, limit: larger }
}

/** Counts the rows after a short page without new rows, which may be the end, or may be cut by a limit of the service. */
function verifyByCount(
  { at, known, widened, tries = 0 }: AtTime,
  { page, largest }: PageContext,
): Count {
  const { minCursor, maxCursor, rowsMatched } = page.status
  const hasCursors = minCursor !== '' && maxCursor !== ''
  const of = rowsMatched === 0 ? 'rest' : 'instant'
  return { kind: 'count', of, at, known, widened, tries, hasCursors, given: page.rows, largest }
}

/** Returns the step after a count of rows. Throws `PagingError`. */
export function followCount(position: Count, page: Page): Step {
  const { at, known, hasCursors, given, largest } = position
  const count = page.count()
  const step = { ranges: [], repeated: 0 }
  if (position.of === 'rest' && count !== undefined) {
    return count <= given ? END : { ...step, position: { ...position, of: 'instant' } }
  }
  // When time bounds are rounded, the rows after an instant cannot be requested.
  if (position.widened > 0 || (count !== undefined && count < total(known))) throw noProgressAt(at)
  if (count === total(known) || (count === undefined && !hasCursors)) {
    const isDoubtful = count === undefined && given === largest
    return { ...step, position: { kind: 'behind', at }, isDoubtful }
  }
  if (hasCursors) {
    const left = count === undefined ? undefined : count - total(known)
    return { ...step, position: { kind: 'instant', at, known, left } }
  }
  if (position.tries < TRIES && count !== undefined) {
    const { widened, tries } = position
    const again = { kind: 'time', at, known, widened, tries: tries + 1, limit: count + 1 } as const
    return { ...step, position: again }
  }
  throw new PagingError(
    `${count} rows have the time ${formatTimestamp(at)}, but the service returns only ${given} at once and no cursors, so the others cannot be fetched.`,
  )
}

/** The error for a service that keeps returning the same rows. */
function noProgressAt(at: bigint): PagingError {
  return new PagingError(
    `The service returns no rows after those of ${formatTimestamp(at)} although there are some: its row limit is lower than requested, or its times are rounded.`,
  )
}

function canWiden({ widened: steps }: AtTime): boolean {
  return steps + 1 < WIDENING_STEPS.length
}

/** Widens the range after a page that lacks written rows, and therefore began too late. */
function widen(position: AtTime): Step {
  if (!canWiden(position)) {
    throw new PagingError(
      `Rows of ${formatTimestamp(position.at)} that were returned before are missing now, so the next rows cannot be determined.`,
    )
  }
  const next = { ...position, widened: position.widened + 1 }
  return { ranges: [], repeated: 0, position: next, isRetried: true }
}
