// Keys that change the operators of the query.
import { aplField } from './apl-text.js'
import { patternsOf, patternText } from './patterns.js'
import { isFiltered, isPaged, type PatternRows, withFilters, withOperator } from './query.js'
import { selectedRow } from './rows.js'
import { linesAbove, type State } from './state.js'
import { asking, changed, NO_PANEL, noting, refusing } from './step.js'

export function added(state: State, text: string): State {
  return changed({ ...state, removed: [] }, withOperator(state.query, text))
}

/** Shows the events as a table of fields, after their time. */
export function withColumnsOf(state: State, fields: readonly string[]): State {
  const hasTime = selectedRow(state.rows)?.cells.has('_time') === true
  const names = hasTime && !fields.includes('_time') ? ['_time', ...fields] : fields
  const query = withOperator(state.query, `project ${names.map(aplField).join(', ')}`, {
    role: 'columns',
    isProjection: true,
  })
  return changed({ ...state, panel: NO_PANEL, removed: [] }, query)
}

export function patterned(state: State): State {
  const text = patternText(state.rows)
  return text === undefined || !isPaged(state.query)
    ? refusing(state, 'Only the messages of events have patterns.')
    : withPatternsOf(state, patternsOf(text), { text, areCombined: true })
}

export function withPatternsOf(state: State, operator: string, patterns: PatternRows): State {
  return changed(
    { ...state, removed: [] },
    withOperator(state.query, operator, { role: 'other', patterns }),
  )
}

/** Goes to the events of the selected pattern; undefined when the rows are not patterns. */
export function entered(state: State): State | undefined {
  const { query, rows, generation } = state
  const last = query.operators.at(-1)
  const row = selectedRow(rows)
  if (last?.patterns === undefined || !last.isOn || row === undefined) return undefined
  // The rows of the query before are on the screen until the patterns are counted.
  if (!rows.columns.some(({ name }) => name === 'pattern')) {
    return noting(state, 'The patterns are being counted …')
  }
  const { patterns } = last
  const events = { ...query, operators: query.operators.slice(0, -1) }
  const pattern = row.cells.get('pattern')
  const request = { kind: 'pattern', generation, query: events, patterns, pattern } as const
  return asking(noting(state, 'Finding the events of the pattern …'), request)
}

const CONTEXTS = [0, 1, 3, 10, 30, 100]

/** Shows more or fewer events around each match. */
export function widened(state: State, by: 1 | -1): State {
  const { query, rows } = state
  if (!isPaged(query) || !isFiltered(query)) {
    return noting(state, 'All events are shown: there is no filter.')
  }
  const at = CONTEXTS.indexOf(query.context ?? 0) + by
  const context = CONTEXTS[at]
  if (context === undefined) return state
  // Leaves room on the screen for the events in front of the selected match.
  const line = Math.max(rows.selected - rows.top, Math.min(context, linesAbove(state)))
  return changed(state, { ...query, context }, line)
}

export function dropped(state: State): State {
  const { query } = state
  const last = query.operators.at(-1)
  if (last === undefined) return noting(state, 'There is no operator to remove.')
  const removed = [...state.removed, last]
  return changed({ ...state, removed }, { ...query, operators: query.operators.slice(0, -1) })
}

export function restored(state: State): State {
  const { query } = state
  const last = state.removed.at(-1)
  if (last === undefined) return noting(state, 'No operator was removed with `u`.')
  const removed = state.removed.slice(0, -1)
  return changed({ ...state, removed }, { ...query, operators: [...query.operators, last] })
}

export function toggled(state: State): State {
  const filters = state.query.operators.filter(({ role }) => role === 'filter')
  if (filters.length === 0) return noting(state, 'There are no filters.')
  return changed(state, withFilters(state.query, !filters.some(({ isOn }) => isOn)))
}
