// Lines that are longer than the screen is wide.

import { escapeControls } from '../../../render/escape-controls.js'
import { graphemes, width as widthOf } from '../../../text/width.js'
import type { Piece } from './event-line.js'

/** An event does not take more rows of the screen. */
const MOST_LINES = 20

/** Divides the pieces of a line into lines of at most so many columns. */
export function wrappedPieces(
  pieces: readonly Piece[],
  width: number,
  mostLines = MOST_LINES,
): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]]
  let used = 0
  for (const { text, style } of pieces) {
    let rest = escapeControls(text)
    while (rest !== '') {
      const part = beginning(rest, width - used)
      if (part === '' && used === 0) break
      if (part !== '') lines.at(-1)!.push({ text: part, style })
      used += widthOf(part)
      rest = rest.slice(part.length)
      if (rest === '') break
      if (lines.length === mostLines) return lines
      lines.push([])
      used = 0
    }
  }
  return lines
}

/** Returns as much of a text as fits into so many columns. */
function beginning(text: string, columns: number): string {
  if (columns <= 0) return ''
  const near = text.slice(0, columns)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
  if (/^[\x00-\x7f]*$/.test(near)) return near
  let out = ''
  let used = 0
  for (const character of graphemes(text)) {
    used += widthOf(character)
    if (used > columns) break
    out += character
  }
  return out
}
