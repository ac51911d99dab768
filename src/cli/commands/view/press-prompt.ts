// Keys in the line at the bottom.
import type { KeyPress } from '../../terminal/keys.js'
import { textFilter } from './apl-text.js'
import { edited, lineOf } from './line-edit.js'
import { searched } from './move.js'
import { added } from './operators.js'
import type { Prompt, State, Step } from './state.js'
import { NO_PANEL, noting, only } from './step.js'

export function pressedInPrompt(state: State, panel: Prompt, press: KeyPress): Step {
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
      return searched({ ...state, search }, 'next')
    }
    case 'query':
      return { state: prompting(state, purpose, line.text), requests: [{ kind: 'parse', text }] }
    case 'time':
      return text === '' ? only(state) : { state, requests: [{ kind: 'parse-time', text }] }
    case 'save': {
      if (text === '') return only(state)
      const { query, counts, rows } = state
      const limit = Math.max(counts?.total ?? 0, rows.items.length, 1)
      return {
        state: noting(state, 'note', 'Saving …'),
        requests: [{ kind: 'save', query, file: text, limit }],
      }
    }
    default:
      return purpose satisfies never
  }
}

export function prompting(state: State, purpose: Prompt['purpose'], text: string): State {
  return { ...state, panel: { kind: 'prompt', purpose, line: lineOf(text) } }
}
