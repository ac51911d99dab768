// Handles keys in the fields of an event, in the values of a field, and in the list of keys.

import type { KeyPress } from '../../terminal/keys.js'
import { whereValue } from './apl-text.js'
import { helpHeight, helpLines } from './draw-help.js'
import { type EventField, eventFields, ORIGINAL, partsOf, selectedPart } from './event-fields.js'
import { type Facet, facetFields } from './facet.js'
import { linesBeyond } from './field-lines.js'
import { edited } from './line-edit.js'
import { movedTo, SCROLLING, VERTICAL } from './list-keys.js'
import { added, withColumnsOf } from './operators.js'
import { shownOriginal } from './original-lines.js'
import { openFacet } from './sides.js'
import {
  type EventPanel,
  type FacetPanel,
  type HelpPanel,
  panelLines,
  type State,
} from './state.js'
import { asking, NO_PANEL, noting, selecting } from './step.js'

const COMPARISONS = { '=': '==', '!': '!=', '<': '<=', '>': '>=' } as const

type ComparisonKey = keyof typeof COMPARISONS

export function pressedInEvent(state: State, panel: EventPanel, key: string): State | undefined {
  const moved = scrolledIn(state, panel, key) ?? toOtherField(state, panel, key)
  if (moved !== undefined) return { ...state, panel: moved }
  const field = eventFields(state)[selectedPart(state, panel)]
  switch (key) {
    case 'J':
    case 'Right':
      return selecting(scrolledUp(state, panel), state.rows.selected + 1)
    case 'K':
    case 'Left':
      return selecting(scrolledUp(state, panel), state.rows.selected - 1)
    case '=':
    case '!':
    case '<':
    case '>':
      return field === undefined ? noField(state) : comparedField(state, field, key)
    case 'v':
      return field === undefined ? noField(state) : openFacet(state, field.name)
    case 'c':
      return field === undefined ? noField(state) : withColumn(state, panel, field.name)
    case 'y':
      return field === undefined ? copiedOriginal(state) : copiedEvent(state)
    case 'Enter':
      if (panel.columns.length > 0) return withColumnsOf(state, panel.columns)
      return { ...state, panel: NO_PANEL }
    default:
      return undefined
  }
}

function noField(state: State): State {
  return noting(state, 'The original is not a field. Choose a field above it.')
}

/** Chooses a field as a column, or no longer. */
function withColumn(state: State, panel: EventPanel, name: string): State {
  const columns = panel.columns.includes(name)
    ? panel.columns.filter((column) => column !== name)
    : [...panel.columns, name]
  const chosen = { ...state, panel: { ...panel, columns } }
  if (columns.length === 0) return chosen
  return noting(chosen, `Enter shows the columns ${columns.join(', ')}. Escape does not.`)
}

/** Scrolls within a field that is higher than the screen; undefined at its end. */
function scrolledIn(state: State, panel: EventPanel, key: string): EventPanel | undefined {
  const beyond = linesBeyond(state, selectedPart(state, panel))
  const index = Math.min(panel.scroll, beyond)
  const page = panelLines(state)
  const isEnd = VERTICAL.first.includes(key) || VERTICAL.last.includes(key)
  const scroll = isEnd ? undefined : movedTo(key, VERTICAL, { index, count: beyond + 1, page })
  return scroll === undefined || scroll === index ? undefined : { ...panel, scroll }
}

/** Selects another field. Moving up shows the end of the field. */
function toOtherField(state: State, panel: EventPanel, key: string): EventPanel | undefined {
  const count = partsOf(state)
  const selected = selectedPart(state, panel)
  const place = { index: selected, count, page: panelLines(state) }
  const field = movedTo(key, VERTICAL, place)
  if (field === undefined) return undefined
  if (VERTICAL.first.includes(key)) return { ...panel, field, scroll: 0 }
  if (field === selected) return panel
  const scroll = field < selected ? linesBeyond(state, field) : 0
  return { ...panel, field: field < eventFields(state).length ? field : ORIGINAL, scroll }
}

/** Shows a field from its first line on. */
function scrolledUp(state: State, panel: EventPanel): State {
  return { ...state, panel: { ...panel, scroll: 0 } }
}

function comparedField(state: State, field: EventField, key: ComparisonKey): State {
  const text = whereValue({ ...field, field: field.name, comparison: COMPARISONS[key] })
  if (text !== undefined) return added({ ...state, panel: NO_PANEL }, text)
  const why =
    key === '=' || key === '!'
      ? 'is an object or an array: choose a member of it'
      : 'is neither a number nor a time'
  return noting(state, `\`${field.name}\` ${why}.`)
}

export function pressedInFacet(state: State, panel: FacetPanel, key: string): State | undefined {
  const facet = state.facet.value?.field === panel.field ? state.facet.value : undefined
  const count = facet?.values.length ?? 0
  const moved = movedTo(key, VERTICAL, { index: panel.value, count, page: panelLines(state) })
  if (moved !== undefined) return { ...state, panel: { ...panel, value: moved } }
  switch (key) {
    case 'l':
    case 'Right':
    case 'Tab':
      return toField(state, panel, 1)
    case 'h':
    case 'Left':
    case 'Shift-Tab':
      return toField(state, panel, -1)
    case 'Enter':
    case '=':
    case '!':
      return comparedValue(state, facet, panel.value, key === '!' ? '!' : '=')
    case 'v':
      return { ...state, panel: NO_PANEL }
    default:
      return undefined
  }
}

function comparedValue(
  state: State,
  facet: Facet | undefined,
  value: number,
  key: '=' | '!',
): State {
  const cell = facet?.values[value]?.cell
  if (facet === undefined || cell === undefined) return state
  const text = whereValue({ ...facet, cell, comparison: COMPARISONS[key] })
  if (text === undefined) return noting(state, "This value can't be compared.")
  // After `!` the panel stays open, so that more values can be excluded.
  return added(key === '!' ? state : { ...state, panel: NO_PANEL }, text)
}

function toField(state: State, panel: FacetPanel, by: number): State {
  const fields = facetFields(state.rows)
  if (fields.length === 0) return state
  const at = (fields.indexOf(panel.field) + by + fields.length) % fields.length
  return { ...state, panel: { ...panel, field: fields[at]!, value: 0 } }
}

export function pressedInHelp(state: State, panel: HelpPanel, press: KeyPress): State {
  const name = press.kind === 'key' ? press.name : ''
  const { filter, top } = panel
  const isEmptied = filter.text === '' && (name === 'q' || name === 'Backspace')
  if (isEmptied || ['Escape', 'Enter', 'Ctrl-C'].includes(name))
    return { ...state, panel: NO_PANEL }
  const height = helpHeight(state)
  const last = Math.max(0, helpLines(filter.text, state.size).length - height)
  const scrolled = movedTo(name, SCROLLING, { index: top, count: last + 1, page: height })
  if (scrolled !== undefined) return { ...state, panel: { ...panel, top: scrolled } }
  const next = edited(filter, press)
  return next === undefined ? state : { ...state, panel: { ...panel, filter: next, top: 0 } }
}

/** Copies the selected event as JSON. */
export function copiedEvent(state: State): State {
  const fields = eventFields(state).filter(({ name }) => name !== '_sysTime')
  if (fields.length === 0) return state
  const members = fields.map(({ name, cell }) => `${JSON.stringify(name)}:${cell}`)
  return copied(state, `{${members.join(',')}}`, 'The event is copied.')
}

/** Copies the lines of the selected event as they were written. */
function copiedOriginal(state: State): State {
  const original = shownOriginal(state)
  if (original === undefined || original.isNote) return state
  return copied(state, original.text, 'The original is copied.')
}

function copied(state: State, text: string, note: string): State {
  return asking(noting(state, note), { kind: 'copy', text })
}
