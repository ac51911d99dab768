import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../client/connection.js'
import { ApiError } from '../../client/error.js'
import { query } from '../../client/query.js'
import { DEFAULT_RETRY, type RetryPolicy } from '../../client/retry.js'
import type { Table, TabularResult } from '../../wire/query.js'
import { formatTimestamp } from '../../wire/timestamp.js'
import type { Context } from '../context.js'
import type { Params } from '../param.js'
import { QueryError } from '../query/error.js'
import { arrivedAfter, arrivedBy, lastArrival, newest, type Place } from './apl.js'
import { Seen } from './seen.js'
import { sweep, timesOf, withoutTimes, withRows } from './sweep.js'

/** What is followed, and from where on. */
export interface FollowOptions {
  readonly connection: Connection
  readonly apl: string
  readonly params?: Params | undefined
  /** Begin with the events since then; nanoseconds since 1970. */
  readonly since: bigint | undefined
  /** Begin with so many of the newest events. */
  readonly last: number | undefined
  readonly intervalMs: number
  /** How long before its arrival an event may have been, nanoseconds; nothing for any time. */
  readonly late: bigint | undefined
  now(): bigint
  readonly signal: AbortSignal
}

/** An event may be seen later than one that arrived after it, by about as long as storing takes. */
const OVERLAP = 10_000_000_000n

/**
 * Yields the events that are asked for from before, oldest first, and then each event as it arrives, once.
 * New is what arrived after all that was there at the start, by the service's clock: an event that
 * arrives late, with a time of long ago, is new too.
 */
export async function* follow(options: FollowOptions, context: Context): AsyncIterable<Table> {
  const { apl, intervalMs, late, now, signal } = options
  const ask = asker(options, context)
  const floor = await arrivedLast(options, ask)
  yield* eventsBefore(floor, options, { ...context, ask })
  const seen = new Seen()
  const condition = arrivedAfter(floor)
  const common = { apl, order: ['_sysTime', '_time'], condition, seen, note: context.note } as const
  for (let newestArrival: bigint | undefined; !signal.aborted; ) {
    const from = newestArrival === undefined ? undefined : startOf(newestArrival)
    if (from !== undefined) seen.forget(from.first)
    const startTime = late === undefined ? undefined : now() - late
    const last = yield* sweep({
      ...common,
      from,
      ask: (text, limit) => ask(text, { limit, startTime, isPatient: true }),
    })
    // What has a time of its own far in the past moves the place on within one sweep only.
    if (last !== undefined && (newestArrival ?? last.first) <= last.first) {
      newestArrival = last.first
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => {})
  }
}

/** All times of the instants from which on events may still come up. */
function startOf(newestArrival: bigint): Place {
  return { first: newestArrival - OVERLAP, second: FIRST_TIME }
}

/** 1900, before which no event has its time. */
const FIRST_TIME = -2_208_988_800_000_000_000n

interface AskOptions {
  readonly limit?: number
  readonly startTime?: bigint | undefined
  /** Goes on trying while the deployment can't be reached. */
  readonly isPatient?: boolean
}

type Ask = (text: string, options: AskOptions) => Promise<TabularResult>

function asker({ connection, apl, params, signal }: FollowOptions, { note, say }: Context): Ask {
  let isLost = false
  const patient: RetryPolicy = {
    ...DEFAULT_RETRY,
    attempts: Number.POSITIVE_INFINITY,
    patienceMs: Number.POSITIVE_INFINITY,
    onRetry({ reason }) {
      if (!isLost) note(`No answer (${reason}); it is asked again until there is one.`)
      isLost = true
    },
  }
  return async (text, { limit, startTime, isPatient }) => {
    const request = {
      apl: text,
      ...(startTime !== undefined && { startTime: formatTimestamp(startTime) }),
      ...(limit && { defaultLimit: limit }),
      ...(params && { variables: params }),
    }
    try {
      const answer = await query(connection, request, {
        signal,
        ...(isPatient && { retry: patient }),
      })
      if (isLost) say('There are answers again.')
      isLost = false
      return answer
    } catch (error) {
      throw error instanceof ApiError ? refusalOf(error, apl) : error
    }
  }
}

/** What is wrong with the part that nobody wrote is that the query leaves nothing to follow. */
function refusalOf(error: ApiError, apl: string): Error {
  const isOwn = error.problems?.some(({ span }) => span.end > apl.length) ?? false
  const isWritten = error.problems?.some(({ span }) => span.end <= apl.length) ?? false
  return isOwn && !isWritten ? withoutTimes() : new QueryError(apl, error)
}

/** When the last event of those that are there arrived, by the service's clock. */
async function arrivedLast(
  { apl, late, now }: FollowOptions,
  ask: Ask,
): Promise<bigint | undefined> {
  const startTime = late === undefined ? undefined : now() - late
  const { tables } = await ask(lastArrival(apl), { startTime })
  const [table] = tables
  const index = table?.fields.findIndex(({ name }) => name === 'arrived_') ?? -1
  const cell = table?.columns[index]?.[0] ?? 'null'
  if (table === undefined || cell === 'null') return undefined
  return timesOf(
    { ...table, fields: [{ name: '_sysTime', type: '' }], columns: [[cell]] },
    '_sysTime',
  )[0]
}

async function* eventsBefore(
  floor: bigint | undefined,
  { apl, since, last }: FollowOptions,
  { ask, note }: Pick<Context, 'note'> & { readonly ask: Ask },
): AsyncIterable<Table> {
  if (floor === undefined) return
  if (last !== undefined) {
    const { tables } = await ask(newest(apl, { until: floor, limit: last }), {
      limit: last,
      startTime: since,
    })
    for (const table of tables) yield reversed(table)
  } else if (since !== undefined) {
    const seen = new Seen()
    const condition = arrivedBy(floor)
    const page = (text: string, limit: number) => ask(text, { limit, startTime: since })
    const order = ['_time', '_sysTime'] as const
    yield* sweep({ apl, order, condition, from: undefined, seen, ask: page, note })
  }
}

function reversed(table: Table): Table {
  const rows = table.columns[0]?.length ?? 0
  return withRows(
    table,
    Array.from({ length: rows }, (_, index) => rows - 1 - index),
  )
}
