// Handles keys in the prompt.
import type { KeyPress } from '../../terminal/keys.js'
import { textFilter } from './apl-text.js'
import { edited, type LineEdit, lineOf } from './line-edit.js'
import { searched } from './move.js'
import { added } from './operators.js'
import { isPaged } from './query.js'
import { recalled, withEntered } from './recall.js'
import {
  type Draft,
  type Event,
  linesOf,
  type Prompt,
  type Request,
  type State,
  type Step,
} from './state.js'
import { NO_PANEL, noting, only } from './step.js'

export function pressedInPrompt(state: State, panel: Prompt, press: KeyPress): Step {
  const name = press.kind === 'key' ? press.name : ''
  const { line } = panel
  const closed = { ...state, panel: NO_PANEL }
  if (name === 'Escape' || name === 'Ctrl-C') return only(closed)
  if (name === 'Backspace' && line.text === '') return only(closed)
  if (name === 'Enter') return entered(closed, panel)
  if (name === 'Tab' && panel.purpose === 'query') {
    return { state, requests: [{ kind: 'complete', text: line.text.slice(0, line.cursor) }] }
  }
  const next = recalled(state, panel, name) ?? withEdit(panel, press)
  if (next === undefined) return only(state)
  const changed = { ...next, candidates: undefined }
  return { state: { ...state, panel: changed }, requests: draftRequests(state, changed) }
}

function withEdit(panel: Prompt, press: KeyPress): Prompt | undefined {
  const line = edited(panel.line, press)
  return line && withLine(panel, line)
}

function withLine(panel: Prompt, line: LineEdit): Prompt {
  return { ...panel, line, typed: line, back: 0 }
}

/** Returns the request for the events that the text of a prompt keeps. */
function draftRequests(state: State, { purpose, line, operator }: Prompt): readonly Request[] {
  const { query, rows } = state
  const cursor = rows.items[rows.top]?.cursor
  const isQuery = purpose === 'filter' || purpose === 'query'
  if (!isQuery || cursor === undefined || !isPaged(query) || line.text.trim() === '') return []
  const lines = linesOf(state)
  return [{ kind: 'draft', purpose, text: line.text, query, operator, cursor, lines }]
}

/** Shows the events that the text of the prompt keeps. */
export function drafted(state: State, draft: Draft): State {
  const { panel } = state
  return panel.kind === 'prompt' && panel.line.text === draft.text
    ? { ...state, panel: { ...panel, draft } }
    : state
}

/** Inserts the common beginning of all completions, and lists them. */
export function completed(
  state: State,
  { text, written, candidates }: Event & { readonly kind: 'completions' },
): State {
  const { panel } = state
  if (panel.kind !== 'prompt') return state
  const { line } = panel
  if (line.text.slice(0, line.cursor) !== text) return state
  const common = commonBeginning(candidates)
  const before = common.startsWith(written)
    ? text.slice(0, text.length - written.length) + common
    : text
  const next = { text: before + line.text.slice(line.cursor), cursor: before.length }
  return {
    ...state,
    panel: { ...withLine(panel, next), candidates: candidates.length > 1 ? candidates : [] },
  }
}

function commonBeginning([first = '', ...others]: readonly string[]): string {
  let length = first.length
  for (const other of others) {
    while (!other.startsWith(first.slice(0, length))) length -= 1
  }
  return first.slice(0, length)
}

function entered(before: State, prompt: Prompt): Step {
  const { purpose, line, operator } = prompt
  const text = line.text.trim()
  const state = text === '' ? before : withEntered(before, prompt)
  switch (purpose) {
    case 'filter':
      return text === '' || text === '!' ? only(state) : added(state, textFilter(line.text))
    case 'search': {
      const search = text === '' ? state.search : line.text
      if (search === undefined) return only(state)
      return searched({ ...state, search }, 'next')
    }
    case 'query':
      return {
        state: { ...state, panel: { ...prompt, candidates: undefined } },
        requests: [{ kind: 'parse', text, query: state.query, operator }],
      }
    case 'time':
      if (text === '') return only(state)
      // Stays open until the time is known to be one.
      return { state: { ...state, panel: prompt }, requests: [{ kind: 'parse-time', text }] }
    case 'save': {
      if (text === '') return only(state)
      const { query, counts, rows } = state
      const limit = Math.max(counts?.total ?? 0, rows.items.length, 1)
      return {
        state: noting(state, 'note', 'Saving …'),
        requests: [{ kind: 'save', query, file: text, replaces: text === prompt.refused, limit }],
      }
    }
    default:
      return purpose satisfies never
  }
}

/** Opens the prompt. `operator` is the index of the operator that the text replaces. */
export function prompting(
  state: State,
  purpose: Prompt['purpose'],
  text: string,
  operator?: number,
): State & { readonly panel: Prompt } {
  const line = lineOf(text)
  const typed = { opened: text, typed: line, back: 0 }
  return { ...state, panel: { kind: 'prompt', purpose, line, ...typed, operator } }
}
