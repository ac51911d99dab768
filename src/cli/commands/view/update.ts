// The model: a pure function from a state and an event to the next state and what it asks for.
import type { KeyPress } from '../../terminal/keys.js'
import { containing, textFilter, whereValue } from './apl-text.js'
import { eventFields } from './event-fields.js'
import { type Action, actionOf } from './keymap.js'
import { levelOperator } from './levels.js'
import { edited, lineOf } from './line-edit.js'
import { aplOf, isPaged, type ViewQuery, withFilters, withOperator } from './query.js'
import type { Place } from './row-source.js'
import {
  clamp,
  missingPages,
  PAGE_ROWS,
  scroll,
  select,
  selectedRow,
  within,
  withPage,
} from './rows.js'
import {
  type Event,
  type EventPanel,
  linesOf,
  type Message,
  type Prompt,
  type Request,
  type Rows,
  type State,
  type Step,
} from './state.js'

/** Returns the state after an event, and what it asks for. */
export function update(state: State, event: Event): Step {
  const step = handled(state, event)
  return withMissing(step)
}

function handled(state: State, event: Event): Step {
  switch (event.kind) {
    case 'key':
      return pressed(state, event.press)
    case 'resize': {
      const sized = { ...state, size: event.size }
      return only({ ...sized, rows: within(state.rows, linesOf(sized)) })
    }
    case 'preview':
      return previewed(state, event)
    case 'ready':
      return ready(state)
    case 'reading':
      return read(state, event)
    case 'page':
      return event.generation === state.generation ? paged(state, event) : only(state)
    case 'rank':
      return only(event.generation === state.generation ? ranked(state, event) : state)
    case 'counts':
      return event.generation === state.generation ? counted(state, event) : only(state)
    case 'found':
      return event.generation === state.generation ? found(state, event) : only(state)
    case 'query':
      return event.query === undefined
        ? only(noting(state, 'error', event.problem ?? 'The query does not parse.'))
        : changed({ ...state, panel: NO_PANEL, removed: [] }, event.query)
    case 'time':
      if (event.time === undefined) return only(noting(state, 'error', event.problem ?? 'No time.'))
      return moving({ ...state, panel: NO_PANEL }, { kind: 'time', time: event.time })
    case 'failed':
      return failed(state, event)
    default:
      return event satisfies never
  }
}

const NO_PANEL = { kind: 'none' } as const

function only(state: State): Step {
  return { state, requests: [] }
}

function noting(state: State, kind: Message['kind'], text: string): State {
  return { ...state, message: { kind, text } }
}

/** Adds the requests for rows that are about to be seen. */
function withMissing({ state, requests }: Step): Step {
  const places = missingPages(state.rows, linesOf(state))
  if (places.length === 0) return { state, requests }
  const loading = { ...state.rows.loading }
  for (const { kind } of places) loading[kind === 'after' ? 'after' : 'before'] = true
  return {
    state: { ...state, rows: { ...state.rows, loading } },
    requests: [...requests, ...places.map((place) => pageRequest(state, place))],
  }
}

function pageRequest({ generation, query }: State, place: Place): Request {
  return { kind: 'page', generation, query, place, limit: PAGE_ROWS }
}

/** Reads the rows at another place. */
function moving(state: State, place: Place): Step {
  const rows = { ...state.rows, loading: { before: false, after: false, all: true } }
  return { state: { ...state, rows }, requests: [pageRequest(state, place)] }
}

/** Changes the query; the selected row stays, or the next one that is left. */
function changed(state: State, query: ViewQuery): Step {
  const cursor = selectedRow(state.rows)?.cursor ?? state.anchor
  const generation = state.generation + 1
  const next: State = {
    ...state,
    query,
    former: state.query,
    generation,
    counts: undefined,
    isCounting: true,
    anchor: cursor,
  }
  const isSameOrder =
    isPaged(query) && isPaged(state.query) && query.isByTime === state.query.isByTime
  const place: Place =
    cursor !== undefined && isSameOrder ? { kind: 'around', cursor } : { kind: 'start' }
  const moved = moving(next, place)
  return { ...moved, requests: [...moved.requests, countsRequest(next)] }
}

function countsRequest({ generation, query }: State): Request {
  return { kind: 'counts', generation, query }
}

// Answers

function previewed(state: State, { rows: items, end }: Event & { readonly kind: 'preview' }): Step {
  const { rows } = state
  // What the service has is better than what was read in advance.
  if (end === 'head' && !rows.isPreview) return only(state)
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
    loading: { before: false, after: false, all: false },
  }
  // Rows of the start that are on their way would replace these.
  const next = { ...state, rows: shown, generation: state.generation + 1 }
  return state.isCounting ? { state: next, requests: [countsRequest(next)] } : only(next)
}

/** The head of files is read from the service as soon as it has some of it. */
function ready(state: State): Step {
  const place: Place =
    state.reading === undefined || isTail(state.rows) ? { kind: 'end' } : { kind: 'start' }
  const moved = moving({ ...state, isCounting: true }, place)
  return { ...moved, requests: [...moved.requests, countsRequest(state)] }
}

/** True for a preview of the end of files. */
function isTail({ isPreview, hasStart, items }: Rows): boolean {
  return isPreview && !hasStart && items.length > 0
}

function read(state: State, { reading }: Event & { readonly kind: 'reading' }): Step {
  const { rows, isCounting } = state
  const next = { ...state, reading }
  // More rows may follow those that were the last.
  const open = { ...next, rows: rows.isPreview ? rows : { ...rows, hasEnd: false } }
  const requests: Request[] = []
  let shown: State = isPaged(state.query) ? open : next
  // A count in progress may lack the last events.
  if ((!isCounting || reading.isDone) && reading.events > 0) {
    shown = { ...shown, isCounting: true }
    requests.push(countsRequest(shown))
  }
  if (!reading.isDone) return { state: shown, requests }
  if (isTail(rows)) {
    const moved = moving(shown, { kind: 'end' })
    return { ...moved, requests: [...requests, ...moved.requests] }
  }
  if (isPaged(state.query) || rows.isPreview) return { state: shown, requests }
  const moved = moving(shown, { kind: 'start' })
  return { ...moved, requests: [...requests, ...moved.requests] }
}

function paged(state: State, event: Event & { readonly kind: 'page' }): Step {
  const { place, page, isComplete } = event
  const lines = linesOf(state)
  // A count in progress replaces one that may lack events.
  const total = isComplete && !state.isCounting ? state.counts?.total : undefined
  const rows = withPage(state.rows, { place, page, lines, total })
  const next: State = { ...state, rows, former: undefined }
  if (rows.first !== undefined || rows.items.length === 0) return only(next)
  const { generation, query } = next
  return {
    state: next,
    requests: [{ kind: 'rank', generation, query, rows: rows.items.slice(0, PAGE_ROWS) }],
  }
}

function ranked(state: State, { cursor, index }: Event & { readonly kind: 'rank' }): State {
  const { rows } = state
  const at = rows.items.findIndex((item) => item.cursor === cursor)
  return at === -1 || rows.first !== undefined
    ? state
    : { ...state, rows: { ...rows, first: index - at } }
}

function counted(state: State, event: Event & { readonly kind: 'counts' }): Step {
  const { rows, reading } = state
  // Files only gain events, so a smaller count is an earlier one.
  const isLate = reading !== undefined && event.counts.total < (state.counts?.total ?? 0)
  const counts = isLate ? state.counts! : event.counts
  const next = { ...state, counts, isCounting: false }
  const isFinal = reading?.isDone !== false
  if (!isFinal || !rows.hasEnd || rows.first !== undefined || rows.isPreview) return only(next)
  return only({ ...next, rows: { ...rows, first: counts.total - rows.items.length } })
}

function found(state: State, { cursor, what }: Event & { readonly kind: 'found' }): Step {
  const shown = { ...state, message: undefined }
  if (cursor === undefined) {
    const isPartial = state.reading?.isDone === false
    return only(noting(shown, 'note', `No ${what} ${isPartial ? 'so far' : 'beyond this row'}.`))
  }
  const index = state.rows.items.findIndex((item) => item.cursor === cursor)
  if (index !== -1) return only(selecting(shown, index))
  return moving(shown, { kind: 'around', cursor })
}

function failed(state: State, event: Event & { readonly kind: 'failed' }): Step {
  const { message, isRefused, generation, request } = event
  if (generation !== undefined && generation !== state.generation) return only(state)
  const idle = { ...state.rows, loading: { before: false, after: false, all: false } }
  const next = noting(
    { ...state, rows: { ...idle, hasEnd: true }, isCounting: false },
    'error',
    message,
  )
  // A query that the service refuses is taken back.
  if (!isRefused || state.former === undefined || request === 'find') return only(next)
  const { former } = state
  const restored = changed({ ...next, removed: [] }, former)
  const state_ = { ...restored.state, former: undefined, message: next.message }
  return { ...restored, state: state_ }
}

// Keys

function pressed(state: State, press: KeyPress): Step {
  const { panel } = state
  const quiet = state.message === undefined ? state : { ...state, message: undefined }
  if (press.kind === 'key' && press.name === 'Ctrl-Z')
    return { state, requests: [{ kind: 'suspend' }] }
  switch (panel.kind) {
    case 'none':
      return press.kind === 'key' ? pressedInLines(quiet, press.name) : only(quiet)
    case 'event':
      return press.kind === 'key' ? pressedInEvent(quiet, panel, press.name) : only(quiet)
    case 'help':
      return only(pressedInHelp(quiet, panel, press))
    case 'prompt':
      return pressedInPrompt(quiet, panel, press)
    default:
      return panel satisfies never
  }
}

function pressedInLines(state: State, key: string): Step {
  const action = actionOf(key)
  return action === undefined ? only(state) : done(state, action)
}

function done(state: State, action: Action): Step {
  const { rows } = state
  const lines = linesOf(state)
  switch (action) {
    case 'down':
      return only(selecting(state, rows.selected + 1))
    case 'up':
      return only(selecting(state, rows.selected - 1))
    case 'page-down':
      return only({ ...state, rows: scroll(rows, lines, lines) })
    case 'page-up':
      return only({ ...state, rows: scroll(rows, -lines, lines) })
    case 'half-down':
      return only({ ...state, rows: scroll(rows, Math.ceil(lines / 2), lines) })
    case 'half-up':
      return only({ ...state, rows: scroll(rows, -Math.ceil(lines / 2), lines) })
    case 'top':
      return toStart(state)
    case 'bottom':
      return toEnd(state)
    case 'left':
      return only({ ...state, shift: Math.max(0, state.shift - SHIFT) })
    case 'right':
      return only({ ...state, shift: state.shift + SHIFT })
    case 'search':
      return only(prompting(state, 'search', ''))
    case 'next':
    case 'previous':
      return state.search === undefined
        ? only(noting(state, 'note', 'Nothing has been searched yet: `/` searches.'))
        : finding(state, containing(state.search), {
            what: `\`${state.search}\``,
            direction: action,
          })
    case 'next-error':
    case 'previous-error':
    case 'next-warning':
    case 'previous-warning': {
      const [direction, what] = action.split('-') as ['next' | 'previous', 'error' | 'warning']
      return finding(state, levelOperator(what, rows), { what, direction })
    }
    case 'time':
      return only(prompting(state, 'time', ''))
    case 'event':
      return only(opened(state, { isBrief: false }))
    case 'keep':
    case 'exclude':
    case 'at-most':
    case 'at-least':
      return only(
        noting(opened(state, { isBrief: true }), 'note', 'Choose a field, then press = ! < or >.'),
      )
    case 'filter':
      return only(prompting(state, 'filter', ''))
    case 'drop':
      return dropped(state)
    case 'restore':
      return restored(state)
    case 'toggle':
      return toggled(state)
    case 'query':
      return only(prompting(state, 'query', aplOf(state.query)))
    case 'help':
      return only({ ...state, panel: { kind: 'help', filter: lineOf(''), top: 0 } })
    case 'redraw':
    case 'suspend':
    case 'quit':
      return { state, requests: [{ kind: action }] }
    default:
      return action satisfies never
  }
}

/** The number of columns of one step to the side. */
const SHIFT = 16

function selecting(state: State, index: number): State {
  return { ...state, rows: select(state.rows, index, linesOf(state)) }
}

function prompting(state: State, purpose: Prompt['purpose'], text: string): State {
  return { ...state, panel: { kind: 'prompt', purpose, line: lineOf(text) } }
}

function toStart(state: State): Step {
  if (state.rows.hasStart) return only(selecting(state, 0))
  return moving(topmost(state), { kind: 'start' })
}

/** Puts the selection on the first line of the screen, where that of other rows will be. */
function topmost(state: State): State {
  return { ...state, rows: { ...state.rows, isPreview: false, selected: state.rows.top } }
}

function toEnd(state: State): Step {
  const { rows, reading } = state
  if (rows.hasEnd && rows.items.length > 0) return only(selecting(state, rows.items.length - 1))
  const isUnfiltered = aplOf(state.query) === aplOf({ ...state.query, operators: [] })
  if (reading?.isDone === false && isUnfiltered) {
    return { state, requests: [{ kind: 'preview', end: 'tail' }] }
  }
  const last = { ...rows, selected: rows.top + linesOf(state) - 1, isPreview: false }
  return moving({ ...state, rows: last }, { kind: 'end' })
}

interface Target {
  readonly what: string
  readonly direction: 'next' | 'previous'
}

function finding(state: State, operator: string, { what, direction }: Target): Step {
  const { generation, query, rows } = state
  if (!isPaged(query)) return only(noting(state, 'note', 'Rows of a table are not searched.'))
  const from = selectedRow(rows)?.cursor
  return {
    state: noting(state, 'note', `Searching ${what} …`),
    requests: [{ kind: 'find', generation, query, operator, what, direction, from }],
  }
}

function dropped(state: State): Step {
  const { query } = state
  const last = query.operators.at(-1)
  if (last === undefined) return only(noting(state, 'note', 'There is no operator to remove.'))
  const removed = [...state.removed, last]
  return changed({ ...state, removed }, { ...query, operators: query.operators.slice(0, -1) })
}

function restored(state: State): Step {
  const { query } = state
  const last = state.removed.at(-1)
  if (last === undefined) return only(noting(state, 'note', 'No operator was removed with `u`.'))
  const removed = state.removed.slice(0, -1)
  return changed({ ...state, removed }, { ...query, operators: [...query.operators, last] })
}

function toggled(state: State): Step {
  const filters = state.query.operators.filter(({ role }) => role === 'filter')
  if (filters.length === 0) return only(noting(state, 'note', 'There are no filters.'))
  return changed(state, withFilters(state.query, !filters.some(({ isOn }) => isOn)))
}

function opened(state: State, { isBrief }: Pick<EventPanel, 'isBrief'>): State {
  if (selectedRow(state.rows) === undefined) return state
  return { ...state, panel: { kind: 'event', field: 0, isBrief } }
}

const COMPARISONS = { '=': '==', '!': '!=', '<': '<=', '>': '>=' } as const

function pressedInEvent(state: State, panel: EventPanel, key: string): Step {
  const fields = eventFields(state)
  const last = Math.max(0, fields.length - 1)
  const at = (field: number): Step =>
    only({ ...state, panel: { ...panel, field: clamp(field, 0, last) } })
  const page = linesOf(state)
  switch (key) {
    case 'j':
    case 'Down':
      return at(panel.field + 1)
    case 'k':
    case 'Up':
      return at(panel.field - 1)
    case ' ':
    case 'PageDown':
      return at(panel.field + page)
    case 'b':
    case 'PageUp':
      return at(panel.field - page)
    case 'g':
    case 'Home':
      return at(0)
    case 'G':
    case 'End':
      return at(last)
    case 'J':
    case 'Right':
      return only(selecting(state, state.rows.selected + 1))
    case 'K':
    case 'Left':
      return only(selecting(state, state.rows.selected - 1))
    case '=':
    case '!':
    case '<':
    case '>': {
      const field = fields[panel.field]
      if (field === undefined) return only(state)
      const text = whereValue({ ...field, field: field.name, comparison: COMPARISONS[key] })
      if (text !== undefined) return added({ ...state, panel: NO_PANEL }, text)
      const why =
        key === '=' || key === '!'
          ? 'is an object or an array: choose a member of it'
          : 'is neither a number nor a time'
      return only(noting(state, 'note', `\`${field.name}\` ${why}.`))
    }
    case 'Enter':
    case 'Escape':
    case 'q':
      return only({ ...state, panel: NO_PANEL })
    case 'u':
      return dropped({ ...state, panel: NO_PANEL })
    case 'Ctrl-C':
      return { state, requests: [{ kind: 'quit' }] }
    default:
      return only(state)
  }
}

/** Adds an operator to the query. */
function added(state: State, text: string): Step {
  return changed({ ...state, removed: [] }, withOperator(state.query, text))
}

function pressedInHelp(
  state: State,
  panel: State['panel'] & { readonly kind: 'help' },
  press: KeyPress,
): State {
  const name = press.kind === 'key' ? press.name : ''
  if (name === 'Escape' || name === 'Enter' || name === 'Ctrl-C')
    return { ...state, panel: NO_PANEL }
  if (name === 'Down') return { ...state, panel: { ...panel, top: panel.top + 1 } }
  if (name === 'Up') return { ...state, panel: { ...panel, top: Math.max(0, panel.top - 1) } }
  const isLeaving = panel.filter.text === '' && (name === 'q' || name === 'Backspace')
  if (isLeaving) return { ...state, panel: NO_PANEL }
  const filter = edited(panel.filter, press)
  return filter === undefined ? state : { ...state, panel: { ...panel, filter, top: 0 } }
}

function pressedInPrompt(state: State, panel: Prompt, press: KeyPress): Step {
  const name = press.kind === 'key' ? press.name : ''
  const { line } = panel
  const closed = { ...state, panel: NO_PANEL }
  if (name === 'Escape' || name === 'Ctrl-C') return only(closed)
  if (name === 'Backspace' && line.text === '') return only(closed)
  if (name === 'Enter') return entered(closed, panel)
  const next = edited(line, press)
  return next === undefined ? only(state) : only({ ...state, panel: { ...panel, line: next } })
}

function entered(state: State, { purpose, line }: Prompt): Step {
  const text = line.text.trim()
  switch (purpose) {
    case 'filter':
      return text === '' || text === '!' ? only(state) : added(state, textFilter(text))
    case 'search': {
      const search = text === '' ? state.search : text
      if (search === undefined) return only(state)
      return done({ ...state, search }, 'next')
    }
    case 'query':
      return { state: prompting(state, purpose, line.text), requests: [{ kind: 'parse', text }] }
    case 'time':
      return text === '' ? only(state) : { state, requests: [{ kind: 'parse-time', text }] }
    default:
      return purpose satisfies never
  }
}
