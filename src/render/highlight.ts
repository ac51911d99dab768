import { escapeRegex } from '../text/escape-regex.js'
import type { Paint } from './paint.js'

export interface Needle {
  readonly text: string
  readonly isCaseSensitive: boolean
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: an escape character begins the sequence of a color.
const COLOR = /(\u001b\[[\d;]*m)/

/** Marks the occurrences of a string in a text that may be colored. */
export function highlight(
  text: string,
  { text: needle, isCaseSensitive }: Needle,
  paint: Paint,
): string {
  const pattern = new RegExp(escapeRegex(needle), isCaseSensitive ? 'gu' : 'giu')
  return text
    .split(COLOR)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(pattern, (found) => paint('match', found)),
    )
    .join('')
}
