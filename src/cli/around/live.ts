// Selects matches and the events around them from events in the order of arrival, which are stored, in files, or just arriving.

import type { Around } from './options.js'
import type { EventCells, ShownEvent } from './table.js'

/** An event to print; `isApart` when it does not follow the event printed before it. */
export interface LiveEvent extends ShownEvent {
  readonly isApart: boolean
}

/** The latest events of one source. */
interface Source {
  /** The number of events so far. */
  count: number
  /** The last events that were not printed, oldest first. */
  readonly unprinted: { readonly event: EventCells; readonly number: number }[]
  /** The number of further events to print after the last match. */
  following: number
}

/** The maximum number of sources whose events are remembered. */
const MOST_SOURCES = 10_000

/** Selects matches and the events around them from events in the order of their arrival. */
export class LiveContext {
  private readonly around: Around
  private readonly sources = new Map<string, Source>()
  private last: { readonly source: Source; readonly number: number } | undefined

  constructor(around: Around) {
    this.around = around
  }

  /** Adds an event; returns the events to print now. */
  add(event: EventCells, isMatch: boolean): readonly LiveEvent[] {
    const { before, after } = this.around
    const source = this.sourceOf(event)
    const number = source.count
    source.count += 1
    if (isMatch) {
      const earlier = source.unprinted
        .splice(0)
        .map((one) => this.shown(source, one.number, { event: one.event, isMatch: false }))
      source.following = after
      return [...earlier, this.shown(source, number, { event, isMatch })]
    }
    if (source.following > 0) {
      source.following -= 1
      return [this.shown(source, number, { event, isMatch })]
    }
    source.unprinted.push({ event, number })
    if (source.unprinted.length > before) source.unprinted.shift()
    return []
  }

  /** True when the next event is printed only if it is a match. */
  get isSettled(): boolean {
    return [...this.sources.values()].every(({ following }) => following === 0)
  }

  /** Records that events were left out, so that the next event does not follow the event before it. */
  skip(): void {
    this.sources.clear()
  }

  private shown(source: Source, number: number, event: ShownEvent): LiveEvent {
    const { last } = this
    this.last = { source, number }
    const follows = last?.source === source && last.number === number - 1
    return { ...event, isApart: last !== undefined && !follows }
  }

  private sourceOf(event: EventCells): Source {
    const key = JSON.stringify(this.around.by.map((name) => event.get(name) ?? 'null'))
    const source = this.sources.get(key) ?? { count: 0, unprinted: [], following: 0 }
    // The sources are in the order of their latest events, so that the least recent source is forgotten first.
    this.sources.delete(key)
    this.sources.set(key, source)
    const [oldest] = this.sources.keys()
    if (this.sources.size > MOST_SOURCES && oldest !== undefined) this.sources.delete(oldest)
    return source
  }
}
