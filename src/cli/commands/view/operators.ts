// Keys that change the operators of the query.
import { withFilters, withOperator } from './query.js'
import type { State, Step } from './state.js'
import { changed, noting, only } from './step.js'

/** Adds an operator to the query. */
export function added(state: State, text: string): Step {
  return changed({ ...state, removed: [] }, withOperator(state.query, text))
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
