import type { Connection } from '../../client/connection.js'
import { query } from '../../client/query.js'
import type { AplRequest } from '../../wire/http/query.js'
import type { Table } from '../../wire/http/tabular-result.js'
import { EVENTS_OMITTED, isBefore, type Order, positionsOf } from './event-position.js'
import { LiveContext, type LiveEvent } from './live.js'
import { type AskEvents, type NearbyEvent, NearbyEvents } from './nearby-events.js'
import type { Around } from './options.js'
import { type AroundQuery, sharedCondition } from './source.js'
import { eventsOf } from './table.js'
import { WantedMatches } from './wanted-matches.js'

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
 * `--context-by`, the events of each source follow those of the source whose first match is earlier.
 */
export async function* findAround(
  table: Table,
  search: Search,
): AsyncGenerator<readonly LiveEvent[], void> {
  const { around, query: asked } = search
  const { source, columns } = asked.events
  const order = orderOf(asked)
  const places = positionsOf(table, order)
  const groups = new Map<string, NearbyEvent[]>()
  const matches = eventsOf(table)
    .map((event, row) => ({ event, at: places[row]!.first, place: places[row]! }))
    .sort((one, other) => (isBefore(one.place, other.place) ? -1 : 1))
  for (const match of matches) {
    const condition = sharedCondition(match.event, around.by)
    const group = groups.get(condition) ?? []
    groups.set(condition, group)
    group.push(match)
  }
  let printed = 0
  for (const [condition, group] of groups) {
    const nearby = new NearbyEvents({
      source,
      field: order[0],
      columns,
      condition,
      ask: asking(search),
      onCut: () => search.warn(EVENTS_OMITTED),
    })
    let isFirst = printed > 0
    for await (const [first, ...others] of eventsAround(group, nearby, around)) {
      if (first === undefined) continue
      // The first event of a source does not follow the last one of another.
      yield [{ ...first, isApart: first.isApart || isFirst }, ...others]
      isFirst = false
      printed += 1 + others.length
    }
  }
}

/** Yields matches and the events around them. Where no match is near, events are skipped. */
export async function* eventsAround(
  matches: readonly NearbyEvent[],
  nearby: NearbyEvents,
  { before, after }: Pick<Around, 'before' | 'after'>,
): AsyncGenerator<readonly LiveEvent[], void> {
  const live = new LiveContext({ before, after, by: [] })
  const wanted = new WantedMatches(matches)
  const add = (events: readonly NearbyEvent[]): readonly LiveEvent[] =>
    events.flatMap((one) => live.add(one.event, wanted.take(one)))
  let { next } = wanted
  if (next !== undefined && before > 0) yield add(await nearby.between(undefined, next, before))
  while (next !== undefined) {
    let last: bigint = next
    for await (const { events, isComplete } of nearby.from(next)) {
      const shown = add(events)
      yield shown
      nearby.areManyWanted = shown.filter(({ isMatch }) => isMatch).length > 1
      last = events.at(-1)?.at ?? last
      wanted.forgetUpTo(isComplete ? last : last - 1n)
      next = wanted.next
      if (next === undefined ? live.isSettled : next > last && live.isSettled) {
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

function orderOf(query: AroundQuery): Order {
  return isByTime(query) ? ['_time', '_sysTime'] : ['_sysTime', '_time']
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
