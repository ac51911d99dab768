import { setTimeout as sleep } from 'node:timers/promises'
import type { Table } from '../../../wire/http/tabular-result.js'
import { type EventPosition, isBefore, isSame } from '../../around/event-position.js'
import type { Context } from '../../context.js'
import { countIn } from '../../query/ask-rows.js'
import { eachOnce } from '../../terminal/messages.js'
import { arrivedAfter, countBetween } from './apl.js'
import { type FollowOptions, queryRunner, type RunOptions } from './ask.js'
import { drain, eventsBefore, LONG_OVERLAP, openWindow, remember, SHORT_OVERLAP } from './before.js'
import { poll, SeenEvents } from './poll.js'

/** By time of arrival, then by event time. */
const ORDER = ['_sysTime', '_time'] as const

/**
 * Yields the selected events from before the start, oldest first, and then each new event once, as it arrives. An event
 * is new when it was not visible at the start, even if its event time is earlier.
 */
export async function* follow(options: FollowOptions, context: Context): AsyncIterable<Table> {
  const { apl, changing, intervalMs, allowedLateness: late, now, signal } = options
  const ask = queryRunner(options, context)
  const patient = (limit?: number): RunOptions => ({
    limit,
    startTime: late === undefined ? undefined : now() - late,
    retries: true,
  })
  const seen = new SeenEvents(changing)
  const places = new Watermarks()
  const before = await openWindow(apl, {
    ask,
    startTime: windowStart(options, patient().startTime),
  })
  const condition = arrivedAfter(before?.start)
  const common = { apl, order: ORDER, condition, seen, note: eachOnce(context.warn) }
  const page = (text: string, limit: number) => ask(text, patient(limit))
  const countOf = async (text: string) => countIn((await ask(text, patient())).tables[0])
  if (before !== undefined) {
    const { remembered } = before
    if (remembered !== undefined) {
      const search = { ...common, condition: remembered, ask: page, from: undefined }
      places.reach(await drain(poll(search)), now())
    }
    for await (const table of eventsBefore(before.watermark, options, { ...context, ask })) {
      remember(table, { seen, start: before.start })
      yield table
    }
  }
  while (!signal.aborted) {
    const askedAt = now()
    const { newest, settled } = places
    // Counting is cheap; reading the events again is not.
    const isWhole =
      newest === undefined ||
      (settled !== undefined && isSame(newest, settled)) ||
      (await countOf(countBetween(apl, { ...common, from: settled, to: newest }))) === seen.total
    places.reach(yield* poll({ ...common, ask: page, from: isWhole ? newest : settled }), now())
    // Based on the time of the request, because the connection may have been lost since then.
    const overlap = seen.total > LONG_OVERLAP.most ? SHORT_OVERLAP : LONG_OVERLAP
    places.settle(askedAt - overlap.ns)
    if (places.settled !== undefined) seen.forget(places.settled)
    await sleep(intervalMs, undefined, { signal }).catch(() => {})
  }
}

/** Returns the start of a range with all events that are shown at the start, which may be older than those that arrive. */
function windowStart({ since, last }: FollowOptions, recent: bigint | undefined) {
  if (last !== undefined) return since
  return since !== undefined && recent !== undefined && since < recent ? since : recent
}

/** The positions that polling has reached. */
class Watermarks {
  newest: EventPosition | undefined
  /** The watermark: no further events appear before it. */
  settled: EventPosition | undefined
  private readonly settling: { readonly at: bigint; readonly place: EventPosition }[] = []

  /** Notes the position that polling has reached by a time. */
  reach(place: EventPosition | undefined, at: bigint): void {
    if (place === undefined || (this.newest !== undefined && !isBefore(this.newest, place))) return
    this.newest = place
    this.settling.push({ at, place })
  }

  /** Advances the watermark to the last position that was reached by a time. */
  settle(by: bigint): void {
    while (this.settling[0] !== undefined && this.settling[0].at <= by) {
      this.settled = this.settling.shift()!.place
    }
  }
}
