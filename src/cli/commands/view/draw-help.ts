import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, FAINT, INVERSE, PLAIN } from '../../../render/screen/style.js'
import { wrapText } from '../../../text/wrap.js'
import type { ScreenSize } from '../../terminal/full-screen.js'
import { KEYS, type KeyEntry } from './keymap.js'
import { firstLine, type HelpPanel, panelLines, type State } from './state.js'

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
    grid.put(y, KEYS_COLUMN, keys, PLAIN)
    grid.put(y, summaryColumn(state.size), summary)
    if (text !== '') grid.markText(y, text, INVERSE)
  }
  if (lines.length === 0) grid.put(first + 2, 4, 'No key matches.', FAINT)
}

/** The column of the keys, and of what they do. */
const KEYS_COLUMN = 4
const SUMMARY_COLUMN = 25

/** The narrowest screen on which keys and what they do are side by side. */
const SIDE_BY_SIDE = 48

function summaryColumn({ columns }: ScreenSize): number {
  return columns < SIDE_BY_SIDE ? KEYS_COLUMN + 2 : SUMMARY_COLUMN
}

/** A line of the list: the name of a group, or a key with what it does, which may continue on further lines. */
interface HelpLine {
  readonly group?: string
  readonly keys?: string
  readonly summary?: string
}

export function helpLines(text: string, size: ScreenSize): readonly HelpLine[] {
  const found = KEYS.filter((entry) => matches(entry, text))
  return found.flatMap((entry, index): readonly HelpLine[] => {
    const isFirst = entry.group !== found[index - 1]?.group
    const column = summaryColumn(size)
    const summaries = wrapText(entry.summary, size.columns - column - 1).split('\n')
    const beside = column === SUMMARY_COLUMN ? summaries.splice(0, 1)[0] : undefined
    const lines = [
      { keys: entry.keys.join(', '), ...(beside !== undefined && { summary: beside }) },
      ...summaries.map((summary) => ({ summary })),
    ]
    return isFirst ? [{ group: entry.group }, ...lines] : lines
  })
}

function matches({ keys, summary, group }: KeyEntry, text: string): boolean {
  const wanted = text.toLowerCase()
  return [...keys, summary, group].some((one) => one.toLowerCase().includes(wanted))
}

/** Returns the number of lines of the list that are visible at once. */
export function helpHeight(state: State): number {
  return Math.max(1, panelLines(state) - 1)
}
