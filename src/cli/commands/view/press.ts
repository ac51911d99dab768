// The keys of the lines.
import type { KeyPress } from '../../terminal/keys.js'
import { eventFields } from './event-fields.js'
import { type Action, actionOf } from './keymap.js'
import { levelOperator } from './levels.js'
import { lineOf } from './line-edit.js'
import { finding, followed, refolded, searched, toEnd, toStart } from './move.js'
import { dropped, entered, patterned, restored, toggled, widened } from './operators.js'
import { pressedInEvent, pressedInFacet, pressedInHelp } from './press-panel.js'
import { pressedInPrompt, prompting } from './press-prompt.js'
import { openSpans, pressedInSpans } from './press-spans.js'
import { aplOf, isWhole } from './query.js'
import { scroll, selectedRow } from './rows.js'
import { rowsThatFit } from './screen-lines.js'
import { openFacet } from './sides.js'
import { type EventPanel, linesOf, type State, type Step } from './state.js'
import { noting, only, resized, selecting } from './step.js'

export function pressed(state: State, press: KeyPress): Step {
  const { panel } = state
  const quiet = { ...state, message: undefined, sought: undefined }
  const key = press.kind === 'key' ? press.name : undefined
  if (key === 'Ctrl-Z') return { state, requests: [{ kind: 'suspend' }] }
  if (panel.kind === 'help') return only(pressedInHelp(quiet, panel, press))
  if (panel.kind === 'prompt') return pressedInPrompt(quiet, panel, press)
  if (key === undefined) return only(quiet)
  if (key === 'Ctrl-C') return { state, requests: [{ kind: 'quit' }] }
  switch (panel.kind) {
    case 'none':
      return pressedInLines(quiet, key)
    case 'event':
      return pressedInEvent(quiet, panel, key)
    case 'facet':
      return pressedInFacet(quiet, panel, key)
    case 'spans':
      return pressedInSpans(quiet, panel, key)
    default:
      return panel satisfies never
  }
}

function pressedInLines(state: State, key: string): Step {
  const action = actionOf(key)
  if (action === undefined) return only(state)
  const isLeaving = state.isFollowing && LEAVING_END.includes(action)
  return done(isLeaving ? { ...state, isFollowing: false } : state, action)
}

/** Keys that leave the last row, so that it is no longer followed. */
const LEAVING_END: readonly Action[] = [
  ...(['up', 'page-up', 'half-up', 'top', 'time'] as const),
  ...(['search', 'next', 'previous', 'next-error', 'previous-error'] as const),
  ...(['next-warning', 'previous-warning'] as const),
]

function done(state: State, action: Action): Step {
  const { rows } = state
  const lines = linesOf(state)
  switch (action) {
    case 'down':
      return only(selecting(state, rows.selected + 1))
    case 'up':
      return only(selecting(state, rows.selected - 1))
    case 'page-down':
      return only({ ...state, rows: scroll(rows, rowsThatFit(state, lines, 1), lines) })
    case 'page-up':
      return only({ ...state, rows: scroll(rows, -rowsThatFit(state, lines, -1), lines) })
    case 'half-down':
      return only({
        ...state,
        rows: scroll(rows, rowsThatFit(state, Math.ceil(lines / 2), 1), lines),
      })
    case 'half-up':
      return only({
        ...state,
        rows: scroll(rows, -rowsThatFit(state, Math.ceil(lines / 2), -1), lines),
      })
    case 'top':
      return toStart(state)
    case 'bottom':
      return toEnd(state)
    case 'follow':
      return state.isFollowing ? only({ ...state, isFollowing: false }) : followed(state)
    case 'left':
      return only({ ...state, shift: Math.max(0, state.shift - SHIFT) })
    case 'right':
      return only({ ...state, shift: state.shift + SHIFT })
    case 'search':
      return only(prompting(state, 'search', ''))
    case 'next':
    case 'previous':
      return searched(state, action)
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
      return entered(state) ?? only(opened(state, { isBrief: false }))
    case 'patterns':
      return patterned(state)
    case 'changes':
      return only(openSpans(state))
    case 'more-context':
      return widened(state, 1)
    case 'less-context':
      return widened(state, -1)
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
      return only(prompting(state, 'query', isWhole(state.query) ? '' : aplOf(state.query)))
    case 'copy-event':
      return copied(state)
    case 'copy-command':
      return {
        state: noting(state, 'note', 'The command is copied.'),
        requests: [{ kind: 'copy', text: undefined }],
      }
    case 'save':
      return only(prompting(state, 'save', ''))
    case 'facet':
      return only(openFacet(state, undefined))
    case 'fold':
      return refolded(state)
    case 'wrap':
      return only({ ...state, isWrapped: !state.isWrapped, shift: 0 })
    case 'histogram':
      return only(resized({ ...state, isHistogramShown: !state.isHistogramShown }))
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

function copied(state: State): Step {
  const fields = eventFields(state).filter(({ name }) => name !== '_sysTime')
  if (fields.length === 0) return only(state)
  const members = fields.map(({ name, cell }) => `${JSON.stringify(name)}:${cell}`)
  return {
    state: noting(state, 'note', 'The event is copied.'),
    requests: [{ kind: 'copy', text: `{${members.join(',')}}` }],
  }
}

/** The number of columns of one step to the side. */
const SHIFT = 16

function opened(state: State, { isBrief }: Pick<EventPanel, 'isBrief'>): State {
  if (selectedRow(state.rows) === undefined) return state
  return { ...state, panel: { kind: 'event', field: 0, isBrief } }
}
