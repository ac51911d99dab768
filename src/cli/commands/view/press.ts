// The keys of the lines.
import type { KeyPress } from '../../terminal/keys.js'
import { type Action, actionOf, isDigit, SEARCHES } from './keymap.js'
import { levelOperator } from './levels.js'
import { lineOf } from './line-edit.js'
import { beforeJump, markAction, withLetter } from './marks.js'
import {
  finding,
  followed,
  refolded,
  searched,
  toEnd,
  toItem,
  toPercent,
  toRow,
  toStart,
} from './move.js'
import { dropped, entered, patterned, restored, toggled, widened } from './operators.js'
import { openOperators, pressedInOperators } from './press-operators.js'
import { copiedEvent, pressedInEvent, pressedInFacet, pressedInHelp } from './press-panel.js'
import { pressedInPrompt, prompting } from './press-prompt.js'
import { openSpans, pressedInSpans } from './press-spans.js'
import { aplOf, isTable, isWhole } from './query.js'
import { scroll, selectedRow } from './rows.js'
import { rowsThatFit } from './screen-lines.js'
import { openFacet } from './sides.js'
import {
  hiddenReason,
  IDLE,
  linesOf,
  type Panel,
  type State,
  type Target,
  untimedReason,
} from './state.js'
import {
  asking,
  changed,
  moving,
  NO_PANEL,
  noting,
  renewed,
  resized,
  selecting,
  unchanged,
} from './step.js'

export function pressed(state: State, press: KeyPress): State {
  const { panel } = state
  const key = press.kind === 'key' ? press.name : undefined
  const { sought } = state
  // The search has reached the last event that was read, and waits for more.
  const isEnded = sought?.isOpen === false || (sought !== undefined && key === 'Ctrl-C')
  const silent = retrying({ ...state, message: undefined, sought: undefined })
  const quiet = isEnded ? noting(silent, `Stopped searching ${sought.request.what}.`) : silent
  if (key === 'Ctrl-Z') return asking(state, { kind: 'suspend' })
  if (key === 'Ctrl-L') return asking(state, { kind: 'redraw' })
  if (panel.kind === 'help') return pressedInHelp(quiet, panel, press)
  if (panel.kind === 'prompt') return pressedInPrompt(quiet, panel, press)
  if (key === undefined) return quiet
  if (state.marking !== undefined && panel.kind === 'none') return withLetter(quiet, key)
  const isCancelled = state.digits !== '' && (key === 'Ctrl-C' || key === 'Escape')
  if (isCancelled && sought === undefined) return { ...quiet, digits: '' }
  if (key === 'Ctrl-C' && sought !== undefined) return stopped(quiet, sought)
  if (key === 'Ctrl-C') return interrupted(quiet)
  if (panel.kind === 'none') return pressedInLines(quiet, key)
  if (key === 'Escape' || key === 'q') return { ...quiet, panel: NO_PANEL }
  return pressedInPanel(quiet, panel, key) ?? pressedAnywhere(quiet, key)
}

/** Returns the state after a key of a panel; undefined for another key. */
function pressedInPanel(
  state: State,
  panel: Exclude<Panel, { readonly kind: 'none' | 'help' | 'prompt' }>,
  key: string,
): State | undefined {
  switch (panel.kind) {
    case 'event':
      return pressedInEvent(state, panel, key)
    case 'facet':
      return pressedInFacet(state, panel, key)
    case 'spans':
      return pressedInSpans(state, panel, key)
    case 'operators':
      return pressedInOperators(state, panel, key)
    default:
      return panel satisfies never
  }
}

/** The keys that do the same in panels as in the lines. */
const ANYWHERE: readonly Action[] = ['help', 'drop', 'restore', 'toggle']

function pressedAnywhere(state: State, key: string): State {
  const action = actionOf(key)
  if (action === undefined || !ANYWHERE.includes(action)) return unassigned(state, key)
  // The event may not be among the rows of another query.
  const shown = state.panel.kind === 'event' ? { ...state, panel: NO_PANEL } : state
  return STEPS[action](shown, undefined)
}

function unassigned(state: State, key: string): State {
  return noting(state, `\`${key}\` does nothing here; ? lists the keys.`)
}

/** Ends a search. If it runs, all requests are made again but the request of the search, whose result would be shown. */
function stopped(state: State, { isOpen }: NonNullable<State['sought']>): State {
  return isOpen ? renewed(state) : state
}

/** Ends a query without rows yet, or a move to a row that may be far from the rows that are held; leaves if there is neither. */
function interrupted(state: State): State {
  const { rows, former } = state
  const { other } = rows.loading
  if (former !== undefined && other !== undefined) {
    return unchanged(noting(state, 'Stopped the query; `:` edits it.'), former)
  }
  if (other?.place.kind !== 'distance') return leaving(state)
  const still = renewed({ ...state, rows: { ...rows, loading: IDLE } })
  // The rows of a preview are always replaced by the rows of the service.
  return rows.isPreview ? moving(still, { kind: 'start' }) : still
}

function leaving(state: State): State {
  return asking(state, { kind: 'quit' })
}

/** Pages that could not be read are requested again. */
function retrying(state: State): State {
  const { rows, query, former } = state
  if (!rows.loading.hasFailed) return state
  // The rows of the former query are still on the screen.
  if (former !== undefined) return { ...changed(state, query), former }
  return { ...state, rows: { ...rows, loading: { ...rows.loading, hasFailed: false } } }
}

function pressedInLines(state: State, key: string): State {
  const { digits } = state
  if (isDigit(key)) return { ...state, digits: (digits + key).slice(0, MOST_DIGITS) }
  if (key === 'Backspace') return { ...state, digits: digits.slice(0, -1) }
  const next = { ...state, digits: '' }
  const action = actionOf(key)
  if (action === undefined) return key === 'Escape' ? next : unassigned(next, key)
  const count = digits === '' ? undefined : Number(digits)
  const isToRow = action === 'bottom' && count !== undefined
  const isLeaving = state.isFollowing && (isToRow || LEAVING_END.includes(action))
  const from = beforeJump(next, action)
  return STEPS[action](isLeaving ? { ...from, isFollowing: false } : from, count)
}

/** The most digits of a number, which is exact in JavaScript. */
const MOST_DIGITS = 12

/** Keys that leave the last row, so that it is no longer followed. */
const LEAVING_END: readonly Action[] = [
  ...(['up', 'page-up', 'half-up', 'top', 'percent', 'time', 'search'] as const),
  ...SEARCHES,
]

/** The actions of keys; `count` is the number that was typed in front of a key. */
const STEPS: Readonly<Record<Action, (state: State, count: number | undefined) => State>> = {
  down: (state, count) => stepped(state, 1, count),
  up: (state, count) => stepped(state, -1, count),
  'page-down': (state, count) => scrolled(state, { count, screens: 1 }),
  'page-up': (state, count) => scrolled(state, { count, screens: -1 }),
  'half-down': (state, count) => scrolled(state, { count, screens: 0.5 }),
  'half-up': (state, count) => scrolled(state, { count, screens: -0.5 }),
  top: (state, count) => (count === undefined ? toStart(state) : toRow(state, count)),
  bottom: (state, count) => (count === undefined ? toEnd(state) : toRow(state, count)),
  percent: toPercent,
  mark: markAction('mark'),
  'to-mark': markAction('to-mark'),
  follow: (state) => (state.isFollowing ? { ...state, isFollowing: false } : followed(state)),
  left: (state, count = SHIFT) => ({ ...state, shift: Math.max(0, state.shift - count) }),
  // Wrapped lines are cut, because scrolled ones would lose the beginning of each line of the screen.
  right: (state, count = SHIFT) => ({ ...state, isWrapped: false, shift: state.shift + count }),
  search: (state) => prompting(state, 'search', ''),
  next: (state, count) => searched(state, 'next', count),
  previous: (state, count) => searched(state, 'previous', count),
  'next-error': findingLevel('next', 'error'),
  'previous-error': findingLevel('previous', 'error'),
  'next-warning': findingLevel('next', 'warning'),
  'previous-warning': findingLevel('previous', 'warning'),
  time: timing,
  event: (state) => entered(state) ?? opened(state),
  patterns: patterned,
  changes: openSpans,
  'more-context': (state) => widened(state, 1),
  'less-context': (state) => widened(state, -1),
  compare: comparing,
  filter: (state) => prompting(state, 'filter', ''),
  drop: dropped,
  restore: restored,
  toggle: toggled,
  query: editing,
  operators: openOperators,
  'copy-event': copiedEvent,
  'copy-command': (state) =>
    asking(noting(state, 'The command is copied.'), { kind: 'copy', text: undefined }),
  save: (state) => prompting(state, 'save', ''),
  facet: (state) => openFacet(state, undefined),
  fold: refolded,
  wrap: wrapped,
  histogram: toggledHistogram,
  help: (state) => ({ ...state, panel: { kind: 'help', filter: lineOf(''), top: 0 } }),
  redraw: (state) => asking(state, { kind: 'redraw' }),
  suspend: (state) => asking(state, { kind: 'suspend' }),
  interrupt: leaving,
  quit: leaving,
}

/** Edits the query, or the query that was refused or stopped. */
function editing(state: State): State {
  const { query, refused } = state
  const text = refused ?? (isWhole(query) ? '' : aplOf(query))
  return prompting({ ...state, refused: undefined }, 'query', text)
}

function stepped(state: State, direction: 1 | -1, count: number | undefined): State {
  const { selected } = state.rows
  return count === undefined
    ? selecting(state, selected + direction)
    : toItem(state, selected + direction * count)
}

/** Scrolls by a number of rows, or by a part of the screen. */
function scrolled(
  state: State,
  { count, screens }: { readonly count: number | undefined; readonly screens: number },
): State {
  const { rows } = state
  const direction = screens > 0 ? 1 : -1
  const lines = linesOf(state)
  const by = count ?? rowsThatFit(state, Math.ceil(lines * Math.abs(screens)), direction)
  const isFar = by > lines
  if (isFar) return toItem(state, rows.selected + direction * by)
  return { ...state, rows: scroll(rows, direction * by, lines) }
}

function findingLevel(direction: Target['direction'], what: 'error' | 'warning') {
  return (state: State, nth = 1): State =>
    finding(state, levelOperator(what, state.rows), { what, direction, nth })
}

/** Asks for the time to go to. */
function timing(state: State): State {
  const untimed = untimedReason(state)
  return untimed === undefined ? prompting(state, 'time', '') : noting(state, untimed)
}

function wrapped(state: State): State {
  if (isTable(state.query)) return noting(state, 'Only the lines of events are wrapped.')
  const isWrapped = !state.isWrapped
  const text = isWrapped ? 'Long lines are wrapped.' : 'Long lines are cut.'
  return noting({ ...state, isWrapped, shift: 0 }, text)
}

/** Hides the events over time, or shows them. */
function toggledHistogram(state: State): State {
  const hidden = hiddenReason(state)
  return hidden === undefined
    ? resized({ ...state, isHistogramShown: !state.isHistogramShown })
    : noting(state, hidden)
}

/** Chooses the field whose value is compared. */
function comparing(state: State): State {
  return noting(opened(state), 'Choose a field, then press = ! < or >.')
}

/** The number of columns of one step to the side. */
const SHIFT = 16

/** Shows the fields of the selected event. */
function opened(state: State): State {
  if (selectedRow(state.rows) === undefined) return state
  return { ...state, panel: { kind: 'event', field: 0, scroll: 0, columns: [] } }
}
