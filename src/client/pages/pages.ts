import { setImmediate as nextTurn } from 'node:timers/promises'
import type { AplRequest } from '../../wire/http/query.js'
import type { Message } from '../../wire/http/tabular-result.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { followCursor, followInstant, repeatedCursor } from './by-cursor.js'
import { followCount, followTime } from './by-time.js'
import { cursorOf, type Page, type RowRange, rowsIn, total } from './page.js'
import type { Position, Step } from './position.js'
import { adaptivePageSize, FIRST_ROWS, newestRequest, type Paging, requestAt } from './request.js'

export interface Progress {
  readonly rows: number
  /** Repeated rows, which were skipped. */
  readonly repeated: number
  readonly pages: number
  readonly largest: number
  /** The total number of rows, if the service reports it. */
  readonly matched?: number
  /** True when the service could not read all data. */
  readonly isPartial: boolean
  /** True when only the total number of rows can prove the export complete and free of duplicates. */
  readonly isDoubtful: boolean
  /** True when there were more rows than requested. */
  readonly isCut: boolean
}

export const NO_PROGRESS: Progress = {
  rows: 0,
  repeated: 0,
  pages: 0,
  largest: 0,
  isPartial: false,
  isDoubtful: false,
  isCut: false,
}

export interface PagesOptions<A, P extends Page> {
  readonly paging: Paging
  /** Sends a request; rejects when the signal aborts. */
  readonly ask: (request: AplRequest, signal: AbortSignal) => Promise<A>
  /** Decodes a response; called after the previous page was processed. */
  readonly read: (response: A) => P
  readonly maxRows?: number | undefined
  /** The state of an earlier export to resume. */
  readonly from?: Omit<ExportState, 'end'> | undefined
  readonly signal?: AbortSignal
}

/** A state from which an export can resume. */
export interface ExportState {
  readonly position: Position
  readonly progress: Progress
  /** The end of the range, in nanoseconds since 1970, excluded. */
  readonly end: bigint
}

/** A page with its new rows, and the state after them. */
export interface PageOfRows<P extends Page> extends ExportState {
  readonly page: P
  readonly ranges: readonly RowRange[]
  readonly messages: readonly Message[]
}

/**
 * Yields the rows of a query, each once and in order, while the next page is in flight. Throws `PagingError` when the
 * responses contradict each other.
 */
export async function* pages<A, P extends Page>(
  options: PagesOptions<A, P>,
): AsyncGenerator<PageOfRows<P>, void, undefined> {
  const { ask, read, maxRows, from, signal } = options
  let { paging } = options
  let position: Position = from?.position ?? { kind: 'start' }
  let progress = from?.progress ?? NO_PROGRESS
  const cursors = new Set<string>()
  const stop = new AbortController()
  const giveUp = () => stop.abort()
  signal?.addEventListener('abort', giveUp)
  if (signal?.aborted) giveUp()
  let last: P | undefined
  let inFlight = send()
  try {
    while (inFlight !== undefined && position.kind !== 'end') {
      const { response, limit } = await inFlight
      const page = read(response)
      if (position.kind === 'start' && paging.isOpen && reachesEnd(page, paging)) {
        const { end } = paging
        paging = await closeRange(paging, { ask, read, signal: stop.signal })
        if (paging.end > end) {
          inFlight = send()
          continue
        }
      }
      const isComplete = progress.rows >= (progress.matched ?? Number.POSITIVE_INFINITY)
      const { largest, isDoubtful } = progress
      const found = follow(position, { page, limit, paging, isComplete, largest, isDoubtful })
      const step = cut(found, remaining())
      const matched = step.isRetried ? progress.matched : matchedBy(position, page, progress)
      const isCut = step !== found && (matched === undefined || matched > (maxRows ?? matched))
      progress = advanced(progress, page, { step, matched, isCut })
      position = step.position
      last = page
      inFlight = send()
      // Lets the request leave before the rows are processed.
      await nextTurn()
      const { messages = [] } = page.status
      const { end } = paging
      yield { page, ranges: step.ranges, messages, position, progress, end }
    }
  } finally {
    signal?.removeEventListener('abort', giveUp)
    giveUp()
  }

  function send(): ReturnType<typeof fetch> | undefined {
    if (position.kind === 'end') return undefined
    const response = fetch(position)
    // A failure is reported when the page is awaited, and ignored when the export ends before.
    response.catch(() => {})
    return response
  }

  async function fetch(at: Exclude<Position, { kind: 'end' }>) {
    const cursor = 'cursor' in at ? at.cursor : undefined
    const isTriedAgain = 'tries' in at && at.tries !== undefined && at.tries > 0
    if (cursor !== undefined && cursors.has(cursor) && !isTriedAgain) throw repeatedCursor(cursor)
    if (cursor !== undefined) cursors.add(cursor)
    const wanted = fewer(paging, at, { last, remaining: remaining() })
    return await fetchSome(at, wanted).catch((error: unknown) => {
      // After a change to long rows, a page may be more than the service can return.
      if (!paging.isAdaptive || wanted.pageSize <= FIRST_ROWS || stop.signal.aborted) throw error
      return fetchSome(at, { ...wanted, pageSize: FIRST_ROWS })
    })
  }

  async function fetchSome(at: Exclude<Position, { kind: 'end' }>, wanted: Paging) {
    const request = requestAt(at, wanted)
    return { response: await ask(request, stop.signal), limit: request.defaultLimit }
  }

  function remaining(): number {
    return (maxRows ?? Number.POSITIVE_INFINITY) - progress.rows
  }
}

/** True when events of the queried datasets may be later than the range: a service limits its report of their times to the range. */
function reachesEnd({ status }: Page, { end }: Paging): boolean {
  const newest = parseTimestamp(status.maxBlockTime)
  return newest !== undefined && newest >= end - 1n
}

/** Moves the end of an open range behind the newest row. */
export async function closeRange<A, P extends Page>(
  paging: Paging,
  { ask, read, signal }: Pick<PagesOptions<A, P>, 'ask' | 'read'> & { signal: AbortSignal },
): Promise<Paging> {
  const page = read(await ask(newestRequest(paging), signal))
  const end = page.rows === 0 ? paging.end : page.timeOf(0) + 1n
  return { ...paging, end: end > paging.end ? end : paging.end, isOpen: false }
}

/** Limits the size of the next page to the number of rows that are still wanted. */
function fewer(
  paging: Paging,
  position: Position,
  { last, remaining }: { readonly last: Page | undefined; readonly remaining: number },
): Paging {
  const known = position.kind === 'time' ? total(position.known) : 0
  return {
    ...paging,
    pageSize: Math.min(adaptivePageSize(position, last, paging), remaining + known),
  }
}

function follow(
  position: Exclude<Position, { kind: 'end' }>,
  arrival: Parameters<typeof followTime>[1],
): Step {
  const { page, paging, isDoubtful } = arrival
  const { direction } = paging
  switch (position.kind) {
    case 'start':
      return isByCursor(page, paging)
        ? followCursor(position, page, { direction, isDoubtful })
        : followTime(position, arrival)
    case 'time':
    case 'behind':
      return followTime(position, arrival)
    case 'count':
      return followCount(position, page)
    case 'instant':
      return followInstant(position, page, direction)
    case 'cursor':
      return followCursor(position, page, { direction, isDoubtful })
    default:
      return position satisfies never
  }
}

function isByCursor(page: Page, { by, direction }: Paging): boolean {
  return by === 'cursor' || (by === 'any' && cursorOf(page, direction) !== '')
}

/** Returns the total number of rows according to the latest page. */
function matchedBy(
  position: Position,
  { rows: given, status: { rowsMatched } }: Page,
  { rows, matched, isDoubtful }: Progress,
): number | undefined {
  if (position.kind === 'count' || position.kind === 'instant') return matched
  // Services report either the number of rows in the whole range, or the number of rows after the cursor.
  if (position.kind === 'cursor') return Math.max(matched ?? 0, rowsMatched) || undefined
  // A total that is based on an uncertain number of rows would prove nothing.
  if (isDoubtful && matched !== undefined) return matched
  if (rowsMatched === 0) return position.kind === 'start' && given === 0 ? 0 : matched
  if (position.kind === 'time' && position.widened > 0) return matched
  const before = position.kind === 'time' ? rows - total(position.known) : rows
  // A lower number would hide lost rows.
  return Math.max(matched ?? 0, before + rowsMatched)
}

function advanced(
  progress: Progress,
  page: Page,
  { step, matched, isCut }: { step: Step; matched: number | undefined; isCut: boolean },
): Progress {
  return {
    rows: progress.rows + rowsIn(step.ranges),
    repeated: progress.repeated + step.repeated,
    pages: progress.pages + 1,
    largest: Math.max(progress.largest, page.rows),
    matched,
    isPartial: progress.isPartial || page.status.isPartial,
    isDoubtful: progress.isDoubtful || step.isDoubtful === true,
    isCut,
  }
}

/** Ends an export at the requested number of rows; returns the step itself when more are wanted. */
function cut(step: Step, rows: number): Step {
  if (rowsIn(step.ranges) < rows) return step
  return { ...step, ranges: rowsUpTo(step.ranges, rows), position: { kind: 'end' } }
}

export function rowsUpTo(ranges: readonly RowRange[], rows: number): readonly RowRange[] {
  let left = rows
  return ranges.flatMap(({ from, to }) => {
    const end = Math.min(to, from + left)
    left -= end - from
    return end > from ? [{ from, to: end }] : []
  })
}
