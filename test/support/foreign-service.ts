import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'
import type { AplRequest } from '../../src/wire/http/query.js'
import { formatTimestamp, parseTimestamp } from '../../src/wire/time/timestamp.js'

/** An event of the model; equal events may occur twice. */
export interface ForeignEvent {
  readonly time: bigint
  readonly text: string
}

/** The differences of a third-party service that matter to paging. */
export interface Foreign {
  readonly events: readonly ForeignEvent[]
  /** The maximum number of rows in a response. */
  readonly cap?: number
  /** The maximum number of rows in every third response, although there are more. */
  readonly short?: number
  readonly cursors?: 'none' | 'given' | 'with their row' | 'stuck' | 'in a circle'
  /** True when it reports the number of matching rows. */
  readonly isTold?: boolean
  /** True when it reports the time of its newest event, limited to the range. */
  readonly hasNewest?: boolean
  /** Rounds the bounds of the range down to this step, in nanoseconds. */
  readonly precision?: bigint
  /** Returns rows of the same instant in a different order each time. */
  readonly isShuffled?: boolean
  readonly isPartial?: boolean
  /** Adds a column to the rows from this request on. */
  readonly grownAt?: number
  /** True when it supports counting rows. */
  readonly canCount?: boolean
  /** Called before each response; a status other than 200 is the response. */
  readonly before?: (request: number) => number | undefined | Promise<undefined>
}

/** A third-party deployment on loopback, which follows the interface with differences. */
export async function foreignService() {
  let foreign: Foreign = { events: [] }
  const requests: AplRequest[] = []
  const server = createServer(async (request, response) => {
    const received = await text(request).catch(() => undefined)
    // The client is gone.
    if (received === undefined) return
    const body = JSON.parse(received) as AplRequest
    requests.push(body)
    // A client that sends this many requests would never end.
    const status = requests.length > 500 ? 418 : ((await foreign.before?.(requests.length)) ?? 200)
    response.writeHead(status, { 'content-type': 'application/json' })
    const canned =
      status === 200 ? answerOf(body, foreign, requests.length) : { code: status, message: 'No.' }
    response.end(JSON.stringify(canned))
  })
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    become(next: Foreign) {
      foreign = next
      requests.length = 0
    },
  }
}

function answerOf(request: AplRequest, foreign: Foreign, number: number): object {
  const { cap, short, cursors = 'none', isTold = true, isPartial = false } = foreign
  const isAscending = /sort by _time asc/.test(request.apl)
  const limit = Number(/limit (\d+)/.exec(request.apl)?.[1])
  const matching = inRange(request, foreign)
  if (/\| count$/.test(request.apl)) {
    return foreign.canCount === false ? tabular([], {}, {}) : counted(matching.length)
  }
  if (limit !== request.defaultLimit) throw new Error('two limits')
  const sign = isAscending ? 1 : -1
  const ordered = matching.toSorted((a, b) => {
    if (a.time !== b.time) return (a.time < b.time ? -1 : 1) * sign
    return foreign.isShuffled
      ? hash(a.place + number) - hash(b.place + number)
      : (a.place - b.place) * sign
  })
  const from =
    request.cursor === undefined || cursors === 'none'
      ? 0
      : ordered.findIndex(({ place }) => cursor(place) === request.cursor) +
        (cursors === 'with their row' ? 0 : 1)
  const isShort = short !== undefined && number % 3 === 0
  const most = Math.min(limit, cap ?? limit, isShort ? Math.max(short, 1) : limit)
  const page = ordered.slice(from, from + most)
  const places = page.map(({ place }) => place)
  const edge = { min: cursor(Math.min(...places)), max: cursor(Math.max(...places)) }
  const unchanged = { min: request.cursor ?? '', max: request.cursor ?? '' }
  const edges = page.length === 0 || (cursors === 'stuck' && request.cursor) ? unchanged : edge
  const circle =
    cursors === 'in a circle' && number > 2 ? { min: cursor(1), max: cursor(1) } : edges
  const { min, max } = cursors === 'none' ? { min: '', max: '' } : circle
  const isGrown = foreign.grownAt !== undefined && number >= foreign.grownAt
  return tabular(
    page,
    { isGrown },
    {
      minCursor: min,
      maxCursor: max,
      isPartial,
      ...(isTold && { rowsMatched: matching.length }),
      ...(foreign.hasNewest && { maxBlockTime: newestTime(request, foreign) }),
    },
  )
}

interface Placed extends ForeignEvent {
  /** Its position among all events, by time. */
  readonly place: number
}

function inRange(
  { startTime, endTime }: AplRequest,
  { events, precision = 1n }: Foreign,
): Placed[] {
  const bound = (text: string | undefined, otherwise: bigint) => {
    const time = text === undefined ? otherwise : (parseTimestamp(text) ?? otherwise)
    return time - (time % precision)
  }
  const [start, end] = [bound(startTime, 0n), bound(endTime, 2n ** 62n)]
  return events
    .toSorted((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    .map((event, place) => ({ ...event, place }))
    .filter(({ time }) => time >= start && time < end)
}

function newestTime({ endTime = '' }: AplRequest, { events }: Foreign): string {
  const end = parseTimestamp(endTime) ?? 2n ** 62n
  const newest = events.reduce((last, { time }) => (time > last ? time : last), 0n)
  return formatTimestamp(newest < end ? newest : end - 1n)
}

function tabular(
  page: readonly ForeignEvent[],
  { isGrown = false }: { readonly isGrown?: boolean },
  status: object,
): object {
  const times = page.map(({ time }) => formatTimestamp(time))
  const grown = isGrown ? [{ name: 'extra', type: 'integer' }] : []
  const fields = [...grown, { name: '_time', type: 'datetime' }, { name: 'text', type: 'string' }]
  const columns = [...(isGrown ? [page.map(() => 7)] : []), times, page.map(({ text }) => text)]
  return { format: 'tabular', status, tables: [{ name: '0', fields, columns }] }
}

function counted(count: number): object {
  const fields = [{ name: 'Count', type: 'integer' }]
  return { format: 'tabular', status: {}, tables: [{ name: '0', fields, columns: [[count]] }] }
}

function cursor(place: number): string {
  return `c${String(place).padStart(8, '0')}`
}

function hash(n: number): number {
  return ((n * 2_654_435_761) >>> 7) % 1_000_003
}
