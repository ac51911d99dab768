// Keys in the fields of an event, and in the list of keys.
import type { KeyPress } from '../../terminal/keys.js'
import { whereValue } from './apl-text.js'
import { eventFields } from './event-fields.js'
import { edited } from './line-edit.js'
import { added, dropped } from './operators.js'
import { clamp } from './rows.js'
import { type EventPanel, linesOf, type State, type Step } from './state.js'
import { NO_PANEL, noting, only, selecting } from './step.js'

const COMPARISONS = { '=': '==', '!': '!=', '<': '<=', '>': '>=' } as const

export function pressedInEvent(state: State, panel: EventPanel, key: string): Step {
  const fields = eventFields(state)
  const last = Math.max(0, fields.length - 1)
  const at = (field: number): Step =>
    only({ ...state, panel: { ...panel, field: clamp(field, 0, last) } })
  const page = linesOf(state)
  switch (key) {
    case 'j':
    case 'Down':
      return at(panel.field + 1)
    case 'k':
    case 'Up':
      return at(panel.field - 1)
    case ' ':
    case 'PageDown':
      return at(panel.field + page)
    case 'b':
    case 'PageUp':
      return at(panel.field - page)
    case 'g':
    case 'Home':
      return at(0)
    case 'G':
    case 'End':
      return at(last)
    case 'J':
    case 'Right':
      return only(selecting(state, state.rows.selected + 1))
    case 'K':
    case 'Left':
      return only(selecting(state, state.rows.selected - 1))
    case '=':
    case '!':
    case '<':
    case '>': {
      const field = fields[panel.field]
      if (field === undefined) return only(state)
      const text = whereValue({ ...field, field: field.name, comparison: COMPARISONS[key] })
      if (text !== undefined) return added({ ...state, panel: NO_PANEL }, text)
      const why =
        key === '=' || key === '!'
          ? 'is an object or an array: choose a member of it'
          : 'is neither a number nor a time'
      return only(noting(state, 'note', `\`${field.name}\` ${why}.`))
    }
    case 'Enter':
    case 'Escape':
    case 'q':
      return only({ ...state, panel: NO_PANEL })
    case 'u':
      return dropped({ ...state, panel: NO_PANEL })
    case 'Ctrl-C':
      return { state, requests: [{ kind: 'quit' }] }
    default:
      return only(state)
  }
}

export function pressedInHelp(
  state: State,
  panel: State['panel'] & { readonly kind: 'help' },
  press: KeyPress,
): State {
  const name = press.kind === 'key' ? press.name : ''
  if (name === 'Escape' || name === 'Enter' || name === 'Ctrl-C')
    return { ...state, panel: NO_PANEL }
  if (name === 'Down') return { ...state, panel: { ...panel, top: panel.top + 1 } }
  if (name === 'Up') return { ...state, panel: { ...panel, top: Math.max(0, panel.top - 1) } }
  const isLeaving = panel.filter.text === '' && (name === 'q' || name === 'Backspace')
  if (isLeaving) return { ...state, panel: NO_PANEL }
  const filter = edited(panel.filter, press)
  return filter === undefined ? state : { ...state, panel: { ...panel, filter, top: 0 } }
}
