// Reads any part of the rows of a query from a service, by cursor.

import type { Connection } from '../../../client/connection.js'
import { queryResponse, query as send } from '../../../client/query.js'
import { cellText } from '../../../render/cell.js'
import type { AplRequest } from '../../../wire/http/query.js'
import type { TableField, TabularResult } from '../../../wire/http/tabular-result.js'
import { RESULT_ROWS } from '../../../wire/limits.js'
import { countIn } from '../../query/ask-rows.js'
import { cachedNames, type Names } from '../../query/completion.js'
import { instantText } from '../../query/quoted-name.js'
import { passagesOf } from './context-rows.js'
import type { Original } from './original.js'
import {
  activeOperators,
  aplOf,
  contextOf,
  filterOf,
  isPaged,
  isWhole,
  unsortedApl,
  type ViewQuery,
  withOperator,
  withoutFilters,
} from './query.js'
import { rowsOf, type ViewRow } from './row.js'

/** The position of the rows to read. */
export type Place =
  /** The first row; the selected one when the rows of a table are read again. */
  | { readonly kind: 'start'; readonly isAgain?: boolean }
  | { readonly kind: 'end' }
  | { readonly kind: 'after' | 'before' | 'around'; readonly cursor: string }
  /** The first event at a time, in nanoseconds since 1970, or after it. */
  | { readonly kind: 'time'; readonly time: bigint }
  | Distance

/** The row that is a number of rows after the one with a cursor, or before it; without a cursor, from an end of all rows on. */
export interface Distance {
  readonly kind: 'distance'
  readonly cursor: string | undefined
  /** 1 for the next row, or for the first one of all; -1 for the previous row, or for the last one of all. */
  readonly by: number
  /** The index of the row among all rows, if it is known. */
  readonly index: number | undefined
}

/** Consecutive rows of a query. */
export interface RowsPage {
  readonly rows: readonly ViewRow[]
  readonly columns: readonly TableField[]
  /** True when it is known that no row precedes them. */
  readonly hasStart: boolean
  /** True when no row follows them. */
  readonly hasEnd: boolean
  /** The index of the row at the place. */
  readonly index: number
}

/** The number of rows of a query, and the numbers after each of its operators that are switched on. */
export interface RowCounts {
  readonly total: number
  readonly kept: readonly (number | undefined)[]
}

export type RowSource = ReturnType<typeof openRowSource>

/** A search for a condition in one direction. */
export interface Search {
  /** An operator that keeps the rows to find. */
  readonly operator: string
  readonly direction: 'next' | 'previous'
  /** The search starts beyond the row of this cursor; without a cursor, it includes all rows. */
  readonly from: string | undefined
  /** 1 for the next match, 2 for the one after it. */
  readonly nth: number
}

/** The rows to read: at most `limit` of them at a place, or a few more around matches. */
interface PageRequest {
  readonly query: ViewQuery
  readonly place: Place
  readonly limit: number
}

interface EventService {
  readonly connection: Connection
  /** The members that all requests share: the range of time and the parameters. */
  readonly common: Pick<AplRequest, 'startTime' | 'endTime' | 'variables'>
  /** The dataset with the events of files, which queries do not name. */
  readonly input?: string
  /** Returns the lines from which an event was read, by its cursor; missing for datasets. */
  original?(cursor: string): Promise<Original | undefined>
  /** Returns the number of events of files that were stored before the one with a cursor; missing for datasets. */
  before?(cursor: string): Promise<number>
}

/** The maximum number of rows of a query whose rows have no cursors. */
const MOST_ROWS = 10_000

/** The number of matches that are read at once. */
const FOUND_AT_ONCE = 50

/** One match and the events around it are read for this many rows that are requested. */
const ROWS_OF_MATCH = 10

export function openRowSource(service: EventService) {
  const { connection, common, input, original } = service
  const known = cachedNames(connection)
  const names: Names = input === undefined ? known : { ...known, input, datasets: async () => [] }
  /** The matches that were read last. */
  let matches: Matches | undefined
  const readerUntil = (signal: AbortSignal): Reader => ({
    isOfFiles: input !== undefined,
    async ask(request) {
      const queryOptions = { disableStats: true, ...request.queryOptions }
      return await send(connection, { ...common, ...request, queryOptions }, { signal })
    },
  })
  return {
    names,
    ...(original && { original }),
    page: (request: PageRequest, signal: AbortSignal) => readPage(readerUntil(signal), request),
    counts: (query: ViewQuery, signal: AbortSignal) => countRows(readerUntil(signal), query),
    /** Returns the number of rows in front of the first of `rows`; undefined when it can't be determined. */
    async rank(query: ViewQuery, rows: readonly ViewRow[], signal: AbortSignal) {
      if (!isPaged(query) || contextOf(query) > 0) return undefined
      if (query.isByTime) return await rankByTime(readerUntil(signal), query, rows)
      return await rankInFile(service, query, rows[0]?.cursor)
    },
    /** Finds a row with a text after another one, or before it. Resolves with its cursor. */
    async find(all: ViewQuery, search: Search, signal: AbortSignal) {
      const { operator, direction, from: cursor, nth } = search
      const query = withOperator(all, operator)
      const key = JSON.stringify([aplOf(query), direction])
      const at = matches?.key === key && cursor !== undefined ? matches.cursors.indexOf(cursor) : -1
      const later = at === -1 ? undefined : matches?.cursors[at + nth]
      if (later !== undefined) return later
      const reader = readerUntil(signal)
      const isBackward = direction === 'previous'
      if (nth > 1) return await cursorAt(reader, { query, cursor, by: isBackward ? -nth : nth })
      const part = { query, cursor, isBackward, limit: FOUND_AT_ONCE }
      const cursors = await readMatches(reader, part)
      matches = { key, cursors: [cursor, ...cursors] }
      return cursors[0]
    },
    async table(apl: string, limit: number, signal: AbortSignal) {
      return (await readerUntil(signal).ask({ apl, defaultLimit: limit })).tables[0]
    },
    /** Runs any query, and returns the response as it is. */
    response: (apl: string, limit: number, signal: AbortSignal) =>
      queryResponse(connection, { ...common, apl, defaultLimit: limit }, { signal }),
  }
}

/** Sends the requests for rows. */
interface Reader {
  ask(request: AplRequest): Promise<TabularResult>
  /** True for the service of files, which can read rows backward, whatever their order is. */
  readonly isOfFiles: boolean
}

async function readPage(reader: Reader, request: PageRequest): Promise<RowsPage> {
  const { query, place, limit } = request
  if (!isPaged(query)) return await readWhole(reader, query)
  if (contextOf(query) > 0) return await readPassages(reader, request)
  const at = (other: Place) => readPage(reader, { ...request, place: other })
  switch (place.kind) {
    case 'start':
    case 'after':
    case 'end':
    case 'before': {
      const isBackward = place.kind === 'end' || place.kind === 'before'
      const cursor = 'cursor' in place ? place.cursor : undefined
      const { isEnd, ...found } = await read(reader, { query, cursor, isBackward, limit })
      return {
        ...found,
        hasStart: place.kind === 'start' || (isBackward && isEnd),
        hasEnd: place.kind === 'end' || (!isBackward && isEnd),
        index: isBackward ? found.rows.length - 1 : 0,
      }
    }
    case 'around':
      return await readAround(reader, { query, cursor: place.cursor, limit })
    case 'time': {
      const later = atFront(query, `where _time >= ${instantText(place.time)}`)
      const part = { query: later, isBackward: false, limit: 1 }
      const cursor = (await read(reader, part)).rows[0]?.cursor
      return await at(cursor === undefined ? { kind: 'end' } : { kind: 'around', cursor })
    }
    case 'distance': {
      const cursor = await cursorAt(reader, { query, ...place })
      if (cursor !== undefined) return await at({ kind: 'around', cursor })
      return await at({ kind: place.by > 0 ? 'end' : 'start' })
    }
    default:
      return place satisfies never
  }
}

/** Reads all rows of a query whose rows have no cursors. */
async function readWhole(reader: Reader, query: ViewQuery): Promise<RowsPage> {
  const { tables } = await reader.ask({ apl: aplOf(query), defaultLimit: MOST_ROWS })
  return { ...rowsOf(tables[0]), hasStart: true, hasEnd: true, index: 0 }
}

/** Reads the row with a cursor and the rows on both sides of it. */
async function readAround(
  reader: Reader,
  { query, cursor, limit }: Omit<PageRequest, 'place'> & { readonly cursor: string },
): Promise<RowsPage> {
  const half = { query, cursor, limit: Math.ceil(limit / 2) }
  const [before, from] = await Promise.all([
    read(reader, { ...half, isBackward: true }),
    read(reader, { ...half, includeCursor: true, isBackward: false }),
  ])
  return {
    rows: [...before.rows, ...from.rows],
    columns: from.columns.length > 0 ? from.columns : before.columns,
    hasStart: before.isEnd,
    hasEnd: from.isEnd,
    index: before.rows.length,
  }
}

/** Reads matches and the events around them. */
async function readPassages(
  reader: Reader,
  { query, place, limit }: PageRequest,
): Promise<RowsPage> {
  const bare = { query: { ...query, context: 0 }, place, limit: Math.ceil(limit / ROWS_OF_MATCH) }
  const found = await readPage(reader, bare)
  const isLast = found.hasEnd || place.kind === 'before'
  const isFirst = found.hasStart || place.kind === 'after'
  const events = withoutFilters(query)
  const rows = await passagesOf({
    // The first and the last match belong to the adjacent pages, up to which the passages of this page extend.
    matches: found.rows.slice(isFirst ? 0 : 1, isLast ? undefined : -1),
    around: contextOf(query),
    after: place.kind === 'after' ? place.cursor : isFirst ? undefined : found.rows[0]?.cursor,
    before: place.kind === 'before' ? place.cursor : isLast ? undefined : found.rows.at(-1)?.cursor,
    async read(cursor, part) {
      return (await read(reader, { query: events, cursor, ...part })).rows
    },
  })
  const wanted = found.rows[found.index]?.cursor
  const index = rows.findIndex(({ cursor }) => cursor === wanted)
  return { ...found, rows, index: Math.max(0, index) }
}

/** Returns the cursor of a row at a distance; undefined when there are fewer rows. */
async function cursorAt(
  reader: Reader,
  { query, cursor, by }: Pick<Distance, 'cursor' | 'by'> & { readonly query: ViewQuery },
): Promise<string | undefined> {
  // Rows without their values are read faster.
  const bare = withOperator(query, 'project row = 1', { role: 'columns' })
  const isBackward = by < 0
  let last = cursor
  for (let left = Math.abs(by); left > 0; ) {
    const limit = Math.min(left, RESULT_ROWS)
    const { rows, isEnd } = await read(reader, { query: bare, cursor: last, isBackward, limit })
    left -= rows.length
    last = rows.at(isBackward ? 0 : -1)?.cursor
    if (last === undefined || (isEnd && left > 0)) return undefined
  }
  return last
}

/** The cursors of matches that were read beyond a cursor, which is the first one, in the order of the search. */
interface Matches {
  /** The query and the direction. */
  readonly key: string
  readonly cursors: readonly (string | undefined)[]
}

/** Returns the cursors of matches; only the first one when the rows between it and the last one have no cursors. */
async function readMatches(reader: Reader, part: Part): Promise<Matches['cursors']> {
  const { rows } = await read(reader, part)
  const cursors = (part.isBackward ? rows.toReversed() : rows).map((row) => row.cursor)
  return cursors.slice(0, cursors.indexOf(undefined) + 1 || undefined)
}

/** Counts the rows of a query, and the rows after each of its operators. */
async function countRows(reader: Reader, query: ViewQuery): Promise<RowCounts> {
  if (!isPaged(query)) return { total: 0, kept: [] }
  const kept: (number | undefined)[] = []
  let latest = await count(reader, unsortedApl(query, 0))
  for (const [index, { isOn, role }] of query.operators.entries()) {
    const isFilter = isOn && role === 'filter'
    const before = latest
    if (isFilter) latest = await count(reader, unsortedApl(query, index + 1))
    kept.push(isFilter ? before - latest : undefined)
  }
  return { total: latest, kept }
}

/** Returns the number of rows in front of the first one, whose time is the time of others; undefined without a later time. */
async function rankByTime(
  reader: Reader,
  query: ViewQuery,
  rows: readonly ViewRow[],
): Promise<number | undefined> {
  const times = rows.map(({ cells }) => cells.get('_time'))
  const index = times.findIndex((time, at) => at > 0 && time !== times[at - 1])
  const time = times[index]
  if (time === undefined) return undefined
  const earlier = atFront(query, `where _time < datetime(${cellText(time)})`)
  return (await count(reader, unsortedApl(earlier))) - index
}

/** Returns the number of events in front of one in the order of a file, whose events are all shown. */
async function rankInFile(
  { common, before }: EventService,
  query: ViewQuery,
  cursor: string | undefined,
): Promise<number | undefined> {
  const isAll = isWhole(query) && common.startTime === undefined && common.endTime === undefined
  return isAll && cursor !== undefined ? await before?.(cursor) : undefined
}

/** A part of the rows of a query. */
interface Part extends Pick<AplRequest, 'cursor' | 'includeCursor'> {
  readonly query: ViewQuery
  readonly isBackward: boolean
  readonly limit: number
}

/** Reads rows after a cursor, or before it; in the order of the query in both cases. */
async function read(reader: Reader, part: Part) {
  const { query, isBackward, limit, ...page } = part
  const isReversed = isBackward && reader.isOfFiles
  const apl = aplOf(query, isBackward && !isReversed ? 'desc' : 'asc')
  const queryOptions = isReversed ? { backward: true } : {}
  const paged = { ...page, includeCursorField: true, queryOptions, defaultLimit: limit }
  const { tables, status } = await reader.ask({ apl, ...paged })
  const { rows, columns } = rowsOf(tables[0])
  const ends = isBackward
    ? [status.maxCursor, status.minCursor]
    : [status.minCursor, status.maxCursor]
  const placed = withCursors(rows, ends)
  // Some services begin a page with the row of the cursor.
  const isRepeated =
    page.cursor !== undefined && !page.includeCursor && placed[0]?.cursor === page.cursor
  const fresh = isRepeated ? placed.slice(1) : placed
  return {
    rows: isBackward ? fresh.toReversed() : fresh,
    columns,
    isEnd: rows.length < limit,
  }
}

async function count(reader: Reader, apl: string): Promise<number> {
  const { tables } = await reader.ask({ apl: `${apl} | count` })
  return countIn(tables[0])
}

/** Returns the query with a filter in front of its operators, so that it works even if the query does not select the time. */
function atFront(query: ViewQuery, text: string): ViewQuery {
  return { ...query, operators: [filterOf(text), ...activeOperators(query)] }
}

/** Gives the first and the last row of a page the cursors in the status of the response, when the rows have no cursors. */
function withCursors(
  rows: readonly ViewRow[],
  [first = '', last = '']: readonly string[],
): readonly ViewRow[] {
  if (rows.length === 0 || rows[0]?.cursor !== undefined || first === '') return rows
  return rows.map((row, index) => {
    if (index === rows.length - 1) return { ...row, cursor: last }
    return index === 0 ? { ...row, cursor: first } : row
  })
}
