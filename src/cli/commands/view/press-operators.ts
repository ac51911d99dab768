// Handles keys while an operator of the query is chosen.
import { HORIZONTAL, movedTo } from './list-keys.js'
import { dropped } from './operators.js'
import { prompting } from './press-prompt.js'
import { withReplaced } from './query.js'
import { clamp } from './rows.js'
import type { OperatorsPanel, State } from './state.js'
import { changed, NO_PANEL, noting } from './step.js'

/** Chooses the last operator. */
export function openOperators(state: State): State {
  const last = state.query.operators.length - 1
  if (last < 0) return noting(state, 'There is no operator yet. & and = add a filter.')
  return { ...state, panel: { kind: 'operators', operator: last } }
}

export function pressedInOperators(
  state: State,
  panel: OperatorsPanel,
  key: string,
): State | undefined {
  const { query, removed } = state
  const count = query.operators.length
  const index = clamp(panel.operator, 0, count - 1)
  const operator = query.operators[index]
  if (operator === undefined) return { ...state, panel: NO_PANEL }
  const moved = movedTo(key, HORIZONTAL, { index, count, page: count })
  if (moved !== undefined) return { ...state, panel: { ...panel, operator: moved } }
  switch (key) {
    case ' ':
      return changed(state, withReplaced(query, index, [{ ...operator, isOn: !operator.isOn }]))
    case 'Enter':
    case ':':
      return prompting(state, 'query', operator.text, index)
    case 'x':
    case 'Delete': {
      const next = count === 1 ? NO_PANEL : panel
      const without = withReplaced(query, index, [])
      return changed({ ...state, panel: next, removed: [...removed, operator] }, without)
    }
    case 'u':
      return dropped(count === 1 ? { ...state, panel: NO_PANEL } : state)
    case 'Tab':
      return { ...state, panel: NO_PANEL }
    default:
      return undefined
  }
}
