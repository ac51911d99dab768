import type { AplRequest } from '../../wire/http/query.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { type Direction, type Page, total } from './page.js'
import type { Position } from './position.js'

/** All rows of a query, as they are asked for: a page at a time. */
export interface Paging {
  /** The query without order and limit, and everything else that is the same for each page. */
  readonly request: AplRequest
  readonly by: 'time' | 'cursor'
  readonly direction: Direction
  /** How many rows a request asks for. */
  readonly pageSize: number
  /** Whether the first requests ask for fewer, and those for long rows: `growing.ts`. */
  readonly isAdaptive?: boolean
  /** The bounds of the whole export, in nanoseconds since 1970; the end is not within them. */
  readonly start?: bigint | undefined
  readonly end: bigint
}

/**
 * Nanoseconds by which the range is made wider when the rows at its edge do not come back: some
 * services round its bounds to what their clocks can tell.
 */
export const WIDENING_STEPS: readonly bigint[] = [0n, 1_000n, 1_000_000n, 1_000_000_000n]

/** The request that finds the rows behind a position. */
export function requestAt(
  position: Exclude<Position, { kind: 'end' }>,
  paging: Paging,
): AplRequest & { readonly defaultLimit: number } {
  const { request, direction } = paging
  const limit = limitAt(position, paging)
  const joint = request.apl.includes('//') ? '\n' : ' '
  const apl =
    position.kind === 'count'
      ? `${request.apl}${joint}| count`
      : `${request.apl}${joint}| sort by _time ${direction}${joint}| limit ${limit}`
  const { start, end } = rangeAt(position, paging)
  return {
    ...request,
    apl,
    ...(start !== undefined && { startTime: formatTimestamp(start) }),
    endTime: formatTimestamp(end),
    defaultLimit: limit,
    ...cursorAt(position),
  }
}

/** How many rows are asked for: always some more than those that are known to come again. */
function limitAt(position: Position, { pageSize }: Paging): number {
  // Beside the row of the cursor, which some services give again, there has to be room for a new one.
  if (position.kind === 'instant' || position.kind === 'cursor') return Math.max(pageSize, 2)
  if (position.kind !== 'time') return pageSize
  const known = total(position.known)
  const needed = known * 2 <= pageSize ? pageSize : known + pageSize
  return Math.max(needed, position.limit ?? 0)
}

interface Range {
  readonly start: bigint | undefined
  readonly end: bigint
}

function rangeAt(position: Position, paging: Paging): Range {
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

/** The first page is for the reader who waits for it. */
export const FIRST_ROWS = 1_000

/** What a page of long rows has in memory. */
const PAGE_BYTES = 16 * 1024 * 1024

/** How many rows the next request asks for, where pages grow: as many as fit, by what the last page had. */
export function adaptivePageSize(
  last: Pick<Page, 'rows' | 'bytes'> | undefined,
  { pageSize, isAdaptive }: Paging,
): number {
  if (isAdaptive !== true) return pageSize
  if (last === undefined || last.rows === 0) return Math.min(FIRST_ROWS, pageSize)
  const fitting = Math.floor(PAGE_BYTES / (last.bytes / last.rows))
  return Math.min(Math.max(fitting, 1), pageSize)
}
