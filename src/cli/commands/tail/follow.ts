import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from '../../../wire/http/query.js'
import type { Context } from '../../context.js'
import { eachOnce } from '../../option/each-once.js'
import { arrivedAfter, countBetween } from './apl.js'
import { type FollowOptions, queryRunner, type RunOptions } from './ask.js'
import { countIn, drain, eventsBefore, OVERLAP_NS, openWindow, remember } from './before.js'
import { poll } from './poll.js'
import { type EventPosition, isBefore, isSame, SeenEvents } from './seen.js'

/** Arrivals in order; where events arrived together, as they happened. */
const ORDER = ['_sysTime', '_time'] as const

/**
 * Yields the events that are asked for from before, oldest first, and then each event as it arrives, once.
 * New is what was not there at the start: an event that arrives late, with a time of long ago, is new
 * too, and so is one that was being stored just then.
 */
export async function* follow(options: FollowOptions, context: Context): AsyncIterable<Table> {
  const { apl, intervalMs, allowedLateness: late, now, signal } = options
  const ask = queryRunner(options, context)
  const patient = (limit?: number): RunOptions => ({
    ...(limit && { limit }),
    startTime: late === undefined ? undefined : now() - late,
    retries: true,
  })
  const seen = new SeenEvents()
  const places = new Watermarks(now)
  const before = await openWindow(apl, { ask, startTime: patient().startTime })
  const condition = arrivedAfter(before?.start)
  const common = { apl, order: ORDER, condition, seen, note: eachOnce(context.warn) }
  const search = { ...common, ask: (text: string, limit: number) => ask(text, patient(limit)) }
  if (before !== undefined) {
    const { remembered } = before
    if (remembered !== undefined) {
      places.reach(await drain(poll({ ...search, condition: remembered, from: undefined })))
    }
    for await (const table of eventsBefore(before.watermark, options, { ...context, ask })) {
      remember(table, { seen, start: before.start })
      yield table
    }
  }
  while (!signal.aborted) {
    const askedAt = now()
    const { newest, settled } = places
    // To count is cheap, while to go through the events again is not.
    const isWhole =
      newest === undefined ||
      (settled !== undefined && isSame(newest, settled)) ||
      countIn(await ask(countBetween(apl, { ...common, from: settled, to: newest }), patient())) ===
        seen.total
    places.reach(yield* poll({ ...search, from: isWhole ? newest : settled }))
    // Only what was looked for after that time: a connection may have been lost meanwhile.
    places.settle(askedAt - OVERLAP_NS)
    if (places.settled !== undefined) seen.forget(places.settled)
    await sleep(intervalMs, undefined, { signal }).catch(() => {})
  }
}

/** How far the events were followed. */
class Watermarks {
  /** The last place that was reached. */
  newest: EventPosition | undefined
  /** The one before which nothing will come up any more. */
  settled: EventPosition | undefined
  private readonly settling: { readonly at: bigint; readonly place: EventPosition }[] = []
  private readonly now: () => bigint

  constructor(now: () => bigint) {
    this.now = now
  }

  reach(place: EventPosition | undefined): void {
    if (place === undefined || (this.newest !== undefined && !isBefore(this.newest, place))) return
    this.newest = place
    this.settling.push({ at: this.now(), place })
  }

  /** Takes the places as settled that had been reached by then. */
  settle(by: bigint): void {
    while (this.settling[0] !== undefined && this.settling[0].at <= by) {
      this.settled = this.settling.shift()!.place
    }
  }
}
