import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, FAINT, INVERSE, PLAIN } from '../../../render/screen/style.js'
import { helpHeight, helpLines, KEYS_COLUMN, SUMMARY_COLUMN } from './help-lines.js'
import { firstLine, type HelpPanel, type State } from './state.js'

/** Draws the list of the keys that match a text. */
export function drawHelp(grid: Grid, state: State, { filter, top }: HelpPanel): void {
  const { text } = filter
  const first = firstLine(state)
  const column = grid.put(first, 2, 'Keys', BOLD)
  const isAll = text === ''
  grid.put(first, column + 2, isAll ? 'type to search the keys' : text, isAll ? FAINT : PLAIN)
  const lines = helpLines(text, state.size)
  const height = helpHeight(state)
  const from = Math.min(top, Math.max(0, lines.length - height))
  for (const [index, line] of lines.slice(from, from + height).entries()) {
    const { group = '', keys = '', summary = '' } = line
    const y = first + 1 + index
    grid.put(y, 2, group, BOLD)
    grid.put(y, KEYS_COLUMN, keys, PLAIN, SUMMARY_COLUMN - 1)
    grid.put(y, SUMMARY_COLUMN, summary)
    if (text !== '') grid.markText(y, text, INVERSE)
  }
  if (lines.length === 0) grid.put(first + 2, 4, 'No key matches.', FAINT)
}
