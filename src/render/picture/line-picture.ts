import { counted } from '../../text/integer.js'
import type { Line, LineChart } from '../chart/chart.js'
import { largest, timeLabel } from '../chart/line-chart.js'
import { type Scale, scaleOf } from '../chart/scale.js'
import { cutText } from '../fit-text.js'
import { caption, type Drawing, element, escapeMarkup, label, place } from './element.js'
import { DASHES, estimatedWidth, LINE_HEIGHT, seriesColor, WIDTH } from './theme.js'

const PLOT_HEIGHT = 260

/** The rectangle in which the values are drawn. */
interface Plot {
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

/** Draws lines over time with grid, axes and a legend. */
export function lineDrawing(chart: LineChart, top: number): Drawing {
  const lines = largest(chart.lines)
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined))
  const scale = scaleOf(values.length === 0 ? [0] : values, {
    unit: chart.unit,
    steps: 5,
    tight: false,
  })
  const margin = Math.max(...scale.ticks.map((tick) => estimatedWidth(scale.label(tick))))
  const plot: Plot = {
    left: 24 + LINE_HEIGHT + margin,
    right: WIDTH - 24,
    top: top + 44,
    bottom: top + 44 + PLOT_HEIGHT,
  }
  const axisEnd = plot.bottom + 2 * LINE_HEIGHT + 8
  const legend = legendOf(chart, lines, axisEnd + LINE_HEIGHT)
  const title = label(chart.name, { x: 20, y: top + 26, class: 'title' })
  const drawn = lines.map((line, number) => curve(line, number, { chart, plot, scale })).reverse()
  return {
    markup: [
      title,
      ...valueAxis(chart.name, plot, scale),
      ...timeAxis(chart, plot),
      ...drawn,
      ...legend.markup,
    ].join(''),
    bottom: legend.bottom,
    description: `${chart.name} over time${lines.length > 1 ? `: ${lines.map(({ name }) => name).join('; ')}` : ''}`,
  }
}

/** Returns the y coordinate of a value. */
function heightOf(value: number, { top, bottom }: Plot, { from, to }: Scale): number {
  return place(bottom - ((value - from) / (to - from)) * (bottom - top))
}

function valueAxis(name: string, plot: Plot, scale: Scale): readonly string[] {
  const middle = (plot.top + plot.bottom) / 2
  return [
    ...scale.ticks.flatMap((tick) => {
      const y = heightOf(tick, plot, scale)
      return [
        element('line', { x1: plot.left, x2: plot.right, y1: y, y2: y, class: 'grid' }),
        label(scale.label(tick), {
          x: plot.left - 8,
          y: y + 4,
          'text-anchor': 'end',
          class: 'faint',
        }),
      ]
    }),
    label(cutText(name, 40), {
      transform: `translate(24 ${middle}) rotate(-90)`,
      'text-anchor': 'middle',
      class: 'faint',
    }),
  ]
}

/** Draws the time axis, with as many labels as fit. */
function timeAxis({ times }: LineChart, plot: Plot): readonly string[] {
  const shown = timeLabel(times)
  const y = plot.bottom
  const marks: string[] = []
  let end = Number.NEGATIVE_INFINITY
  for (const time of times) {
    const x = xOf(time.after, times, plot)
    const text = shown(time)
    const half = estimatedWidth(text) / 2
    if (x - half < end + 12 || x + half > WIDTH) continue
    end = x + half
    marks.push(
      element('line', { x1: x, x2: x, y1: y, y2: y + 5, class: 'axis' }),
      caption(text, x, y + LINE_HEIGHT),
    )
  }
  const [first, last] = [times[0]!, times.at(-1)!]
  const range = `time, from ${first.text} to ${last.text}`
  return [
    element('line', { x1: plot.left, x2: plot.right, y1: y, y2: y, class: 'axis' }),
    ...marks,
    caption(range, (plot.left + plot.right) / 2, y + 2 * LINE_HEIGHT),
  ]
}

function xOf(after: number, times: LineChart['times'], { left, right }: Plot): number {
  return place(left + (after / (times.at(-1)!.after || 1)) * (right - left))
}

interface Surroundings {
  readonly chart: LineChart
  readonly plot: Plot
  readonly scale: Scale
}

/** Draws the values of a line, with gaps for missing ones and a dot for a value without neighbors. */
function curve(line: Line, number: number, { chart, plot, scale }: Surroundings): string {
  const color = seriesColor(number)
  const path: string[] = []
  const dots: string[] = []
  const isLinked = (at: number) =>
    line.values[at - 1] !== undefined && chart.times[at]?.isAfterGap === false
  for (const [at, value] of line.values.entries()) {
    if (value === undefined) continue
    const x = xOf(chart.times[at]!.after, chart.times, plot)
    const y = heightOf(value, plot, scale)
    const isFirst = !isLinked(at)
    path.push(`${isFirst ? 'M' : 'L'}${x} ${y}`)
    if (isFirst && (line.values[at + 1] === undefined || !isLinked(at + 1))) {
      dots.push(element('circle', { cx: x, cy: y, r: 2.5, class: `f${color}` }))
    }
  }
  const title = `<title>${escapeMarkup(line.name || chart.name)}</title>`
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
