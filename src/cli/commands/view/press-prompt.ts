// Handles keys in the prompt.
import type { KeyPress } from '../../terminal/keys.js'
import { textFilter } from './apl-text.js'
import { edited, type LineEdit, lineOf } from './line-edit.js'
import { searched } from './move.js'
import { added } from './operators.js'
import { regexProblem, typedQuery, typedTime } from './prompt-text.js'
import { isPaged, type ViewQuery, withOperator } from './query.js'
import { recalled, withEntered } from './recall.js'
import {
  type Draft,
  type EventOf,
  linesOf,
  type Prompt,
  type Request,
  type State,
} from './state.js'
import { asking, changed, moving, NO_PANEL, noting } from './step.js'

export function pressedInPrompt(state: State, panel: Prompt, press: KeyPress): State {
  const name = press.kind === 'key' ? press.name : ''
  const { line } = panel
  const closed = { ...state, panel: NO_PANEL }
  if (name === 'Escape' || name === 'Ctrl-C') return closed
  if (name === 'Backspace' && line.text === '') return closed
  if (name === 'Enter') return entered(closed, panel)
  if (name === 'Tab' && panel.purpose === 'query') {
    return asking(state, { kind: 'complete', text: line.text.slice(0, line.cursor) })
  }
  const isToggled = name === 'Ctrl-R' && isForText(panel)
  const next = isToggled
    ? withLine({ ...panel, isRegex: !panel.isRegex }, line)
    : (recalled(state, panel, name) ?? withEdit(panel, press))
  if (next === undefined) return state
  const prompt = { ...next, candidates: undefined }
  return asking({ ...state, panel: prompt }, ...draftRequests(state, prompt))
}

/** True for a prompt whose text may be a regular expression. */
export function isForText({ purpose }: Prompt): boolean {
  return purpose === 'search' || purpose === 'filter'
}

function withEdit(panel: Prompt, press: KeyPress): Prompt | undefined {
  const line = edited(panel.line, press)
  return line && withLine(panel, line)
}

function withLine(panel: Prompt, line: LineEdit): Prompt {
  return { ...panel, line, typed: { line, isRegex: panel.isRegex }, back: 0 }
}

/** Returns the request for the events that the text of a prompt keeps. */
function draftRequests(state: State, prompt: Prompt): readonly Request[] {
  const { query, rows } = state
  const cursor = rows.items[rows.top]?.cursor
  const { text } = prompt.line
  if (cursor === undefined || !isPaged(query) || text.trim() === '') return []
  const drafted = draftQuery(state, prompt)
  if (drafted === undefined || !isPaged(drafted)) return []
  return [{ kind: 'draft', text, query: drafted, cursor, lines: linesOf(state) }]
}

/** Returns the query that a prompt would make; undefined while its text is incomplete. */
function draftQuery(state: State, prompt: Prompt): ViewQuery | undefined {
  const { purpose, line, isRegex, operator } = prompt
  const { text } = line
  if (purpose === 'filter') return withOperator(state.query, textFilter({ text, isRegex }))
  const typed = purpose === 'query' ? typedQuery(state, text.trim(), operator) : undefined
  return typed && 'value' in typed ? typed.value : undefined
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
  { text, written, candidates }: EventOf<'completions'>,
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

function entered(before: State, prompt: Prompt): State {
  const { purpose, line, operator } = prompt
  const text = line.text.trim()
  const state = text === '' ? before : withEntered(before, prompt)
  /** Leaves the prompt open, because its text has a problem. */
  const refused = (problem: string): State => {
    const message = { kind: 'error', text: problem } as const
    return { ...state, panel: { ...prompt, candidates: undefined }, message }
  }
  switch (purpose) {
    case 'filter':
    case 'search': {
      const isChecked = text !== '' && prompt.isRegex
      const problem = isChecked ? regexProblem(state, patternIn(prompt)) : undefined
      return problem === undefined ? confirmed(state, prompt) : refused(problem)
    }
    case 'query': {
      const typed = typedQuery(state, text, operator)
      if ('problem' in typed) return refused(typed.problem)
      return changed({ ...state, removed: [] }, typed.value)
    }
    case 'time': {
      if (text === '') return state
      const typed = typedTime(state, text)
      if ('problem' in typed) return refused(typed.problem)
      return moving(state, { kind: 'time', time: typed.value })
    }
    case 'save': {
      if (text === '') return state
      const { query, counts, rows } = state
      const limit = Math.max(counts?.total ?? 0, rows.items.length, 1)
      const replaces = text === prompt.refused
      const saving = noting(state, 'Saving …')
      return asking(saving, { kind: 'save', query, file: text, replaces, limit })
    }
    default:
      return purpose satisfies never
  }
}

/** Returns the regular expression in a prompt. */
function patternIn({ purpose, line }: Prompt): string {
  return purpose === 'filter' ? line.text.replace(/^!/, '') : line.text
}

/** Searches or filters by the text of a prompt. */
function confirmed(state: State, { purpose, line: { text }, isRegex }: Prompt): State {
  const isBlank = text.trim() === ''
  if (purpose === 'filter') {
    const isNothing = isBlank || text.trim() === '!'
    return isNothing ? state : added(state, textFilter({ text, isRegex }))
  }
  const search = isBlank ? state.search : { text, isRegex }
  return search === undefined ? state : searched({ ...state, search }, 'next')
}

/** Opens the prompt. `operator` is the index of the operator that the text replaces. */
export function prompting(
  state: State,
  purpose: Prompt['purpose'],
  text: string,
  operator?: number,
): State & { readonly panel: Prompt } {
  const line = lineOf(text)
  const { isRegex } = state
  const typed = { opened: text, typed: { line, isRegex }, back: 0 }
  return { ...state, panel: { kind: 'prompt', purpose, line, isRegex, ...typed, operator } }
}
