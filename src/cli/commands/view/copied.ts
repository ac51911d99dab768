// Copies the selected event, or its lines.
import { eventFields } from './event-fields.js'
import { shownOriginal } from './original-lines.js'
import type { State, Step } from './state.js'
import { noting, only } from './step.js'

/** Copies the selected event as JSON. */
export function copiedEvent(state: State): Step {
  const fields = eventFields(state).filter(({ name }) => name !== '_sysTime')
  if (fields.length === 0) return only(state)
  const members = fields.map(({ name, cell }) => `${JSON.stringify(name)}:${cell}`)
  return copied(state, `{${members.join(',')}}`, 'The event is copied.')
}

/** Copies the lines of the selected event as they were written. */
export function copiedOriginal(state: State): Step {
  const original = shownOriginal(state)
  if (original === undefined || original.isNote) return only(state)
  return copied(state, original.text, 'The original is copied.')
}

function copied(state: State, text: string, note: string): Step {
  return { state: noting(state, 'note', note), requests: [{ kind: 'copy', text }] }
}
