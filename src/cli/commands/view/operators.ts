// Keys that change the operators of the query.
import { patternField, patternsOf, wherePattern } from './patterns.js'
import { isFiltered, isPaged, withFilters, withOperator, withPatterns } from './query.js'
import { selectedRow } from './rows.js'
import type { State, Step } from './state.js'
import { changed, noting, only } from './step.js'

/** Adds an operator to the query. */
export function added(state: State, text: string): Step {
  return changed({ ...state, removed: [] }, withOperator(state.query, text))
}

/** Lists the patterns of the messages, or of what else events are about. */
export function patterned(state: State): Step {
  const field = patternField(state.rows)
  return field === undefined || !isPaged(state.query)
    ? only(noting(state, 'note', 'Only the messages of events have patterns.'))
    : withPatternsOf(state, patternsOf(field), field)
}

/** Adds an operator whose rows are the patterns of a field. */
export function withPatternsOf(state: State, text: string, field: string): Step {
  return changed({ ...state, removed: [] }, withPatterns(state.query, text, field))
}

/** Shows the events of the selected pattern; undefined when the rows are no patterns. */
export function entered(state: State): Step | undefined {
  const { query, rows } = state
  const last = query.operators.at(-1)
  if (last?.patternsOf === undefined || !last.isOn) return undefined
  const text = wherePattern(last.patternsOf, selectedRow(rows)?.cells.get('pattern'))
  if (text === undefined) {
    return only(noting(state, 'note', 'This row stands for several patterns that are not listed.'))
  }
  const operators = query.operators.slice(0, -1)
  return changed({ ...state, removed: [] }, withOperator({ ...query, operators }, text))
}

const CONTEXTS = [0, 1, 3, 10, 30, 100]

/** Shows more or fewer events around each match. */
export function widened(state: State, by: 1 | -1): Step {
  const { query, reading } = state
  if (!isPaged(query) || !isFiltered(query)) {
    return only(noting(state, 'note', 'All events are shown: there is no filter.'))
  }
  if (reading !== undefined && query.isByTime) {
    const text = 'Events around matches are those of one file, and these are merged by time.'
    return only(noting(state, 'note', text))
  }
  const at = CONTEXTS.indexOf(query.context ?? 0) + by
  const context = CONTEXTS[at]
  return context === undefined ? only(state) : changed(state, { ...query, context })
}

export function dropped(state: State): Step {
  const { query } = state
  const last = query.operators.at(-1)
  if (last === undefined) return only(noting(state, 'note', 'There is no operator to remove.'))
  const removed = [...state.removed, last]
  return changed({ ...state, removed }, { ...query, operators: query.operators.slice(0, -1) })
}

export function restored(state: State): Step {
  const { query } = state
  const last = state.removed.at(-1)
  if (last === undefined) return only(noting(state, 'note', 'No operator was removed with `u`.'))
  const removed = state.removed.slice(0, -1)
  return changed({ ...state, removed }, { ...query, operators: [...query.operators, last] })
}

export function toggled(state: State): Step {
  const filters = state.query.operators.filter(({ role }) => role === 'filter')
  if (filters.length === 0) return only(noting(state, 'note', 'There are no filters.'))
  return changed(state, withFilters(state.query, !filters.some(({ isOn }) => isOn)))
}
