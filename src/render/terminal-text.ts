// Terminals obey escape sequences, and the text of events, names and responses is untrusted. All text for a terminal passes
// `terminalText`, which escapes every sequence except the colors of this program. It knows these by a mark: numbers drawn at
// random for this process, so that no event can contain a sequence that passes.

import { unicodeEscape } from '../text/control-escapes.js'
import { CONTROLS } from './escape-controls.js'

/** The form of color sequences: none, plain ones for a file or a pipe, or ones with the mark that `terminalText` accepts. */
export type Color = 'none' | 'plain' | 'terminal'

interface Mark {
  /** The parameters that begin each color sequence of this program. */
  readonly parameters: string
  /** Matches a color sequence with the mark, or a control character. */
  readonly pattern: RegExp
}

let drawn: Mark | undefined

/** Draws the mark on first use. Programs that measure colored text accept up to six parameters of up to four digits. */
function mark(): Mark {
  if (drawn !== undefined) return drawn
  const numbers = crypto.getRandomValues(new Uint16Array(4))
  const parameters = Array.from(numbers, (number) => 1_000 + (number % 9_000)).join(';')
  // One pattern finds both in one pass, because the text may be long.
  const pattern = new RegExp(`\\u001b\\[${parameters};([\\d;]+)m|[${CONTROLS}]`, 'g')
  drawn = { parameters, pattern }
  return drawn
}

/** Returns the sequence that turns a color or a style on or off, by its numbers in the standard ECMA-48. */
export function colorSequence(numbers: string, color: Color): string {
  switch (color) {
    case 'none':
      return ''
    case 'plain':
      return `\u001b[${numbers}m`
    case 'terminal':
      return `\u001b[${mark().parameters};${numbers}m`
    default:
      return color satisfies never
  }
}

/** Returns text that is safe to write to a terminal: only line feeds, tabs and colors of this program control it. */
export function terminalText(text: string): string {
  return text.replace(mark().pattern, (found, numbers: string | undefined) =>
    numbers === undefined ? unicodeEscape(found) : `\u001b[${numbers}m`,
  )
}
