// Draws the line that is being typed.
import { escapeControls } from '../../../render/escape-controls.js'
import { lastColumns } from '../../../render/fit-text.js'
import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, CYAN, FAINT, INVERSE, PLAIN } from '../../../render/screen/style.js'
import { formatInteger } from '../../../text/integer.js'
import { graphemes, width as widthOf } from '../../../text/width.js'
import { drawMessage } from './draw-status.js'
import type { LineEdit } from './line-edit.js'
import { isForText } from './press-prompt.js'
import { draftOf, type Prompt, type State } from './state.js'

const LABELS: Readonly<Record<Prompt['purpose'], string>> = {
  filter: '& ',
  search: '/ ',
  query: ': ',
  time: 'time: ',
  save: 'save as: ',
}

/** Draws the prompt in place of the status, with the number of events that its text keeps, and the last message above it. */
export function drawPrompt(grid: Grid, state: State, prompt: Prompt): void {
  const { purpose, line, isRegex, candidates = [] } = prompt
  const y = grid.height - 1
  drawCandidates(grid, candidates)
  if (state.message !== undefined) drawMessage(grid, state.message, y - 1)
  const draft = draftOf(state)
  const isText = isForText(prompt)
  const label = isText && isRegex ? `regex ${LABELS[purpose]}` : LABELS[purpose]
  const start = grid.put(y, 0, label, BOLD)
  const hint = isText && line.text === '' ? `Ctrl-R ${isRegex ? 'text' : 'regex'}` : ''
  const note = draft === undefined ? hint : `  keeps ${formatInteger(draft.total)}`
  const end = grid.width - widthOf(note)
  drawLine(grid, line, { y, start, end })
  grid.put(y, end, note, draft === undefined ? FAINT : CYAN)
}

/** Draws the part of a line around its cursor. */
function drawLine(
  grid: Grid,
  { text, cursor }: LineEdit,
  { y, start, end }: Readonly<Record<'y' | 'start' | 'end', number>>,
): void {
  const before = escapeControls(text.slice(0, cursor))
  const [under = ' ', ...after] = graphemes(text.slice(cursor))
  const room = end - start - Math.max(1, widthOf(escapeControls(under)))
  const at = grid.put(y, start, lastColumns(before, room), PLAIN, end)
  const next = grid.put(y, at, under, PLAIN, end)
  grid.put(y, next, after.join(''), PLAIN, end)
  grid.mark(y, at, Math.max(at + 1, next), INVERSE)
}

/** Draws the completions above the prompt. */
function drawCandidates(grid: Grid, candidates: readonly string[]): void {
  if (candidates.length === 0) return
  const width = Math.max(...candidates.map((word) => widthOf(escapeControls(word)))) + 2
  const columns = Math.max(1, Math.floor((grid.width - 1) / width))
  const most = Math.max(1, Math.floor(grid.height / 3))
  const lines = Math.min(most, Math.ceil(candidates.length / columns))
  for (let line = 0; line < lines; line++) {
    const y = grid.height - 1 - lines + line
    grid.put(y, 0, ' '.repeat(grid.width))
    const words = candidates.slice(line * columns, (line + 1) * columns)
    for (const [index, word] of words.entries()) grid.put(y, 1 + index * width, word, CYAN)
    const left = candidates.length - lines * columns
    if (line === lines - 1 && left > 0) grid.put(y, grid.width - 8, ` +${left} `, FAINT)
  }
}
