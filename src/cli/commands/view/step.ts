// Steps that many events share.
import { aplOf, isPaged, type ViewQuery } from './query.js'
import type { Place } from './row-source.js'
import { awaitedCursor, FOLDED_PAGE_ROWS, PAGE_ROWS, select, selectedRow, within } from './rows.js'
import { IDLE, linesOf, type Request, type State } from './state.js'

export const NO_PANEL = { kind: 'none' } as const

/** Adds requests to the requests that are to be carried out. */
export function asking(state: State, ...requests: readonly Request[]): State {
  return { ...state, requests: [...state.requests, ...requests] }
}

export function noting(state: State, text: string): State {
  return { ...state, message: { kind: 'note', text } }
}

/** Returns the state with the reason why a key has no effect; before the first event is read, that is the reason. */
export function refusing(state: State, reason: string): State {
  const { rows, reading } = state
  const isWaiting = rows.items.length === 0 && reading?.isDone === false
  return noting(state, isWaiting ? 'The events are still being read.' : reason)
}

export function pageRequest({ generation, query, isFolded }: State, place: Place): Request {
  // A row of the screen may be a burst of thousands of events.
  const limit = isFolded ? FOLDED_PAGE_ROWS : PAGE_ROWS
  return { kind: 'page', generation, query, place, limit }
}

/** Reads the rows at another place. `line` is the screen line of the row there; by default the line of the selected row. */
export function moving(state: State, place: Place, line?: number): State {
  const rows = { ...state.rows, loading: { ...IDLE, other: { place, line } } }
  return asking({ ...state, rows }, pageRequest(state, place))
}

/** Changes the query. The selected row, or the next row that remains, stays selected; `line` sets its line on the screen. */
export function changed(state: State, query: ViewQuery, line?: number): State {
  const { rows, anchor } = state
  const cursor = awaitedCursor(rows) ?? selectedRow(rows)?.cursor ?? anchor
  const generation = state.generation + 1
  const isSameOrder = query.isByTime === state.query.isByTime
  const next: State = {
    ...state,
    query,
    former: state.query,
    refused: undefined,
    generation,
    counts: undefined,
    anchor: isSameOrder ? cursor : undefined,
  }
  const kept: Place =
    cursor !== undefined && isSameOrder && isPaged(query)
      ? { kind: 'around', cursor }
      : { kind: 'start' }
  const place: Place = state.isFollowing && isPaged(query) ? { kind: 'end' } : kept
  return counting(moving(next, place, line))
}

/** Restores the query before the last change. `:` edits the query whose rows could not be shown. */
export function unchanged(state: State, former: ViewQuery): State {
  const restored = changed({ ...state, removed: [] }, former)
  return { ...restored, former: undefined, refused: aplOf(state.query) }
}

/** Makes the requests for rows and counts again. The results of all earlier requests are ignored. */
export function renewed(state: State): State {
  const { other } = state.rows.loading
  const rows = { ...state.rows, loading: IDLE }
  const next = { ...state, generation: state.generation + 1, rows }
  const counted = state.isCounting ? counting(next) : next
  return other === undefined ? counted : moving(counted, other.place, other.line)
}

/** Counts the rows of the query. */
export function counting(state: State): State {
  const { generation, query, ticks } = state
  return asking({ ...state, isCounting: true }, { kind: 'counts', generation, query, ticks })
}

export function selecting(state: State, index: number): State {
  return { ...state, rows: select(state.rows, index, linesOf(state)) }
}

/** Scrolls so that the selected row is on the screen after its size has changed. */
export function resized(state: State): State {
  return { ...state, rows: within(state.rows, linesOf(state)) }
}
