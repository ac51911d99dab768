// The list of the keys, filtered by a text.
import { KEYS, type KeyEntry } from './keymap.js'
import { panelLines, type State } from './state.js'

/** A line of the list: the name of a group, or a key. */
export interface HelpLine {
  readonly group?: string
  readonly entry?: KeyEntry
}

/** Returns the lines for the keys that match a text. */
export function helpLines(text: string): readonly HelpLine[] {
  const found = KEYS.filter((entry) => matches(entry, text))
  return found.flatMap((entry, index): readonly HelpLine[] => {
    const isFirst = entry.group !== found[index - 1]?.group
    return isFirst ? [{ group: entry.group }, { entry }] : [{ entry }]
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
