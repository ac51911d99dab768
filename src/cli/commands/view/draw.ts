// Draws the state: a pure function from the state to the cells of the screen.
import { escapeControls } from '../../../render/escape-controls.js'
import { cutText, withoutColumns } from '../../../render/fit-text.js'
import { Grid } from '../../../render/screen/grid.js'
import { BOLD, CYAN, FAINT, INVERSE, PLAIN, type Style } from '../../../render/screen/style.js'
import { formatInteger } from '../../../text/integer.js'
import { width as widthOf } from '../../../text/width.js'
import { drawEvent } from './draw-event.js'
import { drawFacet, facetWidth } from './draw-facet.js'
import { drawHelp } from './draw-help.js'
import { drawHistogram } from './draw-histogram.js'
import { drawPrompt } from './draw-prompt.js'
import { drawStatus } from './draw-status.js'
import { drawTable } from './draw-table.js'
import { letters } from './marks.js'
import { contextOf, isTable, type ViewOperator } from './query.js'
import { clamp } from './rows.js'
import { GUTTER, rowPieces, screenLines } from './screen-lines.js'
import { markSearch } from './search-marks.js'
import { draftOf, firstLine, type State } from './state.js'
import { wrappedPieces, wrappedWords } from './wrap.js'

export function draw(state: State): Grid {
  const { columns, rows } = state.size
  const grid = new Grid(columns, rows)
  const { panel } = state
  if (panel.kind === 'event') drawEvent(grid, state, panel)
  else if (panel.kind === 'help') drawHelp(grid, state, panel)
  else if (state.rows.items.length === 0) drawNothing(grid, state)
  else if (isTable(state.query)) drawTable(grid, state)
  else drawLines(grid, state)
  if (panel.kind === 'facet') drawFacet(grid, state, panel)
  drawQuery(grid, state)
  drawHistogram(grid, state)
  if (panel.kind === 'prompt') drawPrompt(grid, state, panel)
  else drawStatus(grid, state)
  return grid
}

function drawLines(grid: Grid, state: State): void {
  const { rows, search, shift } = state
  const around = contextOf(state.query)
  const draft = draftOf(state)
  const marks = letters(state)
  for (const { index, row, line, height } of screenLines(state)) {
    const y = firstLine(state) + line
    const isSelected = index === rows.selected
    if (isSelected) for (let at = 0; at < height; at++) grid.put(y + at, 0, '▌', CYAN)
    else if (marks.has(row.cursor ?? '')) grid.put(y, 0, marks.get(row.cursor!)!, CYAN)
    else if (row.isApart) grid.put(y, 0, '┄', FAINT)
    else if (around > 0 && !row.isBeside) grid.put(y, 0, '>', BOLD)
    const isGoing = draft !== undefined && !draft.kept.has(row.cursor ?? '')
    const pieces = rowPieces(state, index)
    const shown =
      row.isBeside || isGoing ? pieces.map(({ text }) => ({ text, style: FAINT })) : pieces
    const style = isSelected ? BOLD : PLAIN
    const lines = state.isWrapped ? wrappedPieces(shown, grid.width - GUTTER) : [shown]
    for (const [at, part] of lines.slice(0, height).entries()) {
      putPieces(grid, y + at, { pieces: part, shift, style })
      if (search !== undefined) markSearch(grid, y + at, search, GUTTER)
    }
  }
}

interface PlacedPieces {
  readonly pieces: readonly { readonly text: string; readonly style: Style }[]
  /** The number of columns on the left that are not shown. */
  readonly shift: number
  readonly style: Style
}

function putPieces(grid: Grid, y: number, { pieces, shift, style }: PlacedPieces): void {
  let column = GUTTER
  let hidden = shift
  for (const piece of pieces) {
    if (column >= grid.width) return
    let { text } = piece
    if (hidden > 0) {
      const whole = escapeControls(text)
      text = withoutColumns(whole, hidden)
      hidden = Math.max(0, hidden - widthOf(whole))
    }
    const faint = (piece.style & FAINT) !== 0
    const end = grid.put(y, column, text, faint ? piece.style : piece.style | style)
    // A wide character did not fit into the last column.
    if (end === grid.width - 1 && widthOf(escapeControls(text)) > end - column) return
    column = end
  }
}

function drawNothing(grid: Grid, state: State): void {
  const { rows, reading, query, panel } = state
  const isBusy = rows.isPreview || rows.loading.other !== undefined || reading?.isDone === false
  const filters = query.operators.some(({ isOn, role }) => isOn && role === 'filter')
  const text = rows.loading.hasFailed
    ? 'The events could not be read. Any key tries again.'
    : isBusy
      ? 'Reading …'
      : filters
        ? 'No events match. u removes the last filter, Ctrl-F switches all of them off. & finds a text; for a condition such as status >= 500, press : and edit the query.'
        : 'There are no events.'
  // The status line has room only for a part of a long text.
  const problem = reading?.isDone && reading.trouble
  const covered = panel.kind === 'facet' ? facetWidth(grid) : 0
  const width = grid.width - covered - GUTTER - 2
  const lines = [problem, text].flatMap((part) => (part ? wrappedWords(part, width) : []))
  for (const [line, shown] of lines.entries()) {
    grid.put(firstLine(state) + line, GUTTER + 1, shown, FAINT)
  }
}

const SEPARATOR = ' │ '

/** Draws the query: its source, and each operator with the number of events that it removes. */
function drawQuery(grid: Grid, { title, query, counts, panel }: State): void {
  const chosen =
    panel.kind === 'operators' ? clamp(panel.operator, 0, query.operators.length - 1) : undefined
  const chips = query.operators.map((operator, index) => chipOf(operator, counts?.kept[index]))
  const titleEnd = chips.length === 0 ? grid.width - 1 : Math.floor(grid.width / 2)
  let column = grid.put(0, 1, cutText(escapeControls(title), titleEnd - 1), BOLD)
  const width = (from: number): number =>
    chips
      .slice(from)
      .reduce((sum, { text, note }) => sum + SEPARATOR.length + widthOf(text) + widthOf(note), 0)
  // When not all operators fit, the first ones are left out, because keys have added the last ones.
  let from = 0
  while (from < chips.length - 1 && column + width(from) > grid.width - 2) from++
  from = Math.min(from, chosen ?? from)
  if (from > 0) column = grid.put(0, column, ' …', FAINT)
  for (const [index, { text, style, note, noteStyle }] of chips.entries()) {
    if (index < from) continue
    column = grid.put(0, column, SEPARATOR, FAINT)
    const room = Math.max(1, grid.width - column - widthOf(note))
    column = grid.put(0, column, cutText(text, room), index === chosen ? style | INVERSE : style)
    column = grid.put(0, column, note, noteStyle)
  }
}

/** The text of an operator, and the number of events that it removes as a note. */
function chipOf({ text, isOn, role }: ViewOperator, removed: number | undefined) {
  const shown = escapeControls(text.replace(/\s+/g, ' '))
  const plain = { text: shown, style: PLAIN, note: '', noteStyle: PLAIN }
  if (!isOn) return { ...plain, text: `(${shown})`, style: FAINT }
  if (role !== 'filter' || removed === undefined) return plain
  return {
    ...plain,
    note: ` −${formatInteger(removed)}`,
    noteStyle: removed > 0 ? CYAN : FAINT,
  }
}
