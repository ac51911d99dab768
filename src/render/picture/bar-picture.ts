import { counted } from '../../text/integer.js'
import type { BarChart } from '../chart/chart.js'
import { scaleOf } from '../chart/scale.js'
import { cutText } from '../fit-text.js'
import { caption, type Drawing, element, escapeMarkup, label, place } from './element.js'
import { estimatedWidth, LINE_HEIGHT, WIDTH } from './theme.js'

const BAR_HEIGHT = 18
const STEP = 26
/** A name is cut to about half of the picture. */
const MAX_NAME = 52

/** Draws horizontal bars from 0, each with its name on the left and its value on the right. */
export function barDrawing(chart: BarChart, top: number): Drawing {
  const { bars } = chart
  const values = bars.flatMap(({ value }) => value ?? [])
  const names = bars.map(({ name }) => cutText(name === '' ? '""' : name, MAX_NAME))
  const left = 24 + Math.max(...names.map(estimatedWidth)) + 8
  const right = WIDTH - 24 - Math.max(...bars.map(({ text }) => estimatedWidth(text))) - 8
  const steps = Math.max(2, Math.floor((right - left) / 90))
  const scale = scaleOf(values, { unit: chart.unit, steps, tight: true })
  const xOf = (value: number) =>
    place(left + ((value - scale.from) / (scale.to - scale.from)) * (right - left))
  const plotTop = top + 44
  const plotBottom = plotTop + bars.length * STEP
  const zero = xOf(0)
  const ticks = scale.ticks.flatMap((tick) => {
    const x = xOf(tick)
    return [
      element('line', { x1: x, x2: x, y1: plotTop - 4, y2: plotBottom, class: 'grid' }),
      caption(scale.label(tick), x, plotBottom + LINE_HEIGHT),
    ]
  })
  const drawn = bars.flatMap(({ value, name, text }, row) => {
    const y = plotTop + row * STEP
    const end = value === undefined ? zero : xOf(value)
    const size = { width: place(Math.abs(end - zero)), height: BAR_HEIGHT }
    const title = `<title>${escapeMarkup(`${name}: ${text || 'no value'}`)}</title>`
    return [
      label(names[row]!, { x: left - 8, y: y + 14, 'text-anchor': 'end' }),
      element('rect', { x: Math.min(zero, end), y: y + 1, ...size, class: 'f0' }, title),
      label(text, { x: Math.max(zero, end) + 6, y: y + 14 }),
    ]
  })
  const rest = `… and ${counted(chart.left, 'more row')}`
  const bottom = plotBottom + 2 * LINE_HEIGHT
  return {
    markup: [
      label(chart.name, { x: 20, y: top + 26, class: 'title' }),
      ...ticks,
      ...drawn,
      element('line', { x1: zero, x2: zero, y1: plotTop - 4, y2: plotBottom, class: 'axis' }),
      caption(chart.name, (left + right) / 2, bottom),
      ...(chart.left > 0 ? [label(rest, { x: 24, y: bottom + LINE_HEIGHT, class: 'faint' })] : []),
    ].join(''),
    bottom: bottom + (chart.left > 0 ? LINE_HEIGHT : 0),
    description: `${chart.name}: ${bars.map(({ name, text }) => `${name} ${text}`).join('; ')}`,
  }
}
