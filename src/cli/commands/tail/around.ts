// `evq tail -C`: follows all events of the dataset, of which only matches and the events around them are printed.
import type { Needle } from '../../../render/highlight.js'
import type { Table } from '../../../wire/http/tabular-result.js'
import { eventsOf } from '../../around/event-cells.js'
import { LiveContext, type LiveEvent } from '../../around/live.js'
import type { Around } from '../../around/options.js'
import { UNMATCHED_COLUMN } from '../../around/source.js'
import { eventTable } from '../../around/table.js'
import { rowsWithText } from './grep.js'

export interface MarkedEvents {
  readonly table: Table
  readonly marks: readonly LiveEvent[]
}

/** Yields the matches among events and the events around them. */
export async function* withContext(
  tables: AsyncIterable<Table>,
  around: Around,
  search: { readonly needle: Needle; readonly hidden: readonly string[] } | undefined,
): AsyncIterable<MarkedEvents> {
  const live = new LiveContext(around)
  for await (const table of tables) {
    const found = search && rowsWithText(table, search.needle, search.hidden)
    const marks = eventsOf(table).flatMap((event, row) => {
      const isMatch = (event.get(UNMATCHED_COLUMN) ?? 'null') === 'null'
      return live.add(event, isMatch && found?.has(row) !== false)
    })
    if (marks.length > 0) {
      yield { table: eventTable(marks, { fields: table.fields, hidden: [] }), marks }
    }
  }
}
