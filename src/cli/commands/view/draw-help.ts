import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, FAINT, INVERSE, PLAIN } from '../../../render/screen/style.js'
import { KEYS, type KeyEntry } from './keymap.js'
import { firstLine, linesOf, type State } from './state.js'

const KEYS_WIDTH = 20

/** Draws the list of the keys that a text is found in. */
export function drawHelp(
  grid: Grid,
  state: State,
  panel: State['panel'] & { readonly kind: 'help' },
): void {
  const { text } = panel.filter
  const found = KEYS.filter((entry) => matches(entry, text))
  const first = firstLine(state)
  const column = grid.put(first, 2, 'Keys', BOLD)
  grid.put(
    first,
    column + 2,
    text === '' ? 'type to search them' : text,
    text === '' ? FAINT : PLAIN,
  )
  const lines: { readonly group?: string; readonly entry?: KeyEntry }[] = []
  for (const [index, entry] of found.entries()) {
    if (entry.group !== found[index - 1]?.group) lines.push({ group: entry.group })
    lines.push({ entry })
  }
  const height = linesOf(state) - 1
  const top = Math.min(panel.top, Math.max(0, lines.length - height))
  for (const [index, { group, entry }] of lines.slice(top, top + height).entries()) {
    const y = first + 1 + index
    if (group !== undefined) grid.put(y, 2, group, BOLD)
    if (entry === undefined) continue
    grid.put(y, 4, entry.keys.join(', '), PLAIN, 4 + KEYS_WIDTH)
    const shown = grid.put(y, 4 + KEYS_WIDTH + 1, entry.summary, PLAIN)
    if (text !== '') grid.markText(y, text, INVERSE)
    if (shown >= grid.width && grid.width > 4) grid.put(y, grid.width - 1, '…')
  }
  if (found.length === 0) grid.put(first + 2, 4, 'No key does that.', FAINT)
}

function matches({ keys, summary, group }: KeyEntry, text: string): boolean {
  const wanted = text.toLowerCase()
  return [...keys, summary, group].some((one) => one.toLowerCase().includes(wanted))
}
