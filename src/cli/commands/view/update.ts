// The model: a pure function from a state and an event to the next state and the requests to carry out.
import { foldedPage, foldedRows } from './fold.js'
import { followed, looked, missedText, toLastRead } from './move.js'
import { withFailedOriginal, withFoundOriginal, withOriginal } from './original-lines.js'
import { completed, drafted, prompting } from './press-prompt.js'
import { isPaged, isTable } from './query.js'
import type { Place, RowsPage } from './row-source.js'
import {
  isAwaited,
  missingPages,
  PAGE_ROWS,
  select,
  selectedRow,
  within,
  withoutPage,
  withPage,
} from './rows.js'
import { withSide, withSides } from './sides.js'
import {
  type Event,
  type EventOf,
  IDLE,
  isNumbered,
  isUntimed,
  linesAbove,
  linesOf,
  type Message,
  type ReadingState,
  type Rows,
  type State,
  type Step,
} from './state.js'
import {
  asking,
  changed,
  counting,
  moving,
  noting,
  pageRequest,
  resized,
  selecting,
  unchanged,
} from './step.js'
import { typed, withTyped } from './type-ahead.js'

export function update(before: State, event: Event): Step {
  const handled = withTyped(handle(before, event))
  const { requests, ...state } = withOriginal(withSides(withMissing(handled)))
  return { state: { ...state, requests: [] }, requests }
}

function handle(state: State, event: Event): State {
  // The answer is for an earlier query.
  if ('generation' in event && event.generation !== state.generation) return state
  const handler = HANDLERS[event.kind] as (state: State, event: Event) => State
  return handler(state, event)
}

const HANDLERS: {
  readonly [Kind in Event['kind']]: (state: State, event: EventOf<Kind>) => State
} = {
  key: (state, { press }) => typed(state, press),
  resize: (state, { size }) => resized({ ...state, size }),
  preview: previewed,
  ready,
  reading: read,
  follow: followed,
  note: (state, { text }) => noting(state, text),
  draft: (state, { draft }) => drafted(state, draft),
  completions: completed,
  tick: looked,
  page: paged,
  rank: ranked,
  counts: counted,
  histogram: withSide,
  facet: withSide,
  original: withFoundOriginal,
  found,
  // From the first event of the pattern on.
  pattern: (state, { query }) =>
    changed({ ...state, message: undefined, removed: [], anchor: undefined }, query),
  failed,
}

/** Adds the requests for rows that are about to be seen. */
function withMissing(state: State): State {
  const places = missingPages(state.rows, linesOf(state))
  if (places.length === 0) return state
  const loading = { ...state.rows.loading }
  for (const { kind } of places) loading[kind === 'after' ? 'after' : 'before'] = true
  const requests = places.map((place) => pageRequest(state, place))
  return asking({ ...state, rows: { ...state.rows, loading } }, ...requests)
}

function previewed(state: State, { rows: items, end }: EventOf<'preview'>): State {
  const { rows } = state
  // The rows of the service have already replaced the preview.
  if (end === 'head' && !rows.isPreview) return state
  // The user moved elsewhere while the last events were read.
  if (end === 'tail' && !isAwaited(rows, { kind: 'end' })) return state
  if (items.length === 0) return toLastRead(state)
  const selected = end === 'head' ? 0 : items.length - 1
  const isHead = end === 'head'
  const shown: Rows = {
    ...rows,
    items,
    columns: [],
    first: isHead ? 0 : undefined,
    hasStart: isHead,
    hasEnd: !isHead,
    isPreview: true,
    top: Math.max(0, selected - linesOf(state) + 1),
    selected,
    loading: IDLE,
  }
  // A new generation, because rows of the start that were requested before would replace these.
  const next = { ...state, rows: shown, generation: state.generation + 1 }
  return state.isCounting ? counting(next) : next
}

/** Reads rows: the start of files as soon as there are events or their end once all are read, the end of a dataset, or a table. */
function ready(state: State): State {
  const { reading, rows } = state
  const isMoving = rows.loading.other !== undefined
  if (isMoving || (isTail(rows) && reading?.isDone === false)) return counting(state)
  const atEnd = isPaged(state.query) && (reading === undefined || isTail(rows))
  return counting(moving(state, { kind: atEnd ? 'end' : 'start' }))
}

/** True for a preview of the end of files. */
function isTail({ isPreview, hasStart, items }: Rows): boolean {
  return isPreview && !hasStart && items.length > 0
}

function read(state: State, { reading }: EventOf<'reading'>): State {
  const { rows, isCounting } = state
  const next = resized({ ...state, reading, message: messageOf(state, reading) })
  // More rows may follow the rows that were the last ones.
  const open = { ...next, rows: rows.isPreview ? rows : { ...rows, hasEnd: false } }
  let shown: State = isPaged(state.query) ? open : next
  // The first match may be among the events that were read since.
  const { sought, generation } = state
  const isDue = sought !== undefined && (!sought.isOpen || reading.isDone)
  if (isDue && sought.request.generation === generation) {
    shown = asking({ ...shown, sought: { ...sought, isOpen: true } }, sought.request)
  }
  // A count in progress may lack the last events.
  if ((!isCounting || reading.isDone) && reading.events > 0) shown = counting(shown)
  const ticks = state.isFollowing && !isPaged(state.query)
  const isTimed = isUntimed(state) && !isUntimed(shown)
  if (isTimed || reading.replaced !== state.reading?.replaced) return reread(shown)
  if (!reading.isDone && !ticks) return shown
  const isMoving = rows.loading.other !== undefined
  if (isTail(rows) && !isMoving) return moving(shown, { kind: 'end' })
  if (reading.isDone && !state.reading?.isDone && isMerged(state)) return reread(shown)
  const isFixed = isPaged(state.query) || rows.isPreview || isMoving
  return isFixed ? shown : moving(shown, { kind: 'start', isAgain: true })
}

/** Returns the message while files are read: a new problem, which is no longer shown when it is resolved. */
function messageOf({ message, reading }: State, { trouble }: ReadingState): Message | undefined {
  if (trouble === reading?.trouble) return message
  if (trouble !== undefined) return { kind: 'error', text: trouble }
  return message?.text === reading?.trouble ? undefined : message
}

/** True when events that are read later may belong between the rows. */
function isMerged({ query, rows }: State): boolean {
  return query.isByTime && isPaged(query) && !rows.isPreview
}

/** Reads the rows on the screen, or the awaited rows, again, because others were added between them or have replaced some. */
function reread(state: State): State {
  const { other } = state.rows.loading
  if (other !== undefined) return moving(state, other.place, other.line)
  const cursor = state.rows.top === 0 ? undefined : selectedRow(state.rows)?.cursor
  const around: Place = cursor === undefined ? { kind: 'start' } : { kind: 'around', cursor }
  const place: Place = state.isFollowing ? { kind: 'end' } : around
  return moving(state, place)
}

function paged(state: State, event: EventOf<'page'>): State {
  const { place, isComplete } = event
  if (!isAwaited(state.rows, place)) {
    return { ...state, rows: withoutPage(state.rows, place) }
  }
  const read = isUntimed(state) && !isTable(state.query) ? withoutTimes(event.page) : event.page
  const found = state.isFolded ? foldedPage(read) : read
  // Events may have been stored between the response and the report that everything was read.
  const isStale = !isComplete && state.reading?.isDone === true
  const page = isStale ? { ...found, hasEnd: false } : found
  const lines = linesOf(state)
  // A count in progress replaces one that may lack events.
  const isKnown = isComplete && !state.isCounting && isNumbered(state)
  const total = isKnown ? state.counts?.total : undefined
  const placed = withPage(state.rows, { place, page, lines, total })
  const rows = state.isFolded ? within(foldedRows(placed), lines) : placed
  const isNews = place.kind === 'after' || place.kind === 'end'
  const kept = state.isFollowing && isNews ? select(rows, rows.items.length - 1, lines) : rows
  const message = state.message?.isUntilRows ? undefined : state.message
  const next = withEndNoted({ ...state, rows: kept, former: undefined, message }, place)
  if (state.reading === undefined && place.kind === 'end') return withNews(next, state.rows)
  if (rows.first !== undefined || rows.items.length === 0 || state.isFolded) return next
  const { generation, query } = next
  const first = rows.items.slice(0, PAGE_ROWS)
  return asking(next, { kind: 'rank', generation, query, rows: first })
}

/** Notes that a move has ended at the last event that was read, and not at its target. */
function withEndNoted(state: State, { kind }: Place): State {
  const { items, selected, hasEnd } = state.rows
  const isTarget = kind === 'time' || kind === 'distance'
  const isLast = hasEnd && selected === items.length - 1
  if (state.reading?.isDone !== false || !isTarget || !isLast) return state
  return noting(state, 'This is the last event that was read so far.')
}

function withoutTimes(page: RowsPage): RowsPage {
  const rows = page.rows.map((row) => ({
    ...row,
    cells: new Map([...row.cells].filter(([name]) => name !== '_time')),
  }))
  return { ...page, rows }
}

/** Counts again when a dataset has new events: at once, or when the count in progress, which may lack the events, ends. */
function withNews(state: State, before: Rows): State {
  const [former, last] = [before.items.at(-1), state.rows.items.at(-1)]
  const isFirst = former === undefined && state.counts?.total !== 0
  if (isFirst || former?.cursor === last?.cursor) return state
  const next = { ...state, ticks: state.ticks + 1 }
  return state.isCounting ? next : counting(next)
}

function ranked(state: State, { cursor, index }: EventOf<'rank'>): State {
  const { rows } = state
  const at = rows.items.findIndex((item) => item.cursor === cursor)
  return at === -1 || rows.first !== undefined
    ? state
    : { ...state, rows: { ...rows, first: index - at } }
}

function counted(state: State, event: EventOf<'counts'>): State {
  const { rows, reading } = state
  // Files only gain events, so a smaller count is an earlier one.
  const isLate = reading !== undefined && event.counts.total < (state.counts?.total ?? 0)
  const counts = isLate ? state.counts! : event.counts
  const next = { ...state, counts, isCounting: false }
  if (event.ticks !== state.ticks) return counting(next)
  const isFinal = reading?.isDone !== false
  if (!isFinal || !isNumbered(state) || !rows.hasEnd || rows.first !== undefined || rows.isPreview)
    return next
  return { ...next, rows: { ...rows, first: counts.total - rows.items.length } }
}

function found(state: State, event: EventOf<'found'>): State {
  const { cursor, what } = event
  if (cursor === undefined) {
    const { sought, reading } = state
    if (reading?.isDone === false) {
      if (sought !== undefined) return { ...state, sought: { ...sought, isOpen: false } }
      // A key ended the search before the answer: more events may match.
      return noting(state, `Stopped searching ${what}.`)
    }
    const silent = { ...state, sought: undefined }
    return noting(silent, missedText(event))
  }
  const shown = { ...state, message: undefined, sought: undefined }
  const { items, loading } = state.rows
  // Rows that are being read at another place would replace the selected one.
  const isMoving = loading.other !== undefined
  const index = isMoving ? -1 : items.findIndex((item) => item.cursor === cursor)
  if (index !== -1) return raised(shown, index)
  return moving(shown, { kind: 'around', cursor }, linesAbove(state))
}

/** Selects a row, and scrolls as far as needed to show the rows before it. */
function raised(state: State, index: number): State {
  const { rows } = state
  const lines = linesOf(state)
  const isSeen = index >= rows.top && index < rows.top + lines
  const top = isSeen ? rows.top : Math.max(0, index - linesAbove(state))
  return selecting({ ...state, rows: { ...rows, top } }, index)
}

function failed(state: State, event: EventOf<'failed'>): State {
  const { message, isRefused, request } = event
  // Failures of completions and sides are not reported, because the rows matter more.
  if (request === 'draft' || request === 'complete') return state
  if (request === 'original') return withFailedOriginal(state, message)
  if (request === 'histogram' || request === 'facet') {
    return withSide(state, { kind: request, generation: state.generation, value: undefined })
  }
  const { rows } = state
  const kept = request === 'page' ? { ...rows, loading: { ...IDLE, hasFailed: true } } : rows
  const isUntilRows = !isRefused && ['page', 'counts', 'rank'].includes(request)
  const next: State = {
    ...state,
    rows: kept,
    isCounting: state.isCounting && request !== 'counts',
    sought: request === 'find' ? undefined : state.sought,
    ahead: [],
    message: { kind: 'error', text: message, isUntilRows },
  }
  // The name is edited, unless the user does something else by now.
  if (event.file !== undefined && state.panel.kind === 'none') {
    const { panel } = prompting(next, 'save', event.file)
    return { ...next, panel: { ...panel, refused: event.file } }
  }
  // The query before one that the service refuses is restored.
  if (!isRefused || state.former === undefined || request === 'find') return next
  return unchanged(next, state.former)
}
