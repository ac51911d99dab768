// The lines of the selected event as they were written, below its fields.
import { isPaged } from './query.js'
import { selectedRow } from './rows.js'
import type { EventOf, State } from './state.js'
import { asking } from './step.js'

/** The shown part of an original: the place of its lines, and their text or a note. */
export interface ShownOriginal {
  readonly place: string
  readonly text: string
  /** True when the text does not belong to the event. */
  readonly isNote: boolean
}

/** Adds the request for the original of the event whose fields are shown. */
export function withOriginal(state: State): State {
  const { panel, original, generation, reading } = state
  const cursor = selectedRow(state.rows)?.cursor
  if (panel.kind !== 'event' || reading === undefined || cursor === undefined) return state
  // The answer of a request for an earlier query was dropped.
  const isAsked = original?.generation === generation || original?.found !== undefined
  if (original?.cursor === cursor && isAsked) return state
  const asked = { ...state, original: { cursor, generation, found: undefined } }
  return asking(asked, { kind: 'original', cursor })
}

/** Returns the state with the answer of a request, unless it is for another event. */
export function withFoundOriginal(state: State, { cursor, found }: EventOf<'original'>): State {
  const { original } = state
  return original?.cursor === cursor ? { ...state, original: { ...original, found } } : state
}

/** Returns the state after a request has failed. */
export function withFailedOriginal(state: State, reason: string): State {
  const { original } = state
  if (original === undefined || original.found !== undefined) return state
  return { ...state, original: { ...original, found: { kind: 'missing', reason } } }
}

/** Returns the original of the selected event; undefined where events have no lines, and for other rows than events. */
export function shownOriginal(
  state: Pick<State, 'rows' | 'query' | 'reading' | 'original'>,
): ShownOriginal | undefined {
  const { rows, query, reading, original } = state
  const row = selectedRow(rows)
  if (row === undefined || reading === undefined || !isPaged(query)) return undefined
  const isOfRow = original !== undefined && original.cursor === row.cursor
  const found = isOfRow ? original.found : undefined
  if (found === null) return undefined
  if (found === undefined) return { place: '', text: 'reading…', isNote: true }
  if (found.kind === 'missing') return { place: '', text: found.reason, isNote: true }
  return { place: found.place, text: found.text, isNote: false }
}
