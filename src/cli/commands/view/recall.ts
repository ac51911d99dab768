// The texts that were entered in prompts of the session, which Up and Down recall.
import type { SearchText } from './apl-text.js'
import { lineOf } from './line-edit.js'
import { clamp } from './rows.js'
import type { Prompt, State } from './state.js'

const MOST_TEXTS = 100

/** Returns the subject of the texts of a prompt. What was searched can be filtered, as in less, and an operator is not a whole query. */
function subjectOf({ purpose, operator }: Prompt): string {
  if (operator !== undefined) return 'operator'
  return purpose === 'search' ? 'filter' : purpose
}

/** Adds the text of a prompt. */
export function withEntered(state: State, prompt: Prompt): State {
  const { line, isRegex } = prompt
  const { text } = line
  const others = textsOf(state, prompt).filter(
    (one) => one.text !== text || one.isRegex !== isRegex,
  )
  const texts = [{ text, isRegex }, ...others].slice(0, MOST_TEXTS)
  return { ...state, isRegex, history: { ...state.history, [subjectOf(prompt)]: texts } }
}

function textsOf({ history }: State, prompt: Prompt): readonly SearchText[] {
  return history[subjectOf(prompt)] ?? []
}

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = { Up: 1, 'Ctrl-P': 1, Down: -1, 'Ctrl-N': -1 }

/** Shows an earlier or a later text that begins with what was typed, as in less and vim; undefined for other keys. */
export function recalled(state: State, prompt: Prompt, key: string): Prompt | undefined {
  const by = DIRECTIONS[key]
  if (by === undefined) return undefined
  const { typed, opened } = prompt
  // The text with which a prompt opens was not typed.
  const { text } = typed.line
  const beginning = text === opened ? '' : text
  const found = textsOf(state, prompt).filter(
    (one) => one.text.startsWith(beginning) && one.text !== text,
  )
  const back = clamp(prompt.back + by, 0, found.length)
  const entry = found[back - 1]
  const shown = entry === undefined ? typed : { line: lineOf(entry.text), isRegex: entry.isRegex }
  return { ...prompt, ...shown, back }
}
