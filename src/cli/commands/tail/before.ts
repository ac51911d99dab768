// The events present at the start: some are shown, others only remembered so that they are not shown later.

import { columnOf, type Table, type TabularResult } from '../../../wire/http/tabular-result.js'
import { timeOfCell } from '../../../wire/time/timestamp.js'
import {
  type EventPosition,
  missingTimes,
  positionsOf,
  withRows,
} from '../../around/event-position.js'
import type { Context } from '../../context.js'
import { countIn } from '../../query/ask-rows.js'
import { arrivedAfter, arrivedBy, countWhere, lastArrival, newestBy } from './apl.js'
import type { FollowOptions, RunQuery } from './ask.js'
import { poll, SeenEvents } from './poll.js'

/** The time within which an event becomes visible to queries after its arrival. Events of this time are remembered. */
interface Overlap {
  readonly ns: bigint
  /** The maximum number of events at the start: reading more would take too long. */
  readonly mostAtStart: number
  /** The maximum number of events later: more would take too much memory. */
  readonly most?: number
}

/** Large batches and busy services need the long time. When it has too many events, the short time is used. */
export const LONG_OVERLAP = {
  ns: 60_000_000_000n,
  mostAtStart: 10_000,
  most: 50_000,
} as const satisfies Overlap
export const SHORT_OVERLAP: Overlap = { ns: 5_000_000_000n, mostAtStart: 50_000 }

/**
 * Determines which events are polled: events that arrived after `start`. The events already present, which `remembered` selects
 * unless there are too many, are remembered. `watermark` is the latest arrival at the start, by the clock of the service.
 * Resolves to `undefined` when there are no events.
 */
export async function openWindow(
  apl: string,
  { ask, startTime }: { readonly ask: RunQuery; readonly startTime: bigint | undefined },
) {
  const floor = arrivalIn(await ask(lastArrival(apl), { startTime }))
  if (floor === undefined) return undefined
  // Events that arrived earlier may become visible later, between other events.
  for (const { ns, mostAtStart } of [LONG_OVERLAP, SHORT_OVERLAP]) {
    const start = floor - ns
    const remembered = `${arrivedAfter(start)} and ${arrivedBy(floor)}`
    const { tables } = await ask(countWhere(apl, remembered), { startTime })
    if (countIn(tables[0]) <= mostAtStart) return { watermark: floor, start, remembered }
  }
  return { watermark: floor, start: floor }
}

function arrivalIn({ tables: [table] }: TabularResult): bigint | undefined {
  const cell = columnOf(table, 'arrived_')?.[0] ?? 'null'
  if (cell === 'null') return undefined
  const time = timeOfCell(cell)
  if (time === undefined) throw missingTimes()
  return time
}

/** Discards events; returns the position of the last one. */
export async function drain(
  events: AsyncGenerator<Table, EventPosition | undefined>,
): Promise<EventPosition | undefined> {
  for (;;) {
    const step = await events.next()
    if (step.done) return step.value
  }
}

/** Yields the events before the watermark that `--since` or `-n` selects, oldest first. */
export async function* eventsBefore(
  floor: bigint,
  { apl, changing, since, last }: FollowOptions,
  { ask, warn }: Pick<Context, 'warn'> & { readonly ask: RunQuery },
): AsyncIterable<Table> {
  if (last !== undefined) {
    const { tables } = await ask(newestBy(apl, { until: floor, limit: last }), {
      limit: last,
      startTime: since,
    })
    for (const table of tables) yield reversed(table)
  } else if (since !== undefined) {
    const seen = new SeenEvents(changing)
    const condition = arrivedBy(floor)
    const page = (text: string, limit: number) => ask(text, { limit, startTime: since })
    const order = ['_time', '_sysTime'] as const
    const from = undefined
    yield* poll({ apl, order, condition, from, seen, isFinal: true, ask: page, note: warn })
  }
}

function reversed(table: Table): Table {
  const rows = table.columns[0]?.length ?? 0
  return withRows(
    table,
    Array.from({ length: rows }, (_, index) => rows - 1 - index),
  )
}

/** Remembers events that were shown, so that polling does not show them again. */
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
