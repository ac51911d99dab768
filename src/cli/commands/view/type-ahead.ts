// Keys that are typed while rows at another place are read, or a search runs. They are handled one after the other from there, so
// that `nn` goes to the second match, and `Gk` to the last row but one.
import type { KeyPress } from '../../terminal/keys.js'
import { type Action, actionOf, isDigit, SEARCHES } from './keymap.js'
import { pressed } from './press.js'
import type { State } from './state.js'

/** The keys whose effect depends on the selected row. Other keys are handled at once, and replace the ones that wait. */
const WAITING: readonly Action[] = [
  ...(['down', 'up', 'page-down', 'page-up', 'half-down', 'half-up', 'copy-event'] as const),
  ...(['mark', 'to-mark'] as const),
  ...SEARCHES,
]

const MARKING: readonly (Action | undefined)[] = ['mark', 'to-mark']

/** Keys that other keys do not replace. */
const KEPT: readonly (Action | undefined)[] = ['mark', 'copy-event']

/** Handles a key, or keeps it until the rows before it are there. */
export function typed(state: State, press: KeyPress): State {
  const { panel, ahead } = state
  // A key belongs to the number in front of it, and a letter to `m`.
  const before = ahead.at(-1)
  const isPart = before !== undefined && (isNumber(before) || MARKING.includes(named(before)))
  const isKept = ahead.some((key) => KEPT.includes(named(key)))
  const waits =
    isPart || isKept || isNumber(press) || WAITING.some((action) => action === named(press))
  const isLater = panel.kind === 'none' && waits && (ahead.length > 0 || isBusy(state, press))
  return isLater ? { ...state, ahead: [...ahead, press] } : pressed({ ...state, ahead: [] }, press)
}

/** Adds the effect of the keys that no longer have to wait. */
export function withTyped(before: State): State {
  let state = before
  for (;;) {
    const [press, ...ahead] = state.ahead
    if (press === undefined || isBusy(state, press)) return state
    state = pressed({ ...state, ahead }, press)
  }
}

function isNumber(press: KeyPress): boolean {
  return press.kind === 'key' && isDigit(press.name)
}

function named(press: KeyPress): Action | undefined {
  return press.kind === 'key' ? actionOf(press.name) : undefined
}

function isBusy(state: State, press: KeyPress): boolean {
  const { rows, sought } = state
  const place = rows.loading.other?.place.kind
  // A search can begin at a row or a time that is not read yet.
  const isKnown = place === 'around' || place === 'time'
  const isSearch = SEARCHES.some((action) => action === named(press))
  return sought?.isOpen === true || (place !== undefined && !(isSearch && isKnown))
}
