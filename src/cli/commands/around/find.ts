import type { Connection } from '../../../client/connection.js'
import { query } from '../../../client/query.js'
import type { AplRequest } from '../../../wire/http/query.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import { positionsOf } from '../tail/poll.js'
import { isBefore } from '../tail/seen.js'
import type { Around } from './options.js'
import { type Match, type Passage, passagesAround } from './passages.js'
import { type AroundQuery, sharedCondition } from './source.js'
import { type AskEvents, eventsOf, Timeline } from './timeline.js'

interface Search {
  readonly around: Around
  readonly query: AroundQuery
  readonly connection: Connection
  /** The request of the matches. */
  readonly request: AplRequest
  readonly signal: AbortSignal
  warn(text: string): void
}

const EVENTS_OMITTED =
  'More events have the same times than the service returns at once. Some of them are not shown.'

/** Returns the rows of a query with the events around them, in the order of arrival. */
export async function findPassages(table: Table, search: Search): Promise<readonly Passage[]> {
  const { around, query: asked } = search
  const { source, columns } = asked.events
  const places = positionsOf(table, ['_sysTime', '_time'])
  const groups = new Map<string, Match[]>()
  for (const [row, event] of eventsOf(table).entries()) {
    const condition = sharedCondition(event, around.by)
    const group = groups.get(condition) ?? []
    groups.set(condition, group)
    group.push({ event, place: places[row]! })
  }
  const found = []
  for (const [condition, matches] of groups) {
    const timeline = new Timeline({
      ...{ source, columns, condition, ask: asking(search) },
      onCut: () => search.warn(EVENTS_OMITTED),
    })
    const inOrder = matches.toSorted((one, other) => (isBefore(one.place, other.place) ? -1 : 1))
    found.push(...(await passagesAround(inOrder, timeline, around)))
  }
  return found
    .toSorted((one, other) => (isBefore(one.place, other.place) ? -1 : 1))
    .map(({ passage }) => passage)
}

function asking({ connection, request, signal }: Search): AskEvents {
  const { variables, libraries } = request
  return async (apl, limit) => {
    const asked = {
      ...{ apl, defaultLimit: limit },
      ...(variables && { variables }),
      ...(libraries && { libraries }),
    }
    const { tables, status } = await query(connection, asked, { signal })
    return { table: tables[0], matched: status.rowsMatched }
  }
}
