// The texts that were entered in prompts of the session, which Up and Down recall.
import { lineOf } from './line-edit.js'
import { clamp } from './rows.js'
import type { Prompt, State } from './state.js'

/** The texts by subject, the last one first. */
export type History = Readonly<Record<string, readonly string[]>>

const MOST_TEXTS = 100

/** Returns the subject of a prompt. What was searched can be filtered, as in less, and an operator is not a whole query. */
function subjectOf({ purpose, operator }: Prompt): string {
  if (operator !== undefined) return 'operator'
  return purpose === 'search' ? 'filter' : purpose
}

/** Adds the text of a prompt. */
export function withEntered(state: State, prompt: Prompt): State {
  const { text } = prompt.line
  const subject = subjectOf(prompt)
  const others = textsOf(state, prompt).filter((one) => one !== text)
  const texts = [text, ...others].slice(0, MOST_TEXTS)
  return { ...state, history: { ...state.history, [subject]: texts } }
}

function textsOf({ history }: State, prompt: Prompt): readonly string[] {
  return history[subjectOf(prompt)] ?? []
}

const DIRECTIONS: Readonly<Record<string, 1 | -1>> = { Up: 1, 'Ctrl-P': 1, Down: -1, 'Ctrl-N': -1 }

/** Shows an earlier or a later text that begins with what was typed, as in less and vim; undefined for other keys. */
export function recalled(state: State, prompt: Prompt, key: string): Prompt | undefined {
  const by = DIRECTIONS[key]
  if (by === undefined) return undefined
  const { typed, opened } = prompt
  // The text with which a prompt opens was not typed.
  const beginning = typed.text === opened ? '' : typed.text
  const found = textsOf(state, prompt).filter(
    (text) => text.startsWith(beginning) && text !== typed.text,
  )
  const back = clamp(prompt.back + by, 0, found.length)
  const line = back === 0 ? typed : lineOf(found[back - 1]!)
  return { ...prompt, back, line }
}
