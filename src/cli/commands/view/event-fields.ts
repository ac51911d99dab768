import type { JsonText } from '../../../wire/json/json-text.js'
import { shownOriginal } from './original-lines.js'
import { typeOfCell } from './row.js'
import { clamp, selectedRow } from './rows.js'
import type { EventPanel, State } from './state.js'

export interface EventField {
  readonly name: string
  readonly type: string
  readonly cell: JsonText
}

/** The index of the original in a panel, whatever the number of fields is. */
export const ORIGINAL = Number.POSITIVE_INFINITY

/** Fields of no interest to a reader. */
const HIDDEN: readonly string[] = ['_rowId']

/** Returns the fields of the selected row that have a value, the time first. */
export function eventFields({ rows }: Pick<State, 'rows'>): readonly EventField[] {
  const row = selectedRow(rows)
  if (row === undefined) return []
  const types = new Map([
    ['_time', 'datetime'],
    ...rows.columns.map(({ name, type }) => [name, type] as const),
  ])
  const fields = [...row.cells].flatMap(([name, cell]) =>
    HIDDEN.includes(name) ? [] : [{ name, cell, type: types.get(name) ?? typeOfCell(cell) }],
  )
  const time = fields.filter(({ name }) => name === '_time')
  const arrival = fields.filter(({ name }) => name === '_sysTime')
  const others = fields.filter(({ name }) => name !== '_time' && name !== '_sysTime')
  return [...time, ...others, ...arrival]
}

/** Returns the number of parts of the panel: the fields, and the original after them. */
export function partsOf(state: State): number {
  return eventFields(state).length + (shownOriginal(state) === undefined ? 0 : 1)
}

/** True when the original is selected, not a field. */
export function isOriginalSelected(state: State, panel: EventPanel): boolean {
  return selectedPart(state, panel) >= eventFields(state).length
}

/** Returns the index of the selected part, limited to the fields of the row: the row selected before may have had more. */
export function selectedPart(state: State, { field }: Pick<EventPanel, 'field'>): number {
  if (field === ORIGINAL) return partsOf(state) - 1
  return clamp(field, 0, eventFields(state).length - 1)
}
