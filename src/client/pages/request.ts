import { LAST_TIME } from '../../wire/event/event-time.js'
import type { AplRequest } from '../../wire/http/query.js'
import { RESULT_ROWS } from '../../wire/limits.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { type Direction, type Page, total } from './page.js'
import type { Position } from './position.js'

/** An export of all rows of a query in pages. */
export interface Paging {
  /** The query without order and limit, and the members that are the same for all pages. */
  readonly request: AplRequest
  /** `any`: by cursor if the first page has cursors, by time otherwise. */
  readonly by: 'time' | 'cursor' | 'any'
  readonly direction: Direction
  /** The number of rows per request. */
  readonly pageSize: number
  /** Adapts the page size to the length of the rows and starts with a small page: `adaptivePageSize`. */
  readonly isAdaptive?: boolean
  /** True when pages whose rows have cursors may be short, so that the service can read all of them in one scan. */
  readonly shortPages?: boolean
  /** The time range of the export, in nanoseconds since 1970; `end` is excluded. */
  readonly start?: bigint | undefined
  readonly end: bigint
  /** True when `end` is the present, and events with later times belong to the export, too. */
  readonly isOpen?: boolean
}

/** Nanoseconds by which the range is widened when the rows at its edge are missing: some services round time bounds. */
export const WIDENING_STEPS: readonly bigint[] = [0n, 1_000n, 1_000_000n, 1_000_000_000n]

export function joinedQuery(apl: string, ...operators: readonly string[]): string {
  // A comment may end the query.
  const joint = apl.includes('//') ? '\n' : ' '
  return [apl, ...operators].join(`${joint}| `)
}

export function requestAt(
  position: Exclude<Position, { kind: 'end' }>,
  paging: Paging,
): AplRequest & { readonly defaultLimit: number } {
  const { request, direction, shortPages } = paging
  const limit = limitAt(position, paging)
  const apl =
    position.kind === 'count'
      ? joinedQuery(request.apl, 'count')
      : joinedQuery(request.apl, `sort by _time ${direction}`, `limit ${limit}`)
  const { start, end } = rangeAt(position, paging)
  return {
    ...request,
    apl,
    ...(start !== undefined && { startTime: formatTimestamp(start) }),
    endTime: formatTimestamp(end),
    defaultLimit: limit,
    ...cursorAt(position),
    ...(mayBeShort(position, paging) && {
      queryOptions: { ...request.queryOptions, shortPages },
    }),
  }
}

/** Returns the request for the newest row after the range. */
export function newestRequest(paging: Paging): AplRequest {
  const after = { start: paging.end, end: LAST_TIME }
  return requestAt(
    { kind: 'start' },
    { ...paging, ...after, by: 'time', direction: 'desc', pageSize: 1 },
  )
}

/** True when a page may have fewer rows than its limit, although more follow. Without cursors, a short page is the last one. */
function mayBeShort({ kind }: Position, { by, shortPages }: Paging): boolean {
  return shortPages === true && (kind === 'cursor' || (kind === 'start' && by !== 'time'))
}

/** Returns the number of rows to request, which is greater than the number of rows that will be repeated. */
function limitAt(position: Position, { pageSize }: Paging): number {
  // The page needs room for a new row in addition to the row of the cursor, which some services repeat.
  if (position.kind === 'instant' || position.kind === 'cursor') return Math.max(pageSize, 2)
  if (position.kind !== 'time') return pageSize
  const known = total(position.known)
  // The rows of an instant are repeated on each of its pages: growth by a constant would take quadratic time.
  const doubled = Math.min(known * 2, RESULT_ROWS)
  const needed = known * 2 <= pageSize ? pageSize : Math.max(known + pageSize, doubled)
  return Math.max(needed, position.limit ?? 0)
}

function rangeAt(position: Position, paging: Paging): Pick<Paging, 'start' | 'end'> {
  const { start, end, direction } = paging
  switch (position.kind) {
    case 'start':
    case 'cursor':
    case 'end':
      return { start, end }
    case 'count':
      if (position.of === 'rest') return rangeAt({ ...position, kind: 'time' }, paging)
      return { start: position.at, end: position.at + 1n }
    case 'time': {
      const wider = WIDENING_STEPS[position.widened] ?? 0n
      if (direction === 'asc') return { start: later(position.at - wider, start), end }
      const until = position.at + 1n + wider
      return { start, end: until < end ? until : end }
    }
    case 'instant':
      return { start: position.at, end: position.at + 1n }
    case 'behind':
      return direction === 'asc' ? { start: position.at + 1n, end } : { start, end: position.at }
    default:
      return position satisfies never
  }
}

function later(time: bigint, bound: bigint | undefined): bigint {
  return bound !== undefined && bound > time ? bound : time
}

function cursorAt(position: Position): Pick<AplRequest, 'cursor' | 'includeCursor'> {
  const cursor = 'cursor' in position ? position.cursor : undefined
  return cursor === undefined ? {} : { cursor, includeCursor: false }
}

/** The number of rows of the first page, which is small because a user may be waiting for it. */
export const FIRST_ROWS = 1_000

/** The target size of a page of long rows. */
const PAGE_BYTES = 16 * 1024 * 1024

/**
 * Returns the size of the page at a position. An adaptive size is the number of rows that fit into 16 MiB, estimated from the last page,
 * unless the service limits the length of its pages.
 */
export function adaptivePageSize(
  position: Position,
  last: Pick<Page, 'rows' | 'bytes' | 'isBounded'> | undefined,
  paging: Paging,
): number {
  const { pageSize, isAdaptive } = paging
  if (isAdaptive !== true || last?.isBounded) return pageSize
  if (position.kind === 'start' && mayBeShort(position, paging)) return pageSize
  if (last === undefined || last.rows === 0) return Math.min(FIRST_ROWS, pageSize)
  const fitting = Math.floor(PAGE_BYTES / (last.bytes / last.rows))
  return Math.min(Math.max(fitting, 1), pageSize)
}
