import type { EventQuery } from '../../apl/language.js'
import type { Connection } from '../../client/connection.js'
import { query } from '../../client/query.js'
import { addTo } from '../../text/lists.js'
import type { AplRequest } from '../../wire/http/query.js'
import type { Table } from '../../wire/http/tabular-result.js'
import { EVENTS_OMITTED, isBefore, type Order, positionsOf } from './event-position.js'
import { type LiveEvent, liveContext } from './live.js'
import {
  type AskEvents,
  type NearbyEvent,
  type NearbyEvents,
  nearbyEvents,
} from './nearby-events.js'
import type { Around } from './options.js'
import { type AroundQuery, sharedCondition } from './source.js'
import { type EventCells, eventsOf } from './table.js'

interface Search {
  readonly around: Around
  readonly query: AroundQuery
  readonly connection: Connection
  readonly request: AplRequest
  readonly signal: AbortSignal
  warn(text: string): void
}

/**
 * Yields the rows of a query with the events around them, in the order of arrival, or of time when the query sorts by it. With
 * `--context-by`, the events of each source follow the events of the source whose first match is earlier.
 */
export async function* findAround(
  table: Table,
  search: Search,
): AsyncGenerator<readonly LiveEvent[], void> {
  const { around, query: asked } = search
  const { source, columns, changing } = asked.events
  const order: Order = isByTime(asked) ? ['_time', '_sysTime'] : ['_sysTime', '_time']
  const places = positionsOf(table, order)
  const groups = new Map<string, NearbyEvent[]>()
  const matches = eventsOf(table)
    .map((event, row) => ({ event, at: places[row]!.first, place: places[row]! }))
    .sort((one, other) => (isBefore(one.place, other.place) ? -1 : 1))
  for (const match of matches) {
    addTo(groups, sharedCondition(match.event, around.by), match)
  }
  let printed = 0
  for (const [condition, group] of groups) {
    const nearby = nearbyEvents({
      source,
      field: order[0],
      columns,
      condition,
      ask: asking(search),
      onCut: () => search.warn(EVENTS_OMITTED),
    })
    let isFirst = printed > 0
    for await (const [first, ...others] of eventsAround(group, nearby, { ...around, changing })) {
      if (first === undefined) continue
      // The first event of a source does not follow the last one of another.
      yield [{ ...first, isApart: first.isApart || isFirst }, ...others]
      isFirst = false
      printed += 1 + others.length
    }
  }
}

/**
 * Yields matches and the events around them. Where no match is near, events are skipped. The columns in `changing` have
 * other values each time an event is returned.
 */
export async function* eventsAround(
  matches: readonly NearbyEvent[],
  nearby: NearbyEvents,
  { before, after, changing }: Pick<Around, 'before' | 'after'> & Pick<EventQuery, 'changing'>,
): AsyncGenerator<readonly LiveEvent[], void> {
  const live = liveContext({ before, after, by: [] })
  const wanted = wantedMatches(matches, changing)
  const add = (events: readonly NearbyEvent[]): readonly LiveEvent[] =>
    events.flatMap((one) => live.add(one.event, wanted.take(one)))
  let areNear = false
  let next = wanted.next()
  if (next !== undefined && before > 0) yield add(await nearby.between(undefined, next, before))
  while (next !== undefined) {
    let last: bigint = next
    for await (const { events, isComplete } of nearby.from(next, { areNear })) {
      const shown = add(events)
      yield shown
      areNear = shown.filter(({ isMatch }) => isMatch).length > 1
      last = events.at(-1)?.at ?? last
      wanted.forgetUpTo(isComplete ? last : last - 1n)
      next = wanted.next()
      if (next === undefined ? live.isSettled() : next > last && live.isSettled()) {
        if (next === undefined) return
        // One event more than is printed shows whether events are left out.
        const between = await nearby.between(last, next, before + 1)
        const isGap = between.length > before
        if (!isGap && !isComplete) continue
        if (isGap) live.skip()
        yield add(between)
        break
      }
    }
    if (next === undefined || next <= last) return
  }
}

/** Returns the matches that have not been found yet among the events of a dataset. Equal events are interchangeable. */
function wantedMatches(matches: readonly NearbyEvent[], changing: readonly string[]) {
  const timeNames = ['_time', '_sysTime'].filter((name) => !changing.includes(name))
  /** Returns both times of an event, which are compared before its other fields. */
  const timeKeyOf = (event: EventCells) => timeNames.map((name) => event.get(name)).join(' ')
  const byIdentity = new Map<string, number>()
  /** The number of matches by the time by which events are ordered. */
  const left = new Map<bigint, number>()
  const timeKeys = new Set(matches.map(({ event }) => timeKeyOf(event)))
  for (const { event, at } of matches) {
    const identity = identityOf(event, changing)
    byIdentity.set(identity, (byIdentity.get(identity) ?? 0) + 1)
    left.set(at, (left.get(at) ?? 0) + 1)
  }
  /** The times by which events are ordered, in descending order. */
  const times = [...left.keys()].sort((one, other) => (one < other ? 1 : -1))

  /** Returns the time of the next match; undefined when all matches have been found. */
  function next(): bigint | undefined {
    while (times.length > 0 && !left.get(times.at(-1)!)) times.pop()
    return times.at(-1)
  }

  return {
    next,
    /** Returns true for a match, which is then no longer wanted. */
    take({ event, at }: NearbyEvent): boolean {
      const wanted = left.get(at)
      if (!wanted || !timeKeys.has(timeKeyOf(event))) return false
      const identity = identityOf(event, changing)
      const count = byIdentity.get(identity)
      if (!count) return false
      byIdentity.set(identity, count - 1)
      left.set(at, wanted - 1)
      return true
    },
    /** Forgets the matches up to a time that were not found, because they were deleted in the meantime. */
    forgetUpTo(time: bigint): void {
      for (let at = next(); at !== undefined && at <= time; at = next()) left.delete(at)
    },
  }
}

/** Returns the identity of an event. A null field may be absent from another response. */
function identityOf(event: EventCells, changing: readonly string[]): string {
  const cells = [...event].filter(([name, cell]) => cell !== 'null' && !changing.includes(name))
  return JSON.stringify(cells.sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** Matches are not found by times that the query computes. */
function isByTime({ events }: AroundQuery): boolean {
  return events.isByTime && !events.setsTime
}

function asking({ query: asked, connection, request, signal }: Search): AskEvents {
  const { variables, libraries, startTime, endTime } = request
  // An event that arrived next to a match may have any time.
  const range = isByTime(asked) ? { startTime, endTime } : {}
  return async (apl, limit) => {
    const nearby = { apl, defaultLimit: limit, variables, libraries, ...range }
    const { tables, status } = await query(connection, nearby, { signal })
    return { table: tables[0], matched: status.rowsMatched }
  }
}
