// Marks of rows by letters, as in less and vim.
import { type Action, SEARCHES } from './keymap.js'
import { isPaged } from './query.js'
import { selectedRow } from './rows.js'
import type { State } from './state.js'
import { moving, noting } from './step.js'

/** The mark of the row before the last jump. */
const BEFORE = "'"

const QUESTIONS = {
  mark: 'Mark this row with a letter.',
  'to-mark': "Type the letter of the mark, or ' for the row before the last jump.",
} as const

/** Asks for the letter of a mark. */
export function markAction(marking: keyof typeof QUESTIONS) {
  return (state: State): State => {
    if (!isPaged(state.query)) return noting(state, 'Only events have marks.')
    return noting({ ...state, marking }, QUESTIONS[marking])
  }
}

/** Sets a mark, or goes to it. Keys that are not characters do neither. */
export function withLetter(state: State, letter: string): State {
  const next = { ...state, marking: undefined }
  if ([...letter].length !== 1) return next
  if (state.marking === 'mark') {
    const marked = withMark(next, letter)
    const isMarked = marked.marks[letter] !== undefined
    return noting(marked, isMarked ? `'${letter} returns to this row.` : NOT_READ)
  }
  const cursor = state.marks[letter]
  if (cursor === undefined) return noting(next, `No row has the mark ${letter}.`)
  return moving({ ...withMark(next, BEFORE), isFollowing: false }, { kind: 'around', cursor })
}

const NOT_READ = 'The events are still being read.'

function withMark(state: State, letter: string): State {
  const cursor = selectedRow(state.rows)?.cursor
  return cursor === undefined ? state : { ...state, marks: { ...state.marks, [letter]: cursor } }
}

const JUMPS: readonly Action[] = ['top', 'bottom', 'percent', 'time', 'search', ...SEARCHES]

/** Marks the selected row if a key leads far away from it. */
export function beforeJump(state: State, action: Action): State {
  return JUMPS.includes(action) && isPaged(state.query) ? withMark(state, BEFORE) : state
}

/** Returns the letters of the marked rows by cursor. */
export function letters({ marks }: State): ReadonlyMap<string, string> {
  const named = Object.entries(marks).filter(([letter]) => letter !== BEFORE)
  return new Map(named.map(([letter, cursor]) => [cursor, letter]))
}
