// Computations beside the rows: the histogram, and the values of a field. They are repeated when the query changes, and as
// more events are read.
import { facetFields } from './facet.js'
import type { Histogram } from './histogram.js'
import { levelFields } from './levels.js'
import { rebased } from './press-spans.js'
import { isPaged } from './query.js'
import {
  type Asked,
  type EventOf,
  isUntimed,
  type Panel,
  type ReadingState,
  type RequestOf,
  type State,
} from './state.js'
import { asking, NO_PANEL, refusing } from './step.js'

/** Up to this number of events, sides are computed again with each report of more events. */
const FEW_EVENTS = 100_000
/** With more events, sides are computed again when their number has grown by this factor. */
const GROWTH = 1.3

/** Adds the requests for the sides that are shown and out of date. */
export function withSides(state: State): State {
  const { rows, query } = state
  const isMoving = rows.loading.other !== undefined
  if (rows.isPreview || isMoving || !isPaged(query)) return state
  let next = state
  const { generation, ticks, reading } = state
  const isWhole = reading?.isDone !== false
  for (const request of shownSides(state)) {
    const { kind } = request
    const options = kind === 'facet' ? request.field : [request.most, ...request.levels]
    const of = JSON.stringify([options, ticks, isWhole, eventsSeen(reading)])
    const before = state[kind].asked
    // One request at a time.
    const isCurrent = before?.generation === generation && (before.isOpen || before.of === of)
    if (isCurrent) continue
    const side = { ...state[kind], asked: { generation, of, isWhole, isOpen: true } }
    next = asking({ ...next, [kind]: side }, request)
  }
  return next
}

function* shownSides(state: State): Generator<RequestOf<'histogram' | 'facet'>> {
  const { query, generation, size, rows, panel } = state
  if (state.isHistogramShown && !isUntimed(state)) {
    const levels = levelFields(rows)
    yield { kind: 'histogram', generation, query, levels, most: size.columns - 1 }
  }
  if (panel.kind === 'facet') yield { kind: 'facet', generation, query, field: panel.field }
}

/** Returns the number of events for which sides are computed; many events grow in steps. */
function eventsSeen(reading: ReadingState | undefined): number {
  const { events = 0, isDone } = reading ?? {}
  if (isDone || events < FEW_EVENTS) return events
  return Math.floor(Math.log(events) / Math.log(GROWTH))
}

/** Returns the state with the result of a request for a side. */
export function withSide(state: State, event: EventOf<'histogram' | 'facet'>): State {
  if (event.kind === 'histogram') {
    const histogram = { value: event.value, asked: closed(state.histogram.asked) }
    return { ...state, histogram, panel: panelOn(state, event.value) }
  }
  return { ...state, facet: { value: event.value, asked: closed(state.facet.asked) } }
}

/** Returns the panel for other bars: a choice of spans stays at its times, and ends when there are no bars. */
function panelOn({ panel, histogram }: State, bars: Histogram | undefined): Panel {
  if (panel.kind !== 'spans' || histogram.value === undefined) return panel
  return bars === undefined ? NO_PANEL : rebased(panel, histogram.value, bars)
}

function closed(asked: Asked | undefined): Asked | undefined {
  return asked && { ...asked, isOpen: false }
}

/** Shows the values of a field; without a name, of the field that was shown last, or of the first field. */
export function openFacet(state: State, name: string | undefined): State {
  const field = name ?? state.facet.value?.field ?? facetFields(state.rows)[0]
  if (field === undefined || !isPaged(state.query)) {
    return refusing(state, 'Only the values of events are counted.')
  }
  return { ...state, panel: { kind: 'facet', field, value: 0 } }
}
