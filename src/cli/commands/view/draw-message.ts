import { escapeControls } from '../../../render/escape-controls.js'
import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, INVERSE, PLAIN, RED } from '../../../render/screen/style.js'
import { wrapText } from '../../../text/wrap.js'
import type { Message } from './state.js'
import { wrappedPieces } from './wrap.js'

const MARGIN = 1

/** Draws a message in as many lines as it needs, up to half of the screen. The last of them is `end`. */
export function drawMessage(grid: Grid, { kind, text }: Message, end: number): void {
  const style = INVERSE | (kind === 'error' ? RED | BOLD : PLAIN)
  const width = grid.width - 2 * MARGIN
  const lines = wrapText(escapeControls(text), width)
    .split('\n')
    // Words that are longer than a line are divided.
    .flatMap((line) => wrappedPieces([{ text: line, style }], width))
    .slice(0, Math.max(1, Math.floor(grid.height / 2)))
  for (const [index, pieces] of lines.entries()) {
    const y = end - lines.length + 1 + index
    grid.put(y, 0, ' '.repeat(grid.width), INVERSE)
    grid.put(y, MARGIN, pieces.map((piece) => piece.text).join(''), style)
  }
}
