// The keys of the lines.
import type { KeyPress } from '../../terminal/keys.js'
import { type Action, actionOf } from './keymap.js'
import { levelOperator } from './levels.js'
import { lineOf } from './line-edit.js'
import { finding, followed, refolded, searched, toEnd, toStart } from './move.js'
import { dropped, entered, patterned, restored, toggled, widened } from './operators.js'
import { openOperators, pressedInOperators } from './press-operators.js'
import { copiedEvent, pressedInEvent, pressedInFacet, pressedInHelp } from './press-panel.js'
import { pressedInPrompt, prompting } from './press-prompt.js'
import { openSpans, pressedInSpans } from './press-spans.js'
import { aplOf, isPaged, isWhole } from './query.js'
import { scroll, selectedRow } from './rows.js'
import { rowsThatFit } from './screen-lines.js'
import { openFacet } from './sides.js'
import { isUntimed, linesOf, type State, type Step } from './state.js'
import { NO_PANEL, noting, only, renewed, resized, selecting } from './step.js'

export function pressed(state: State, press: KeyPress): Step {
  const { panel } = state
  const key = press.kind === 'key' ? press.name : undefined
  const { sought } = state
  // The search has reached the last event that was read, and waits for more.
  const isEnded = sought?.isOpen === false || (sought !== undefined && key === 'Ctrl-C')
  const silent = retrying({ ...state, message: undefined, sought: undefined })
  const quiet = isEnded
    ? noting(silent, 'note', `Stopped searching ${sought.request.what}.`)
    : silent
  if (key === 'Ctrl-Z') return { state, requests: [{ kind: 'suspend' }] }
  if (panel.kind === 'help') return only(pressedInHelp(quiet, panel, press))
  if (panel.kind === 'prompt') return pressedInPrompt(quiet, panel, press)
  if (key === undefined) return only(quiet)
  if (key === 'Ctrl-C') return sought === undefined ? leaving(state) : stopped(quiet, sought)
  if (panel.kind === 'none') return pressedInLines(quiet, key)
  if (key === 'Escape' || key === 'q') return only({ ...quiet, panel: NO_PANEL })
  switch (panel.kind) {
    case 'event':
      return pressedInEvent(quiet, panel, key)
    case 'facet':
      return pressedInFacet(quiet, panel, key)
    case 'spans':
      return pressedInSpans(quiet, panel, key)
    case 'operators':
      return pressedInOperators(quiet, panel, key)
    default:
      return panel satisfies never
  }
}

/** Ends a search. If it runs, all requests are made again but that of the search, whose result would be shown. */
function stopped(state: State, { isOpen }: NonNullable<State['sought']>): Step {
  return isOpen ? renewed(state) : only(state)
}

function leaving(state: State): Step {
  return { state, requests: [{ kind: 'quit' }] }
}

/** Pages that could not be read are requested again. */
function retrying(state: State): State {
  const { rows } = state
  if (!rows.loading.hasFailed) return state
  return { ...state, rows: { ...rows, loading: { ...rows.loading, hasFailed: false } } }
}

function pressedInLines(state: State, key: string): Step {
  const action = actionOf(key)
  if (action === undefined) return only(state)
  const isLeaving = state.isFollowing && LEAVING_END.includes(action)
  return STEPS[action](isLeaving ? { ...state, isFollowing: false } : state)
}

/** Keys that leave the last row, so that it is no longer followed. */
const LEAVING_END: readonly Action[] = [
  ...(['up', 'page-up', 'half-up', 'top', 'time'] as const),
  ...(['search', 'next', 'previous', 'next-error', 'previous-error'] as const),
  ...(['next-warning', 'previous-warning'] as const),
]

const STEPS: Readonly<Record<Action, (state: State) => Step>> = {
  down: (state) => only(selecting(state, state.rows.selected + 1)),
  up: (state) => only(selecting(state, state.rows.selected - 1)),
  'page-down': (state) => scrolled(state, { lines: linesOf(state), direction: 1 }),
  'page-up': (state) => scrolled(state, { lines: linesOf(state), direction: -1 }),
  'half-down': (state) => scrolled(state, { lines: linesOf(state) / 2, direction: 1 }),
  'half-up': (state) => scrolled(state, { lines: linesOf(state) / 2, direction: -1 }),
  top: toStart,
  bottom: toEnd,
  follow: (state) => (state.isFollowing ? only({ ...state, isFollowing: false }) : followed(state)),
  left: (state) => only({ ...state, shift: Math.max(0, state.shift - SHIFT) }),
  right: (state) => only({ ...state, shift: state.shift + SHIFT }),
  search: (state) => only(prompting(state, 'search', '')),
  next: (state) => searched(state, 'next'),
  previous: (state) => searched(state, 'previous'),
  'next-error': (state) => findingLevel(state, 'next', 'error'),
  'previous-error': (state) => findingLevel(state, 'previous', 'error'),
  'next-warning': (state) => findingLevel(state, 'next', 'warning'),
  'previous-warning': (state) => findingLevel(state, 'previous', 'warning'),
  time: timing,
  event: (state) => entered(state) ?? only(opened(state)),
  patterns: patterned,
  changes: (state) => only(openSpans(state)),
  'more-context': (state) => widened(state, 1),
  'less-context': (state) => widened(state, -1),
  keep: comparing,
  exclude: comparing,
  'at-most': comparing,
  'at-least': comparing,
  filter: (state) => only(prompting(state, 'filter', '')),
  drop: dropped,
  restore: restored,
  toggle: toggled,
  query: editing,
  operators: (state) => only(openOperators(state)),
  'copy-event': copiedEvent,
  'copy-command': (state) => ({
    state: noting(state, 'note', 'The command is copied.'),
    requests: [{ kind: 'copy', text: undefined }],
  }),
  save: (state) => only(prompting(state, 'save', '')),
  facet: (state) => only(openFacet(state, undefined)),
  fold: refolded,
  wrap: (state) => only({ ...state, isWrapped: !state.isWrapped, shift: 0 }),
  histogram: (state) => only(resized({ ...state, isHistogramShown: !state.isHistogramShown })),
  help: (state) => only({ ...state, panel: { kind: 'help', filter: lineOf(''), top: 0 } }),
  redraw: (state) => ({ state, requests: [{ kind: 'redraw' }] }),
  suspend: (state) => ({ state, requests: [{ kind: 'suspend' }] }),
  interrupt: leaving,
  quit: leaving,
}

/** Edits the query, or the query that the service has refused. */
function editing(state: State): Step {
  const { query, refused } = state
  const text = refused ?? (isWhole(query) ? '' : aplOf(query))
  return only(prompting({ ...state, refused: undefined }, 'query', text))
}

function scrolled(
  state: State,
  { lines, direction }: { readonly lines: number; readonly direction: 1 | -1 },
): Step {
  const by = direction * rowsThatFit(state, Math.ceil(lines), direction)
  return only({ ...state, rows: scroll(state.rows, by, linesOf(state)) })
}

function findingLevel(
  state: State,
  direction: 'next' | 'previous',
  what: 'error' | 'warning',
): Step {
  return finding(state, levelOperator(what, state.rows), { what, direction })
}

/** Asks for the time to go to. */
function timing(state: State): Step {
  if (!isPaged(state.query)) return only(noting(state, 'note', 'Rows of a table have no times.'))
  if (isUntimed(state)) return only(noting(state, 'note', 'There are no times.'))
  return only(prompting(state, 'time', ''))
}

/** Chooses the field whose value is compared. */
function comparing(state: State): Step {
  const text = 'Choose a field, then press = ! < or >.'
  return only(noting(opened(state), 'note', text))
}

/** The number of columns of one step to the side. */
const SHIFT = 16

/** Shows the fields of the selected event. */
function opened(state: State): State {
  if (selectedRow(state.rows) === undefined) return state
  return { ...state, panel: { kind: 'event', field: 0, scroll: 0, columns: [] } }
}
