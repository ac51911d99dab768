import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '../../client/connection.js'
import type { Table, TabularResult } from '../../wire/query.js'
import type { Context } from '../context.js'
import type { Params } from '../param.js'
import { arrivedAfter, arrivedBy, countBetween, lastArrival, newestBy } from './apl.js'
import { type Ask, type AskOptions, asker } from './ask.js'
import { isBefore, isSame, type Place } from './place.js'
import { Seen } from './seen.js'
import { sweep, timesOf, withRows } from './sweep.js'

/** What is followed, and from where on. */
interface FollowOptions {
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

/** How long after its arrival an event may come up: storing takes a while, and some more for large batches. */
const OVERLAP = 5_000_000_000n

/** Arrivals in order; where events arrived together, as they happened. */
const ORDER = ['_sysTime', '_time'] as const

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
  const common = { apl, order: ORDER, condition: arrivedAfter(floor), seen }
  const patient = (limit?: number): AskOptions => ({
    ...(limit && { limit }),
    startTime: late === undefined ? undefined : now() - late,
    isPatient: true,
  })
  /** The last place that was seen, and the one before which nothing will come up any more. */
  let newest: Place | undefined
  let settled: Place | undefined
  const settling: { readonly at: bigint; readonly place: Place }[] = []
  const note = once(context.note)
  while (!signal.aborted) {
    while (settling[0] !== undefined && settling[0].at + OVERLAP <= now()) {
      settled = settling.shift()!.place
      seen.forget(settled)
    }
    // To count is cheap, while to go through the events again is not.
    const isWhole =
      newest === undefined ||
      (settled !== undefined && isSame(newest, settled)) ||
      countIn(await ask(countBetween(apl, { ...common, from: settled, to: newest }), patient())) ===
        seen.total
    const from = isWhole ? newest : settled
    const last = yield* sweep({ ...common, from, note, ask: (text, n) => ask(text, patient(n)) })
    if (last !== undefined && (newest === undefined || isBefore(newest, last))) {
      newest = last
      settling.push({ at: now(), place: last })
    }
    await sleep(intervalMs, undefined, { signal }).catch(() => {})
  }
}

function countIn({ tables: [table] }: TabularResult): number {
  return Number(table?.columns[0]?.[0] ?? 0)
}

/** Says each text once. */
function once(note: (text: string) => void): (text: string) => void {
  const said = new Set<string>()
  return (text) => {
    if (!said.has(text)) note(text)
    said.add(text)
  }
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
    const { tables } = await ask(newestBy(apl, { until: floor, limit: last }), {
      limit: last,
      startTime: since,
    })
    for (const table of tables) yield reversed(table)
  } else if (since !== undefined) {
    const seen = new Seen()
    const condition = arrivedBy(floor)
    const page = (text: string, limit: number) => ask(text, { limit, startTime: since })
    const order = ['_time', '_sysTime'] as const
    const sought = { apl, order, condition, from: undefined, seen, isLast: true }
    yield* sweep({ ...sought, ask: page, note })
  }
}

function reversed(table: Table): Table {
  const rows = table.columns[0]?.length ?? 0
  return withRows(
    table,
    Array.from({ length: rows }, (_, index) => rows - 1 - index),
  )
}
