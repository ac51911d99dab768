// The list of the keys, filtered by a text.
import { wrapText } from '../../../text/wrap.js'
import type { ScreenSize } from '../../terminal/full-screen.js'
import { KEYS, type KeyEntry } from './keymap.js'
import { panelLines, type State } from './state.js'

/** The column of the keys, and of what they do. */
export const KEYS_COLUMN = 4
export const SUMMARY_COLUMN = 25

/** A line of the list: the name of a group, or a key with what it does, which may continue on further lines. */
export interface HelpLine {
  readonly group?: string
  readonly keys?: string
  readonly summary?: string
}

/** Returns the lines for the keys that match a text. */
export function helpLines(text: string, { columns }: ScreenSize): readonly HelpLine[] {
  const found = KEYS.filter((entry) => matches(entry, text))
  return found.flatMap((entry, index): readonly HelpLine[] => {
    const isFirst = entry.group !== found[index - 1]?.group
    const [summary, ...others] = wrapText(entry.summary, columns - SUMMARY_COLUMN - 1).split('\n')
    const lines = [
      { keys: entry.keys.join(', '), summary: summary! },
      ...others.map((other) => ({ summary: other })),
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
