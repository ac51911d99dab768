// Texts on several lines of the screen.
import { escapeControls } from '../../../render/escape-controls.js'
import { firstColumns } from '../../../render/fit-text.js'
import { PLAIN } from '../../../render/screen/style.js'
import { width as widthOf } from '../../../text/width.js'
import { wrapText } from '../../../text/wrap.js'
import type { Piece } from './event-line.js'

/** The maximum number of screen rows of an event. */
const MOST_LINES = 20

/** Wraps a text between words; only words that are longer than a line are divided. */
export function wrappedWords(text: string, width: number): readonly string[] {
  const lines = wrapText(escapeControls(text), width).split('\n')
  return lines.flatMap((line) =>
    wrappedPieces([{ text: line, style: PLAIN }], width).map(([piece]) => piece?.text ?? ''),
  )
}

/** Divides the pieces of a line into lines of at most `width` columns. */
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
      const part = firstColumns(rest, width - used)
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
