// The events that are there when following begins: some are shown, and some only remembered.
import type { Table, TabularResult } from '../../../wire/http/query.js'
import type { Context } from '../../context.js'
import { arrivedAfter, arrivedBy, countWhere, lastArrival, newestBy } from './apl.js'
import type { FollowOptions, RunQuery } from './ask.js'
import { poll, positionsOf, timesOf, withRows } from './poll.js'
import { type EventPosition, SeenEvents } from './seen.js'

/** How long after its arrival an event may come up: storing takes a while, and some more for large batches. */
export const OVERLAP_NS = 5_000_000_000n

/** To remember more events than these would take too long. */
const MAX_REMEMBERED = 50_000

/** Where following begins. */
interface PollWindow {
  /** When the last of the events there are arrived, by the service's clock. */
  readonly watermark: bigint
  /** What arrived after this is followed; of what is there of it already, each event is remembered. */
  readonly start: bigint
  /** The condition of these events, where there are any. */
  readonly remembered?: string
}

/** Finds the beginning; undefined where there are no events. */
export async function openWindow(
  apl: string,
  { ask, startTime }: { readonly ask: RunQuery; readonly startTime: bigint | undefined },
): Promise<PollWindow | undefined> {
  const floor = arrivalIn(await ask(lastArrival(apl), { startTime }))
  if (floor === undefined) return undefined
  // Some that arrived before may be on their way into the store, and come up between the others.
  const start = floor - OVERLAP_NS
  const remembered = `${arrivedAfter(start)} and ${arrivedBy(floor)}`
  const count = countIn(await ask(countWhere(apl, remembered), { startTime }))
  return count <= MAX_REMEMBERED
    ? { watermark: floor, start, remembered }
    : { watermark: floor, start: floor }
}

function arrivalIn({ tables: [table] }: TabularResult): bigint | undefined {
  const index = table?.fields.findIndex(({ name }) => name === 'arrived_') ?? -1
  const cell = table?.columns[index]?.[0] ?? 'null'
  if (table === undefined || cell === 'null') return undefined
  const fields = [{ name: '_sysTime', type: '' }]
  return timesOf({ ...table, fields, columns: [[cell]] }, '_sysTime')[0]
}

/** The number that a query for one gave. */
export function countIn({ tables: [table] }: TabularResult): number {
  return Number(table?.columns[0]?.[0] ?? 0)
}

/** Goes through events that nobody wants to see; returns the place of the last. */
export async function drain(
  events: AsyncGenerator<Table, EventPosition | undefined>,
): Promise<EventPosition | undefined> {
  for (;;) {
    const step = await events.next()
    if (step.done) return step.value
  }
}

/** The events from before that are asked for, oldest first. */
export async function* eventsBefore(
  floor: bigint,
  { apl, since, last }: FollowOptions,
  { ask, warn }: Pick<Context, 'warn'> & { readonly ask: RunQuery },
): AsyncIterable<Table> {
  if (last !== undefined) {
    const { tables } = await ask(newestBy(apl, { until: floor, limit: last }), {
      limit: last,
      startTime: since,
    })
    for (const table of tables) yield reversed(table)
  } else if (since !== undefined) {
    const seen = new SeenEvents()
    const condition = arrivedBy(floor)
    const page = (text: string, limit: number) => ask(text, { limit, startTime: since })
    const order = ['_time', '_sysTime'] as const
    const sought = { apl, order, condition, from: undefined, seen, isLast: true }
    yield* poll({ ...sought, ask: page, note: warn })
  }
}

function reversed(table: Table): Table {
  const rows = table.columns[0]?.length ?? 0
  return withRows(
    table,
    Array.from({ length: rows }, (_, index) => rows - 1 - index),
  )
}

/** What was shown of the events that are followed is not shown again. */
export function remember(
  table: Table,
  { seen, start }: { readonly seen: SeenEvents; readonly start: bigint },
): void {
  const places = positionsOf(table, ['_sysTime', '_time'])
  const rows = [...places.keys()].filter((row) => places[row]!.first > start)
  seen.addNew(
    withRows(table, rows),
    rows.map((row) => places[row]!),
  )
}
