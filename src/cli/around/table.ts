import type { Table, TableField } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'
import type { ShownEvent } from './event-cells.js'

/** True for a match, false for an event around one. */
type Mark = Pick<ShownEvent, 'isMatch'>

/** The column that tells matches from the events around them. */
export const MATCH_COLUMN = '_match'

/** Returns events as a table. Fields that only events around matches have come after the others. */
export function eventTable(
  events: readonly ShownEvent[],
  { fields, hidden }: { fields: readonly TableField[]; hidden: readonly string[] },
): Table {
  const types = new Map(fields.map((field) => [field.name, field]))
  for (const { event } of events) {
    for (const name of event.keys()) if (!types.has(name)) types.set(name, { name, type: '' })
  }
  const shown = [...types.values()].filter(({ name }) => !hidden.includes(name))
  return {
    name: '0',
    sources: [],
    order: [],
    groups: [],
    fields: shown,
    columns: shown.map(({ name }) => events.map(({ event }) => event.get(name) ?? 'null')),
  }
}

/** Adds the column that tells matches from other events, as the last one. */
export function withMatchColumn(table: Table, events: readonly Mark[]): Table {
  return {
    ...table,
    fields: [...table.fields, { name: MATCH_COLUMN, type: 'boolean' }],
    columns: [...table.columns, events.map(({ isMatch }): JsonText => String(isMatch))],
  }
}

/** Adds the column as the first one, for people: with a sign in matches. */
export function withMatchSign(table: Table, events: readonly Mark[]): Table {
  return {
    ...table,
    fields: [{ name: MATCH_COLUMN, type: 'string' }, ...table.fields],
    columns: [events.map(({ isMatch }): JsonText => (isMatch ? '">"' : 'null')), ...table.columns],
  }
}
