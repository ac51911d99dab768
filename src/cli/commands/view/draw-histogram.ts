import type { Grid } from '../../../render/screen/grid.js'
import {
  BOLD,
  CYAN,
  FAINT,
  INVERSE,
  PLAIN,
  RED,
  type Style,
  UNDERLINE,
  YELLOW,
} from '../../../render/screen/style.js'
import { formatInteger } from '../../../text/integer.js'
import { width as widthOf } from '../../../text/width.js'
import { formatInOneUnit } from '../../../wire/time/duration.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { shownTime } from './clock.js'
import { type Histogram, instantOfRow } from './histogram.js'
import { screenLines } from './screen-lines.js'
import { histogramLines, type SpansPanel, type State } from './state.js'

const BLOCKS = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']
const EIGHTHS = 8
const FIRST_LINE = 1
const FIRST_COLUMN = 1

/** Draws the events over time, and marks the part of the time that is on the screen. */
export function drawHistogram(grid: Grid, state: State): void {
  const lines = histogramLines(state)
  const histogram = state.histogram.value
  if (lines === 0 || histogram === undefined) return
  const barLines = Math.max(1, lines - 1)
  const { bars } = histogram
  const width = grid.width - FIRST_COLUMN
  const shape = barShape(histogram, barLines)
  for (let column = 0; column < width; column++) {
    const bar = bars[Math.floor((column * bars.length) / width)]!
    for (const [line, { text, style }] of shape(bar).entries()) {
      grid.put(FIRST_LINE + barLines - 1 - line, FIRST_COLUMN + column, text, style)
    }
  }
  const last = FIRST_LINE + lines - 1
  if (lines > 1) drawScale(grid, state, last, histogram)
  const columnOf = (bar: number) => FIRST_COLUMN + Math.ceil((bar * width) / bars.length)
  const mark = (y: number, [from, to]: Bars, style: Style) =>
    grid.mark(y, columnOf(from), Math.max(columnOf(from) + 1, columnOf(to + 1)), style)
  const window = windowOf(state, histogram)
  if (window !== undefined) mark(last, window, lines > 1 ? INVERSE : UNDERLINE)
  for (const bars of state.panel.kind === 'spans' ? chosenBars(state.panel) : []) {
    for (let y = FIRST_LINE; y < FIRST_LINE + barLines; y++) mark(y, bars, INVERSE)
  }
}

/** Returns a function that returns the cells of a bar, from the bottom: errors first, then warnings, then other events. */
function barShape(
  { bars }: Histogram,
  lines: number,
): (bar: Histogram['bars'][number]) => readonly { readonly text: string; readonly style: Style }[] {
  const most = Math.max(...bars.map(({ events }) => events), 1)
  const mostErrors = Math.max(...bars.map(({ errors }) => errors))
  const mostWarnings = Math.max(...bars.map(({ warnings }) => warnings))
  return ({ events, errors, warnings }) => {
    const height = events === 0 ? 0 : Math.max(1, Math.round((events / most) * lines * EIGHTHS))
    const cells = Math.ceil(height / EIGHTHS)
    // A small part of a bar still gets a cell if it is large compared with the same part of the other bars.
    const cellsOf = (part: number, largest: number): number =>
      Math.max(Math.round((part / (events || 1)) * cells), part > 0 && part >= largest / 2 ? 1 : 0)
    const red = cellsOf(errors, mostErrors)
    const yellow = red + cellsOf(warnings, mostWarnings)
    return Array.from({ length: cells }, (_, line) => ({
      text: BLOCKS[Math.min(EIGHTHS, height - line * EIGHTHS)] ?? ' ',
      style: line < red ? RED | BOLD : line < yellow ? YELLOW : CYAN,
    }))
  }
}

/** Draws the first and the last time, the length of a bar, and the number of events of the highest one. */
function drawScale(grid: Grid, { zone }: State, y: number, histogram: Histogram): void {
  const { start, step, bars } = histogram
  const width = grid.width - FIRST_COLUMN
  grid.put(y, FIRST_COLUMN, '─'.repeat(width), FAINT)
  const label = (at: bigint) => {
    const time = shownTime(`"${formatTimestamp(at)}"`, zone)
    const clock = time?.clock.slice(0, step < 1_000_000_000n ? undefined : 8) ?? ''
    return grid.width >= 60 ? `${time?.day} ${clock}` : clock
  }
  const first = label(start)
  const last = label(start + step * BigInt(bars.length))
  const most = bars.reduce((largest, { events }) => Math.max(largest, events), 0)
  const note = ` ${formatInOneUnit(step)} each, up to ${formatInteger(most)} `
  const room = width - widthOf(first) - widthOf(last) - 2
  if (room < 0) return
  grid.put(y, FIRST_COLUMN, `${first} `, PLAIN)
  grid.put(y, FIRST_COLUMN + width - widthOf(last) - 1, ` ${last}`, PLAIN)
  if (widthOf(note) > room) return
  const middle = FIRST_COLUMN + widthOf(first) + 1 + Math.floor((room - widthOf(note)) / 2)
  grid.put(y, middle, note, FAINT)
}

/** The indexes of a first and a last bar. */
type Bars = readonly [from: number, to: number]

/** Returns the bars of the spans that are chosen, or being chosen. */
function chosenBars({ bar, ends }: SpansPanel): readonly Bars[] {
  const all = ends.length % 2 === 0 ? [...ends, bar, bar] : [...ends, bar]
  const pairs = Array.from({ length: all.length / 2 }, (_, pair) =>
    all.slice(2 * pair, 2 * pair + 2),
  )
  return pairs.map((pair) => [Math.min(...pair), Math.max(...pair)])
}

/** Returns the indexes of the first and the last bar with rows on the screen; undefined when no bar has any. */
function windowOf(state: State, { start, step, bars }: Histogram): Bars | undefined {
  const times = screenLines(state).flatMap(({ row }) => instantOfRow(row) ?? [])
  const indexes = times.map((time) => Math.floor(Number(time - start) / Number(step)))
  const seen = indexes.filter((index) => index >= 0 && index < bars.length)
  return seen.length === 0 ? undefined : [Math.min(...seen), Math.max(...seen)]
}
