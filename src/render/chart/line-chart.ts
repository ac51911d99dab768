import { counted } from '../../text/integer.js'
import { width as textWidth } from '../../text/width.js'
import { cutText, fitText } from '../fit-text.js'
import { openCanvas } from './canvas.js'
import type { Line, LineChart, Time } from './chart.js'
import { type ChartStyle, SYMBOLS, toneOf } from './chart-style.js'
import { scaleOf, TIME_STEPS } from './scale.js'

const HEIGHT = 14

const MILLISECONDS = 1_000

/** The number of lines that symbols and colors can distinguish. */
const MAX_LINES = 8

/** Draws lines over time, with both axes and, if there are several, a legend. */
export function* drawLines(chart: LineChart, style: ChartStyle): Iterable<string> {
  const lines = largest(chart.lines)
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined))
  if (values.length === 0) return yield `${chart.name}: no values\n`
  const scale = scaleOf(values, { unit: chart.unit, steps: 5, tight: false })
  const labels = scale.ticks.map(scale.label)
  const margin = Math.max(...labels.map(textWidth))
  const width = Math.max(10, style.width - margin - 3)
  const symbols = !style.hasColor && lines.length > 1 ? SYMBOLS : undefined
  const canvas = openCanvas({ width, height: HEIGHT, lines: lines.length, symbols })
  const heightOf = (value: number) => (value - scale.from) / (scale.to - scale.from)
  const whole = chart.times.at(-1)!.after || 1

  /** Connects the values of a line, with gaps for missing ones. */
  function trace({ values }: Line, number: number): void {
    let before: { readonly x: number; readonly y: number } | undefined
    for (const [index, { after, isAfterGap }] of chart.times.entries()) {
      const value = values[index]
      const point = value === undefined ? undefined : { x: after / whole, y: heightOf(value) }
      if (isAfterGap) before = undefined
      if (point !== undefined) canvas.line(before ?? point, point, number)
      before = point
    }
  }

  // The first line has the largest values; drawn last, it stays on top.
  for (const [number, line] of [...lines.entries()].reverse()) trace(line, number)
  yield `${style.paint('heading', chart.name)}\n`
  const rowOf = (tick: number) => Math.round((1 - heightOf(tick)) * (HEIGHT - 1))
  const tickRows = new Map(scale.ticks.map((tick, index) => [rowOf(tick), labels[index]!]))
  for (const [row, places] of canvas.rows().entries()) {
    const label = tickRows.get(row)
    const side = `${fitText(label ?? '', margin, 'right')} ${label === undefined ? '│' : '┤'}`
    const drawn = places.map(({ symbol, series }) =>
      series === undefined ? symbol : style.paint(toneOf(lines[series]!.name, series), symbol),
    )
    yield `${side}${drawn.join('').trimEnd()}\n`
  }
  yield* timeAxis(chart.times, { margin, width })
  if (lines.length > 1 || lines[0]!.name !== '') {
    yield* legend(lines, { style, symbols: symbols ?? ['━'] })
  }
  const left = chart.lines.length - lines.length
  if (left > 0) yield `… and ${counted(left, 'smaller one')}\n`
}

/** Returns the lines with the largest sums of absolute values. */
export function largest(lines: readonly Line[]): readonly Line[] {
  const weight = ({ values }: Line) =>
    values.reduce<number>((sum, value) => sum + Math.abs(value ?? 0), 0)
  return [...lines].sort((a, b) => weight(b) - weight(a)).slice(0, MAX_LINES)
}

/**
 * Returns the distance between labeled times: the least for which the labels fit, or up to twice that to reach a round
 * duration. Unevenly spaced times are labeled wherever a label fits.
 */
function strideOf(times: readonly Time[], fits: (every: number) => boolean): number {
  const strides = Array.from({ length: Math.ceil(times.length / 2) }, (_, i) => i + 1)
  const least = strides.find(fits)
  if (least === undefined || !isEven(times)) return 1
  const round = strides.find((every) => {
    const isNear = every >= least && every <= 2 * least
    return isNear && fits(every) && TIME_STEPS.includes(times[every]!.after / MILLISECONDS)
  })
  return round ?? least
}

/** True when the times are multiples of one interval and few multiples are missing. */
function isEven(times: readonly Time[]): boolean {
  const step = times[1]?.after ?? 0
  const count = (times.at(-1)?.after ?? 0) / step
  return times.every(({ after }) => after % step === 0) && times.length > 0.9 * count
}

interface LabelPlace {
  readonly label: string
  readonly start: number
}

/** True when every n-th label leaves two blanks to the next one. */
function hasRoom(places: readonly LabelPlace[], every: number): boolean {
  for (let at = every; at < places.length; at += every) {
    const before = places[at - every]!
    if (places[at]!.start < before.start + before.label.length + 2) return false
  }
  return true
}

/** Draws the time axis, with as many labels as fit. */
function* timeAxis(
  times: readonly Time[],
  { margin, width }: Readonly<Record<'margin' | 'width', number>>,
): Iterable<string> {
  const rule = new Array<string>(width).fill('─')
  const whole = times.at(-1)!.after || 1
  const shown = timeLabel(times)
  const places = times.map((time) => {
    const at = Math.round((time.after / whole) * (width - 1))
    const label = shown(time)
    // A label is centered on its time unless it would leave the chart.
    const start = Math.min(Math.max(0, at - (label.length >> 1)), width - label.length)
    return { at, label, start }
  })
  const stride = strideOf(times, (every) => hasRoom(places, every))
  let text = ''
  for (const [index, { at, label, start }] of places.entries()) {
    if (index % stride !== 0 || (text !== '' && start < text.length + 2)) continue
    text = text.padEnd(start) + label
    rule[at] = '┬'
  }
  const side = ' '.repeat(margin + 1)
  yield `${side}└${rule.join('')}\n`
  yield `${side} ${text}\n`
}

const ZONE = /(?:Z|[+-]\d\d:\d\d)$/

/** Returns a function that formats times briefly: only the parts in which they differ. */
export function timeLabel(times: readonly Time[]): (time: Time) => string {
  const days = new Set(times.map(({ text }) => text.slice(0, 10)))
  const clocks = new Set(times.map(({ text }) => text.slice(11, 19)))
  // In a longer range, the labels are seconds apart.
  const hasFraction = (times.at(-1)?.after ?? 0) < 10 * MILLISECONDS
  const hasSeconds = [...clocks].some((clock) => !clock.endsWith(':00'))
  const isMidnight = !hasFraction && clocks.size === 1 && clocks.has('00:00:00')
  if (isMidnight) return ({ text }) => text.slice(0, 10)
  const start = days.size > 1 ? 5 : 11
  const end = hasFraction ? undefined : hasSeconds ? 19 : 16
  return ({ text }) => text.replace(ZONE, '').slice(start, end).replace('T', ' ')
}

function* legend(
  lines: readonly Line[],
  { style, symbols }: { readonly style: ChartStyle; readonly symbols: readonly string[] },
): Iterable<string> {
  let row = ''
  let used = 0
  for (const [number, { name }] of lines.entries()) {
    const shown = cutText(name === '' ? '""' : name, Math.max(8, style.width - 4))
    const symbol = style.paint(toneOf(name, number), symbols[number % symbols.length]!)
    const width = textWidth(shown) + 4
    if (used > 0 && used + width > style.width) {
      yield `${row.trimEnd()}\n`
      row = ''
      used = 0
    }
    row += `${symbol} ${shown}  `
    used += width
  }
  yield `${row.trimEnd()}\n`
}
