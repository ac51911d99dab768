// Computations beside the rows: the histogram, and the values of a field. They are repeated when the query changes, and as
// more events are read.
import { facetFields } from './facet.js'
import type { Histogram } from './histogram.js'
import { levelFields } from './levels.js'
import { rebased } from './press-spans.js'
import { isPaged } from './query.js'
import { type Asked, type Event, isUntimed, type Panel, type Request, type State } from './state.js'
import { asking, NO_PANEL } from './step.js'

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
  for (const { request, what } of shownSides(state)) {
    const { kind } = request
    const asked = askedNow(state, what)
    if (!isStale(state[kind].asked, asked)) continue
    const side = { ...state[kind], asked }
    next = asking({ ...next, [kind]: side }, request)
  }
  return next
}

interface ShownSide {
  readonly request: Request & { readonly kind: 'histogram' | 'facet' }
  /** The options of the side; it is requested again when they change. */
  readonly what: string
}

function* shownSides(state: State): Generator<ShownSide> {
  const { query, generation, size, rows, panel } = state
  if (state.isHistogramShown && !isUntimed(state)) {
    const most = size.columns - 1
    const levels = levelFields(rows)
    const what = [most, ...levels.map(({ name }) => name)].join(' ')
    yield { request: { kind: 'histogram', generation, query, levels, most }, what }
  }
  if (panel.kind === 'facet') {
    const { field } = panel
    yield { request: { kind: 'facet', generation, query, field }, what: field }
  }
}

function askedNow({ generation, reading, ticks }: State, what: string): Asked {
  const events = reading?.events ?? 0
  const isWhole = reading?.isDone !== false
  return { generation, what, events, isWhole, ticks, isOpen: true }
}

function isStale(before: Asked | undefined, now: Asked): boolean {
  if (before?.generation !== now.generation) return true
  // One request at a time.
  if (before.isOpen) return false
  if (before.what !== now.what) return true
  if (before.ticks !== now.ticks) return true
  if (now.isWhole || now.events < FEW_EVENTS) {
    return before.isWhole !== now.isWhole || now.events !== before.events
  }
  return now.events >= GROWTH * before.events
}

/** Returns the state with the result of a request for a side. */
export function withSide(
  state: State,
  event: Event & { readonly kind: 'histogram' | 'facet' },
): State {
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
    return { ...state, message: { kind: 'note', text: 'Only the values of events are counted.' } }
  }
  return { ...state, panel: { kind: 'facet', field, value: 0 } }
}
