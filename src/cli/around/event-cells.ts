import type { Table } from '../../wire/http/tabular-result.js'
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
