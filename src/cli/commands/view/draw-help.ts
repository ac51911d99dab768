import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, FAINT, INVERSE, PLAIN } from '../../../render/screen/style.js'
import { helpHeight, helpLines } from './help-lines.js'
import { firstLine, type HelpPanel, type State } from './state.js'

const KEYS_WIDTH = 20

/** Draws the list of the keys that match a text. */
export function drawHelp(grid: Grid, state: State, { filter, top }: HelpPanel): void {
  const { text } = filter
  const first = firstLine(state)
  const column = grid.put(first, 2, 'Keys', BOLD)
  const isAll = text === ''
  grid.put(first, column + 2, isAll ? 'type to search the keys' : text, isAll ? FAINT : PLAIN)
  const lines = helpLines(text)
  const height = helpHeight(state)
  const from = Math.min(top, Math.max(0, lines.length - height))
  for (const [index, { group, entry }] of lines.slice(from, from + height).entries()) {
    const y = first + 1 + index
    if (group !== undefined) grid.put(y, 2, group, BOLD)
    if (entry === undefined) continue
    grid.put(y, 4, entry.keys.join(', '), PLAIN, 4 + KEYS_WIDTH)
    const shown = grid.put(y, 4 + KEYS_WIDTH + 1, entry.summary, PLAIN)
    if (text !== '') grid.markText(y, text, INVERSE)
    if (shown >= grid.width && grid.width > 4) grid.put(y, grid.width - 1, '…')
  }
  if (lines.length === 0) grid.put(first + 2, 4, 'No key matches.', FAINT)
}
