// Draws the state: a pure function to the cells of the screen.
import { readableText } from '../../../render/cell.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { Grid } from '../../../render/screen/grid.js'
import {
  BOLD,
  CYAN,
  FAINT,
  INVERSE,
  PLAIN,
  RED,
  type Style,
  styleOf,
  UNDERLINE,
} from '../../../render/screen/style.js'
import { tonesOf } from '../../../render/tone.js'
import { formatInteger } from '../../../text/integer.js'
import { width as widthOf } from '../../../text/width.js'
import { shortBytes } from '../../option/quantity.js'
import { shownTime } from './clock.js'
import { drawEvent } from './draw-event.js'
import { drawFacet } from './draw-facet.js'
import { drawHelp } from './draw-help.js'
import { drawHistogram } from './draw-histogram.js'
import { contextOf, isTable, type ViewOperator } from './query.js'
import type { ViewRow } from './row.js'
import { selectedRow } from './rows.js'
import { GUTTER, rowPieces, screenLines } from './screen-lines.js'
import { type Draft, firstLine, linesOf, type Prompt, type State } from './state.js'
import { wrappedPieces } from './wrap.js'

/** Returns the screen for a state. */
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
  for (const { index, row, line, height } of screenLines(state)) {
    const y = firstLine(state) + line
    const isSelected = index === rows.selected
    if (isSelected) for (let at = 0; at < height; at++) grid.put(y + at, 0, '▌', CYAN)
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
      if (search !== undefined) grid.markText(y + at, escapeControls(search), INVERSE, GUTTER)
    }
  }
}

/** Returns what the text in the prompt keeps, if that is known. */
function draftOf({ panel }: State): Draft | undefined {
  if (panel.kind !== 'prompt') return undefined
  return panel.draft?.text === panel.line.text ? panel.draft : undefined
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
      // Columns and code units are the same in nearly all texts that are shifted.
      const cut = Math.min(hidden, text.length)
      hidden -= cut
      text = text.slice(cut)
    }
    const faint = (piece.style & FAINT) !== 0
    column = grid.put(y, column, text, faint ? piece.style : piece.style | style)
  }
}

function drawNothing(grid: Grid, state: State): void {
  const { rows, reading, query } = state
  const isBusy = rows.isPreview || rows.loading.all || reading?.isDone === false
  const filters = query.operators.some(({ isOn, role }) => isOn && role === 'filter')
  const text = isBusy
    ? 'Reading …'
    : filters
      ? 'No events match. u removes the last filter, Ctrl-F switches all of them off.'
      : 'There are no events.'
  grid.put(firstLine(state), GUTTER + 1, text, FAINT)
}

/** The columns of a table are not wider than this, except the last one. */
const MOST_COLUMN_WIDTH = 40
const widths = new WeakMap<readonly ViewRow[], readonly number[]>()

function drawTable(grid: Grid, state: State): void {
  const { rows, shift, search } = state
  const { items, columns } = rows
  const shown = columns.filter(({ name }) => name !== '_sysTime')
  let known = widths.get(items)
  if (known === undefined) {
    known = shown.map(({ name, type }) =>
      items.reduce(
        (most, { cells }) =>
          Math.min(MOST_COLUMN_WIDTH, Math.max(most, widthOf(textOf(cells.get(name), type)))),
        widthOf(escapeControls(name)),
      ),
    )
    widths.set(items, known)
  }
  const visible = items.slice(rows.top, rows.top + linesOf(state) - 1)
  const heading = firstLine(state)
  let column = GUTTER - shift
  for (const [index, { name, type }] of shown.entries()) {
    const width = known[index] ?? 0
    const end = index === shown.length - 1 ? grid.width : column + width
    if (column >= GUTTER) grid.put(heading, column, name, BOLD | UNDERLINE, end)
    const cells = visible.map((row) => row.cells.get(name) ?? 'null')
    const tone = tonesOf({ name, type }, cells)
    const isNumeric = /integer|float/.test(type)
    for (const [line, cell] of cells.entries()) {
      const text = textOf(cell, type)
      const space = isNumeric ? Math.max(0, width - widthOf(text)) : 0
      if (column < GUTTER) continue
      const isSelected = rows.top + line === rows.selected
      const style = styleOf(tone(line)) | (isSelected ? BOLD : PLAIN)
      grid.put(heading + 1 + line, column + space, text, style, end)
    }
    column += width + 2
  }
  for (const line of visible.keys()) {
    const y = heading + 1 + line
    if (rows.top + line === rows.selected) grid.put(y, 0, '▌', CYAN)
    if (search !== undefined) grid.markText(y, escapeControls(search), INVERSE, GUTTER)
  }
}

function textOf(cell: string | undefined, type: string): string {
  return cell === undefined ? '' : escapeControls(readableText(cell, type))
}

/** The query: its source, and each operator with the number of events that it removes. */
function drawQuery(grid: Grid, { title, query, counts }: State): void {
  let column = grid.put(0, 1, title, BOLD, Math.floor(grid.width / 2))
  const chips = query.operators.map((operator, index) => chipOf(operator, counts?.kept[index]))
  const width = (from: number): number =>
    chips
      .slice(from)
      .reduce(
        (sum, pieces) =>
          sum + 3 + pieces.reduce((all, { text }) => all + widthOf(escapeControls(text)), 0),
        0,
      )
  // The last operators are the ones that keys have added.
  let from = 0
  while (from < chips.length - 1 && column + width(from) > grid.width - 2) from++
  if (from > 0) column = grid.put(0, column, ' …', FAINT)
  for (const chip of chips.slice(from)) {
    column = grid.put(0, column, ' │ ', FAINT)
    for (const { text, style } of chip) column = grid.put(0, column, text, style)
  }
}

function chipOf({ text, isOn, role }: ViewOperator, removed: number | undefined) {
  const shown = text.replace(/\s+/g, ' ')
  if (!isOn) return [{ text: `(${shown})`, style: FAINT }]
  const pieces = [{ text: shown, style: PLAIN }]
  if (role === 'filter' && removed !== undefined) {
    pieces.push({ text: ` −${formatInteger(removed)}`, style: removed > 0 ? CYAN : FAINT })
  }
  return pieces
}

const LABELS: Readonly<Record<Prompt['purpose'], string>> = {
  filter: '& ',
  search: '/ ',
  query: ': ',
  time: 'time: ',
  save: 'save as: ',
}

function drawPrompt(grid: Grid, state: State, { purpose, line, candidates = [] }: Prompt): void {
  const y = grid.height - 1
  drawCandidates(grid, candidates)
  const draft = draftOf(state)
  const label = LABELS[purpose]
  const start = grid.put(y, 0, label, BOLD)
  const note = draft === undefined ? '' : `  keeps ${formatInteger(draft.total)}`
  const end = grid.width - widthOf(note)
  const room = end - start - 1
  const before = escapeControls(line.text.slice(0, line.cursor))
  const skipped = Math.max(0, widthOf(before) - room)
  // The part around the cursor is shown.
  const head = skipped === 0 ? before : before.slice(-Math.max(0, room - 1))
  const at = grid.put(y, start, head, PLAIN, end)
  const rest = line.text.slice(line.cursor)
  const [under = ' '] = [...rest]
  grid.put(y, at, `${under} `, PLAIN)
  grid.put(y, at + 1, rest.slice(under === ' ' && rest === '' ? 0 : under.length), PLAIN, end)
  grid.mark(y, at, at + 1, INVERSE)
  grid.put(y, end, note, CYAN)
}

/** Draws the words that can follow, above the prompt. */
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

function drawStatus(grid: Grid, state: State): void {
  const y = grid.height - 1
  const { message } = state
  grid.mark(y, 0, grid.width, INVERSE)
  const style = INVERSE | (message?.kind === 'error' ? RED | BOLD : PLAIN)
  const left = message?.text ?? positionText(state)
  const column = grid.put(y, 1, left, style)
  if (message !== undefined) return
  const room = grid.width - column - 2
  const hints = hintsOf(state).find((text) => widthOf(text) < room)
  if (hints !== undefined) grid.put(y, grid.width - widthOf(hints) - 1, hints, INVERSE)
}

/** Returns the keys that matter now, the longest list first. */
function hintsOf({ panel, zone }: State): readonly string[] {
  switch (panel.kind) {
    case 'help':
      return ['Esc closes']
    case 'facet':
      return [
        'Enter only this  ! not this  ← → field  Esc closes',
        '= ! filter  ← → field  Esc',
        'Esc closes',
      ]
    case 'spans':
      return ['Esc closes']
    case 'event':
      return [
        '= only this  ! not this  < > compare  v values  J K next, previous  Esc',
        '= ! < > filter  v values  J K next  Esc',
        '= ! < > v J K Esc',
      ]
    default:
      return [
        `? keys  / find  & filter  = ! by value  v values  e error  : query  q quit  ${zone.name}`,
        `? keys  / find  & filter  v values  q quit  ${zone.name}`,
        '? keys  q quit',
        '?',
      ]
  }
}

/** Returns where the selected row is, how many there are, and how far the files have been read. */
function positionText(state: State): string {
  const { rows, counts, reading, zone } = state
  const row = selectedRow(rows)
  const day = shownTime(row?.cells.get('_time'), zone)?.day
  const index = rows.first === undefined ? undefined : rows.first + rows.selected + 1
  const total =
    rows.hasStart && rows.hasEnd && !rows.isPreview && reading?.isDone !== false
      ? rows.items.length
      : counts?.total
  const isFinal = reading?.isDone !== false
  const parts: string[] = []
  if (row !== undefined) {
    const of = total === undefined ? '' : ` of ${formatInteger(total)}${isFinal ? '' : '…'}`
    if (index !== undefined && !state.isFolded) parts.push(`${formatInteger(index)}${of}`)
    else if (total !== undefined) parts.push(`${formatInteger(total)}${isFinal ? '' : '…'} events`)
  }
  if (day !== undefined) parts.push(day)
  if (reading !== undefined && !reading.isDone) {
    const share =
      reading.share === undefined
        ? shortBytes(reading.bytes)
        : `${Math.floor(reading.share * 100)} %`
    parts.push(`reading ${share}`)
  } else if (state.isCounting && reading === undefined) parts.push('counting')
  const around = contextOf(state.query)
  if (around > 0) parts.push(`${around} around each`)
  if (state.isFollowing) parts.push('following')
  else if (rows.loading.all) parts.push('loading')
  if (reading?.trouble !== undefined && reading.isDone) parts.push(reading.trouble)
  return parts.join('  ')
}
