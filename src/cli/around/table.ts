import type { Table, TableField } from '../../wire/http/tabular-result.js'
import type { JsonText } from '../../wire/json/json-text.js'

/** An event: the values of its fields. */
export type EventCells = ReadonlyMap<string, JsonText>

export interface ShownEvent {
  readonly event: EventCells
  readonly isMatch: boolean
}

export function eventsOf({ fields, columns }: Table): readonly EventCells[] {
  const rows = columns[0]?.length ?? 0
  return Array.from(
    { length: rows },
    (_, row) => new Map(fields.map(({ name }, index) => [name, columns[index]![row]!])),
  )
}

/** True for a match, false for an event around one. */
type Mark = Pick<ShownEvent, 'isMatch'>

/** The column that distinguishes matches from the events around them. */
export const MATCH_COLUMN = '_match'

/** Returns events as a table. Fields that only the events around matches have are the last columns. */
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

/** Adds the column that distinguishes matches from other events as the last column. */
export function withMatchColumn(table: Table, events: readonly Mark[]): Table {
  return {
    ...table,
    fields: [...table.fields, { name: MATCH_COLUMN, type: 'boolean' }],
    columns: [...table.columns, events.map(({ isMatch }): JsonText => String(isMatch))],
  }
}

/** Adds the column as the first one, with a sign for matches, for display. */
export function withMatchSign(table: Table, events: readonly Mark[]): Table {
  return {
    ...table,
    fields: [{ name: MATCH_COLUMN, type: 'string' }, ...table.fields],
    columns: [events.map(({ isMatch }): JsonText => (isMatch ? '">"' : 'null')), ...table.columns],
  }
}
