// Reads any part of the rows of a query from a service, by cursor.

import type { Connection } from '../../../client/connection.js'
import { queryResponse, query as send } from '../../../client/query.js'
import { cellText } from '../../../render/cell.js'
import type { AplRequest } from '../../../wire/http/query.js'
import type { TabularResult } from '../../../wire/http/tabular-result.js'
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
import { rowsOf, type ViewColumn, type ViewRow } from './row.js'

/** The position of the rows to read. */
export type Place =
  | { readonly kind: 'start' | 'end' }
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
  readonly columns: readonly ViewColumn[]
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

interface ReadOptions {
  readonly limit: number
  readonly signal: AbortSignal
}

interface SourceOptions {
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

export function openRowSource({ connection, common, input, original, before }: SourceOptions) {
  async function ask(request: AplRequest, signal: AbortSignal): Promise<TabularResult> {
    const queryOptions = { disableStats: true, ...request.queryOptions }
    return await send(connection, { ...common, ...request, queryOptions }, { signal })
  }

  async function read(
    query: ViewQuery,
    part: Pick<AplRequest, 'cursor' | 'includeCursor'> & { readonly isBackward: boolean },
    { limit, signal }: ReadOptions,
  ) {
    const { isBackward, ...page } = part
    // The service of files can read rows backward, whatever their order is.
    const isReversed = isBackward && input !== undefined
    const apl = aplOf(query, isBackward && !isReversed ? 'desc' : 'asc')
    const queryOptions = isReversed ? { backward: true } : {}
    const paged = { ...page, includeCursorField: true, queryOptions, defaultLimit: limit }
    const { tables, status } = await ask({ apl, ...paged }, signal)
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

  /** Reads all rows of a query whose rows have no cursors. */
  async function readWhole(query: ViewQuery, signal: AbortSignal): Promise<RowsPage> {
    const { tables } = await ask({ apl: aplOf(query), defaultLimit: MOST_ROWS }, signal)
    return { ...rowsOf(tables[0]), hasStart: true, hasEnd: true, index: 0 }
  }

  async function readAround(query: ViewQuery, cursor: string, options: ReadOptions) {
    const half = { ...options, limit: Math.ceil(options.limit / 2) }
    const [before, from] = await Promise.all([
      read(query, { cursor, isBackward: true }, half),
      read(query, { cursor, includeCursor: true, isBackward: false }, half),
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
  async function readPassages(query: ViewQuery, place: Place, { limit, signal }: ReadOptions) {
    const around = contextOf(query)
    const atOnce = Math.ceil(limit / ROWS_OF_MATCH)
    const found = await page({ ...query, context: 0 }, place, { limit: atOnce, signal })
    const isLast = found.hasEnd || place.kind === 'before'
    const isFirst = found.hasStart || place.kind === 'after'
    // The first and the last match belong to the adjacent pages, up to which the passages of this page extend.
    const matches = found.rows.slice(isFirst ? 0 : 1, isLast ? undefined : -1)
    const events = withoutFilters(query)
    const rows = await passagesOf({
      matches,
      around,
      after: place.kind === 'after' ? place.cursor : isFirst ? undefined : found.rows[0]?.cursor,
      before:
        place.kind === 'before' ? place.cursor : isLast ? undefined : found.rows.at(-1)?.cursor,
      async read(cursor, { limit, ...part }) {
        return (await read(events, { cursor, ...part }, { limit, signal })).rows
      },
    })
    const wanted = found.rows[found.index]?.cursor
    const index = Math.max(
      0,
      rows.findIndex(({ cursor }) => cursor === wanted),
    )
    return { ...found, rows, index }
  }

  async function page(query: ViewQuery, place: Place, options: ReadOptions): Promise<RowsPage> {
    if (!isPaged(query)) return await readWhole(query, options.signal)
    if (contextOf(query) > 0) return await readPassages(query, place, options)
    const cursor = 'cursor' in place ? place.cursor : undefined
    switch (place.kind) {
      case 'start':
      case 'after': {
        const { isEnd, ...found } = await read(query, { cursor, isBackward: false }, options)
        return { ...found, hasStart: place.kind === 'start', hasEnd: isEnd, index: 0 }
      }
      case 'end':
      case 'before': {
        const { isEnd, ...found } = await read(query, { cursor, isBackward: true }, options)
        const index = found.rows.length - 1
        return { ...found, hasStart: isEnd, hasEnd: place.kind === 'end', index }
      }
      case 'around':
        return await readAround(query, place.cursor, options)
      case 'time': {
        const later = atFront(query, `where _time >= ${instantText(place.time)}`)
        const first = await read(later, { isBackward: false }, { ...options, limit: 1 })
        const cursor = first.rows[0]?.cursor
        if (cursor === undefined) return await page(query, { kind: 'end' }, options)
        return await readAround(query, cursor, options)
      }
      case 'distance': {
        const found = await cursorAt(query, place, options.signal)
        if (found !== undefined) return await readAround(query, found, options)
        return await page(query, { kind: place.by > 0 ? 'end' : 'start' }, options)
      }
      default:
        return place satisfies never
    }
  }

  /** Returns the cursor of a row at a distance; undefined when there are fewer rows. */
  async function cursorAt(
    query: ViewQuery,
    { cursor, by }: Pick<Distance, 'cursor' | 'by'>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    // Rows without their values are read faster.
    const bare = withOperator(query, 'project row = 1', { role: 'columns' })
    const isBackward = by < 0
    let last = cursor
    for (let left = Math.abs(by); left > 0; ) {
      const limit = Math.min(left, RESULT_ROWS)
      const part = { isBackward, ...(last !== undefined && { cursor: last }) }
      const { rows, isEnd } = await read(bare, part, { limit, signal })
      left -= rows.length
      last = rows.at(isBackward ? 0 : -1)?.cursor
      if (last === undefined || (isEnd && left > 0)) return undefined
    }
    return last
  }

  /** The cursors of matches that were read beyond a cursor, in the order of the search. */
  let matches:
    | { readonly key: string; readonly cursors: readonly (string | undefined)[] }
    | undefined

  /** Finds a row with a text after another one, or before it. Resolves with its cursor. */
  async function find(query: ViewQuery, search: Search, signal: AbortSignal) {
    const { operator, direction, from, nth } = search
    const found = withOperator(query, operator)
    const key = JSON.stringify([aplOf(found), direction])
    const at = matches?.key === key && from !== undefined ? matches.cursors.indexOf(from) : -1
    const later = at === -1 ? undefined : matches?.cursors[at + nth]
    if (later !== undefined) return later
    const isBackward = direction === 'previous'
    if (nth > 1) {
      return await cursorAt(found, { cursor: from, by: isBackward ? -nth : nth }, signal)
    }
    const part = { isBackward, ...(from !== undefined && { cursor: from }) }
    const { rows } = await read(found, part, { limit: FOUND_AT_ONCE, signal })
    const cursors = (isBackward ? rows.toReversed() : rows).map(({ cursor }) => cursor)
    // The first match only when the rows between it and the last one have no cursors.
    const known = cursors.slice(0, cursors.indexOf(undefined) + 1 || undefined)
    matches = { key, cursors: [from, ...known] }
    return cursors[0]
  }

  async function table(apl: string, limit: number, signal: AbortSignal) {
    const { tables } = await ask({ apl, defaultLimit: limit }, signal)
    return tables[0]
  }

  /** Runs any query, and returns the response as it is. */
  async function response(apl: string, limit: number, signal: AbortSignal) {
    return await queryResponse(connection, { ...common, apl, defaultLimit: limit }, { signal })
  }

  async function count(apl: string, signal: AbortSignal): Promise<number> {
    const { tables } = await ask({ apl: `${apl} | count` }, signal)
    return countIn(tables[0])
  }

  async function counts(query: ViewQuery, signal: AbortSignal): Promise<RowCounts> {
    if (!isPaged(query)) return { total: 0, kept: [] }
    const kept: (number | undefined)[] = []
    let latest = await count(unsortedApl(query, 0), signal)
    for (const [index, { isOn, role }] of query.operators.entries()) {
      if (!isOn || role !== 'filter') {
        kept.push(undefined)
        continue
      }
      const before = latest
      latest = await count(unsortedApl(query, index + 1), signal)
      kept.push(before - latest)
    }
    return { total: latest, kept }
  }

  /** Returns the number of rows in front of the first of `rows`; undefined when it can't be determined. */
  async function rank(query: ViewQuery, rows: readonly ViewRow[], signal: AbortSignal) {
    if (!isPaged(query) || contextOf(query) > 0) return undefined
    if (!query.isByTime) return await placeOf(query, rows[0]?.cursor)
    const times = rows.map(({ cells }) => cells.get('_time'))
    const index = times.findIndex((time, at) => at > 0 && time !== times[at - 1])
    const time = times[index]
    if (time === undefined) return undefined
    const earlier = atFront(query, `where _time < datetime(${cellText(time)})`)
    return (await count(unsortedApl(earlier), signal)) - index
  }

  /** Returns the number of events in front of one in the order of a file, whose events are all shown. */
  async function placeOf(query: ViewQuery, cursor: string | undefined) {
    const isAll = isWhole(query) && common.startTime === undefined && common.endTime === undefined
    return isAll && cursor !== undefined ? await before?.(cursor) : undefined
  }

  const known = cachedNames(connection)
  const names: Names = input === undefined ? known : { ...known, input, datasets: async () => [] }
  return { page, find, counts, names, table, response, rank, ...(original && { original }) }
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
