import { counted } from '../../text/integer.js'
import type { Line, LineChart, Time } from '../chart/chart.js'
import { largest, timeLabel } from '../chart/line-chart.js'
import { type Scale, scaleOf } from '../chart/scale.js'
import { cutText } from '../fit-text.js'
import { caption, type Drawing, element, escapeMarkup, label, place } from './element.js'
import { DASHES, estimatedWidth, LINE_HEIGHT, seriesColor, WIDTH } from './theme.js'

const PLOT_HEIGHT = 260

/** A chart, and the rectangle in which its values are drawn. */
interface Plot extends LineChart {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
  readonly scale: Scale
}

/** Draws lines over time with grid, axes and a legend. */
export function lineDrawing(chart: LineChart, top: number): Drawing {
  const { name } = chart
  const lines = largest(chart.lines)
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined))
  const scale = scaleOf(values, { unit: chart.unit, steps: 5, tight: false })
  const margin = Math.max(...scale.ticks.map((tick) => estimatedWidth(scale.label(tick))))
  const plot = {
    ...chart,
    left: 24 + LINE_HEIGHT + margin,
    right: WIDTH - 24,
    top: top + 44,
    bottom: top + 44 + PLOT_HEIGHT,
    scale,
  }
  const legend = legendOf(chart, lines, plot.bottom + 3 * LINE_HEIGHT + 8)
  const title = label(name, { x: 20, y: top + 26, class: 'title' })
  const drawn = lines.map((line, number) => curve(line, number, plot)).reverse()
  return {
    markup: [title, ...valueAxis(plot), ...timeAxis(plot), ...drawn, ...legend.markup].join(''),
    bottom: legend.bottom,
    description: `${name} over time${lines.length > 1 ? `: ${lines.map((line) => line.name).join('; ')}` : ''}`,
  }
}

function xOf({ after }: Time, { left, right, times }: Plot): number {
  const whole = times.at(-1)!.after || 1
  return place(left + (after / whole) * (right - left))
}

function yOf(value: number, { bottom, scale }: Plot): number {
  return place(bottom - ((value - scale.from) / (scale.to - scale.from)) * PLOT_HEIGHT)
}

function valueAxis(plot: Plot): readonly string[] {
  const { left, right, scale } = plot
  const ticks = scale.ticks.flatMap((tick) => {
    const y = yOf(tick, plot)
    const at = { x: left - 8, y: y + 4, 'text-anchor': 'end', class: 'faint' }
    return [
      element('line', { x1: left, x2: right, y1: y, y2: y, class: 'grid' }),
      label(scale.label(tick), at),
    ]
  })
  const turned = `translate(24 ${(plot.top + plot.bottom) / 2}) rotate(-90)`
  const at = { transform: turned, 'text-anchor': 'middle', class: 'faint' }
  return [...ticks, label(cutText(plot.name, 40), at)]
}

/** Draws the time axis, with as many labels as fit. */
function timeAxis(plot: Plot): readonly string[] {
  const { left, right, bottom: y, times } = plot
  const shown = timeLabel(times)
  const marks: string[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const time of times) {
    const x = xOf(time, plot)
    const text = shown(time)
    const half = estimatedWidth(text) / 2
    if (x - half < end + 12 || x + half > WIDTH) continue
    end = x + half
    marks.push(
      element('line', { x1: x, x2: x, y1: y, y2: y + 5, class: 'axis' }),
      caption(text, x, y + LINE_HEIGHT),
    )
  }
  const range = `time, from ${times[0]!.text} to ${times.at(-1)!.text}`
  return [
    element('line', { x1: left, x2: right, y1: y, y2: y, class: 'axis' }),
    ...marks,
    caption(range, (left + right) / 2, y + 2 * LINE_HEIGHT),
  ]
}

/** Draws the values of a line, with gaps for missing ones and a dot for a value without neighbors. */
function curve({ name, values }: Line, number: number, plot: Plot): string {
  const path: string[] = []
  const dots: string[] = []
  const isLinked = (at: number) =>
    values[at - 1] !== undefined && plot.times[at]?.isAfterGap === false
  for (const [at, value] of values.entries()) {
    if (value === undefined) continue
    const [x, y] = [xOf(plot.times[at]!, plot), yOf(value, plot)]
    const isFirst = !isLinked(at)
    path.push(`${isFirst ? 'M' : 'L'}${x} ${y}`)
    if (isFirst && (values[at + 1] === undefined || !isLinked(at + 1))) {
      dots.push(element('circle', { cx: x, cy: y, r: 2.5, class: `f${seriesColor(number)}` }))
    }
  }
  const title = `<title>${escapeMarkup(name || plot.name)}</title>`
  const drawn = element('path', { d: path.join(''), ...strokeOf(number) })
  return element('g', {}, [title, drawn, ...dots].join(''))
}

/** Returns the attributes that distinguish the line of a series. */
function strokeOf(number: number): Readonly<Record<string, string>> {
  const dash = DASHES[number % DASHES.length]!
  const color = `line s${seriesColor(number)}`
  return { class: color, ...(dash !== '' && { 'stroke-dasharray': dash }) }
}

/** Draws the names of the lines in rows. */
function legendOf(
  chart: LineChart,
  lines: readonly Line[],
  top: number,
): { readonly markup: readonly string[]; readonly bottom: number } {
  if (lines.length === 1 && lines[0]!.name === '') return { markup: [], bottom: top }
  const markup: string[] = []
  let x = 24
  let y = top + 8
  for (const [number, { name }] of lines.entries()) {
    const text = cutText(name === '' ? '""' : name, 90)
    const width = 34 + estimatedWidth(text) + 16
    if (x > 24 && x + width > WIDTH - 16) {
      x = 24
      y += LINE_HEIGHT
    }
    const ends = { x1: x, x2: x + 26, y1: y - 4, y2: y - 4 }
    markup.push(element('line', { ...ends, ...strokeOf(number) }), label(text, { x: x + 34, y }))
    x += width
  }
  const left = chart.lines.length - lines.length
  if (left > 0) {
    y += LINE_HEIGHT
    markup.push(label(`… and ${counted(left, 'smaller one')}`, { x: 24, y, class: 'faint' }))
  }
  return { markup, bottom: y + LINE_HEIGHT }
}
