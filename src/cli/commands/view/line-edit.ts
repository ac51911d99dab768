import { graphemes } from '../../../text/width.js'
import type { KeyPress } from '../../terminal/keys.js'

export interface LineEdit {
  readonly text: string
  /** The offset of the cursor in code units. */
  readonly cursor: number
}

/** Returns a line with the cursor at its end. */
export function lineOf(text: string): LineEdit {
  return { text, cursor: text.length }
}

/** Returns the line after a key; undefined when the key is not for editing. */
export function edited(line: LineEdit, press: KeyPress): LineEdit | undefined {
  const { text, cursor } = line
  if (press.kind === 'paste') return inserted(line, press.text.replace(/\s+/g, ' '))
  const { name } = press
  switch (name) {
    case 'Left':
    case 'Ctrl-B':
      return { text, cursor: before(text, cursor) }
    case 'Right':
      return { text, cursor: after(text, cursor) }
    case 'Home':
    case 'Ctrl-A':
      return { text, cursor: 0 }
    case 'End':
    case 'Ctrl-E':
      return lineOf(text)
    case 'Backspace': {
      const from = before(text, cursor)
      return { text: text.slice(0, from) + text.slice(cursor), cursor: from }
    }
    case 'Delete':
    case 'Ctrl-D':
      return { text: text.slice(0, cursor) + text.slice(after(text, cursor)), cursor }
    case 'Ctrl-U':
      return { text: text.slice(cursor), cursor: 0 }
    case 'Ctrl-K':
      return lineOf(text.slice(0, cursor))
    case 'Ctrl-W': {
      const kept = withoutLastWord(text.slice(0, cursor))
      return { text: kept + text.slice(cursor), cursor: kept.length }
    }
    default:
      // Other keys have names of several letters.
      return [...name].length === 1 && !/\p{Cc}/u.test(name) ? inserted(line, name) : undefined
  }
}

function inserted({ text, cursor }: LineEdit, more: string): LineEdit {
  return {
    text: text.slice(0, cursor) + more + text.slice(cursor),
    cursor: cursor + more.length,
  }
}

/** An expression for the last word would try each character of a long text as its start. */
function withoutLastWord(text: string): string {
  const word = text.trimEnd()
  if (word === '') return text
  let from = word.length
  while (from > 0 && !/\s/.test(word[from - 1]!)) from -= 1
  return text.slice(0, from)
}

/** The most code units of a character that is made of several. */
const LONGEST = 64

/** Returns the offset of the character in front of the cursor, with its marks or the parts of an emoji. */
function before(text: string, cursor: number): number {
  const near = text.slice(Math.max(0, cursor - LONGEST), cursor)
  return cursor - (graphemes(near).at(-1)?.length ?? 0)
}

function after(text: string, cursor: number): number {
  const [character = ''] = graphemes(text.slice(cursor, cursor + LONGEST))
  return cursor + character.length
}
