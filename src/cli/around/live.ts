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

/** Selects matches and the events around them from events in the order of arrival, which are stored, in files, or just arriving. */
export function liveContext({ before, after, by }: Around) {
  const sources = new Map<string, Source>()
  let last: { readonly source: Source; readonly number: number } | undefined

  function shown(source: Source, number: number, event: ShownEvent): LiveEvent {
    const follows = last?.source === source && last.number === number - 1
    const isApart = last !== undefined && !follows
    last = { source, number }
    return { ...event, isApart }
  }

  function sourceOf(event: EventCells): Source {
    const key = JSON.stringify(by.map((name) => event.get(name) ?? 'null'))
    const source = sources.get(key) ?? { count: 0, unprinted: [], following: 0 }
    // The sources are in the order of their latest events, so that the least recent source is forgotten first.
    sources.delete(key)
    sources.set(key, source)
    const [oldest] = sources.keys()
    if (sources.size > MOST_SOURCES && oldest !== undefined) sources.delete(oldest)
    return source
  }

  return {
    /** Adds an event; returns the events to print now. */
    add(event: EventCells, isMatch: boolean): readonly LiveEvent[] {
      const source = sourceOf(event)
      const number = source.count
      source.count += 1
      if (isMatch) {
        const earlier = source.unprinted
          .splice(0)
          .map((one) => shown(source, one.number, { event: one.event, isMatch: false }))
        source.following = after
        return [...earlier, shown(source, number, { event, isMatch })]
      }
      if (source.following > 0) {
        source.following -= 1
        return [shown(source, number, { event, isMatch })]
      }
      source.unprinted.push({ event, number })
      if (source.unprinted.length > before) source.unprinted.shift()
      return []
    },
    /** True when the next event is printed only if it is a match. */
    isSettled: () => [...sources.values()].every(({ following }) => following === 0),
    /** Records that events were left out, so that the next event does not follow the event before it. */
    skip: () => sources.clear(),
  }
}
