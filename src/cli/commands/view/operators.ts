// Keys that change the operators of the query.
import { aplField } from './apl-text.js'
import { patternsOf, patternText } from './patterns.js'
import { isFiltered, isPaged, type PatternRows, withFilters, withOperator } from './query.js'
import { selectedRow } from './rows.js'
import { linesAbove, type State, type Step } from './state.js'
import { changed, NO_PANEL, noting, only } from './step.js'

export function added(state: State, text: string): Step {
  return changed({ ...state, removed: [] }, withOperator(state.query, text))
}

/** Shows the events as a table of fields, after their time. */
export function withColumnsOf(state: State, fields: readonly string[]): Step {
  const hasTime = selectedRow(state.rows)?.cells.has('_time') === true
  const names = hasTime && !fields.includes('_time') ? ['_time', ...fields] : fields
  const query = withOperator(state.query, `project ${names.map(aplField).join(', ')}`, {
    role: 'columns',
    isProjection: true,
  })
  return changed({ ...state, panel: NO_PANEL, removed: [] }, query)
}

export function patterned(state: State): Step {
  const text = patternText(state.rows)
  return text === undefined || !isPaged(state.query)
    ? only(noting(state, 'note', 'Only the messages of events have patterns.'))
    : withPatternsOf(state, patternsOf(text), { text, areCombined: true })
}

export function withPatternsOf(state: State, operator: string, patterns: PatternRows): Step {
  return changed(
    { ...state, removed: [] },
    withOperator(state.query, operator, { role: 'other', patterns }),
  )
}

/** Goes to the events of the selected pattern; undefined when the rows are not patterns. */
export function entered(state: State): Step | undefined {
  const { query, rows, generation } = state
  const last = query.operators.at(-1)
  const row = selectedRow(rows)
  if (last?.patterns === undefined || !last.isOn || row === undefined) return undefined
  // The rows of the query before are on the screen until the patterns are counted.
  if (!rows.columns.some(({ name }) => name === 'pattern')) {
    return only(noting(state, 'note', 'The patterns are being counted …'))
  }
  const { patterns } = last
  const events = { ...query, operators: query.operators.slice(0, -1) }
  const pattern = row.cells.get('pattern')
  const request = { kind: 'pattern', generation, query: events, patterns, pattern } as const
  return {
    state: noting(state, 'note', 'Finding the events of the pattern …'),
    requests: [request],
  }
}

const CONTEXTS = [0, 1, 3, 10, 30, 100]

/** Shows more or fewer events around each match. */
export function widened(state: State, by: 1 | -1): Step {
  const { query, rows } = state
  if (!isPaged(query) || !isFiltered(query)) {
    return only(noting(state, 'note', 'All events are shown: there is no filter.'))
  }
  const at = CONTEXTS.indexOf(query.context ?? 0) + by
  const context = CONTEXTS[at]
  if (context === undefined) return only(state)
  // Leaves room on the screen for the events in front of the selected match.
  const line = Math.max(rows.selected - rows.top, Math.min(context, linesAbove(state)))
  return changed(state, { ...query, context }, line)
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
