// Keys in the fields of an event, and in the list of keys.
import type { KeyPress } from '../../terminal/keys.js'
import { whereValue } from './apl-text.js'
import { eventFields } from './event-fields.js'
import { facetFields } from './facet.js'
import { edited } from './line-edit.js'
import { added, dropped } from './operators.js'
import { clamp } from './rows.js'
import { openFacet } from './sides.js'
import { type EventPanel, type FacetPanel, linesOf, type State, type Step } from './state.js'
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
    case 'v':
      return only(openFacet(state, fields[panel.field]?.name))
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

export function pressedInFacet(state: State, panel: FacetPanel, key: string): Step {
  const facet = state.facet.value?.field === panel.field ? state.facet.value : undefined
  const last = Math.max(0, (facet?.values.length ?? 0) - 1)
  const at = (value: number): Step =>
    only({ ...state, panel: { ...panel, value: clamp(value, 0, last) } })
  switch (key) {
    case 'j':
    case 'Down':
      return at(panel.value + 1)
    case 'k':
    case 'Up':
      return at(panel.value - 1)
    case ' ':
    case 'PageDown':
      return at(panel.value + linesOf(state))
    case 'b':
    case 'PageUp':
      return at(panel.value - linesOf(state))
    case 'g':
    case 'Home':
      return at(0)
    case 'G':
    case 'End':
      return at(last)
    case 'l':
    case 'Right':
    case 'Tab':
      return only(toField(state, panel, 1))
    case 'h':
    case 'Left':
    case 'Shift-Tab':
      return only(toField(state, panel, -1))
    case 'Enter':
    case '=':
    case '!': {
      const cell = facet?.values[panel.value]?.cell
      if (facet === undefined || cell === undefined) return only(state)
      const comparison = key === '!' ? '!=' : '=='
      const text = whereValue({ ...facet, cell, comparison })
      if (text === undefined) return only(noting(state, 'note', 'This value is not compared.'))
      // More values may be left out one after the other.
      return added(key === '!' ? state : { ...state, panel: NO_PANEL }, text)
    }
    case 'Escape':
    case 'q':
    case 'v':
      return only({ ...state, panel: NO_PANEL })
    case 'u':
      return dropped(state)
    case 'Ctrl-C':
      return { state, requests: [{ kind: 'quit' }] }
    default:
      return only(state)
  }
}

function toField(state: State, panel: FacetPanel, by: number): State {
  const fields = facetFields(state.rows)
  if (fields.length === 0) return state
  const at = (fields.indexOf(panel.field) + by + fields.length) % fields.length
  return { ...state, panel: { ...panel, field: fields[at]!, value: 0 } }
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
