import { counted } from '../../text/integer.js'
import { width as textWidth } from '../../text/width.js'
import { fitText } from '../fit-text.js'
import type { Bar, BarChart } from './chart.js'
import { type ChartStyle, toneOf } from './chart-style.js'
import { type Scale, scaleOf } from './scale.js'

/** Blocks of one to seven eighths of a cell. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** The columns that bars have at least, however long names and values are. */
const LEAST_BARS = 8

/** The space of the bars, in columns. */
interface Plot {
  readonly scale: Scale
  readonly nameWidth: number
  readonly width: number
}

/** Draws horizontal bars from 0, one per line, each with its name on the left and its value on the right. */
export function* drawBars(chart: BarChart, style: ChartStyle): Iterable<string> {
  const values = chart.bars.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return yield `${chart.name}: no values\n`
  const valueWidth = Math.max(...chart.bars.map(({ text }) => textWidth(text)))
  const room = style.width - valueWidth - 4
  const nameWidth = Math.min(
    Math.max(...chart.bars.map(({ name }) => textWidth(name))),
    Math.max(8, Math.min(Math.floor(style.width / 3), room - LEAST_BARS)),
  )
  const width = Math.max(LEAST_BARS, room - nameWidth)
  const steps = Math.max(2, Math.floor(width / 12))
  const scale = scaleOf(values, { unit: chart.unit, steps, tight: true })
  const plot = { scale, nameWidth, width }
  yield `${style.paint('heading', chart.name)}\n`
  for (const bar of chart.bars) yield barLine(bar, plot, style)
  yield* valueAxis(plot)
  if (chart.left > 0) yield `… and ${counted(chart.left, 'more row')}\n`
}

function barLine({ name, value = 0, text }: Bar, plot: Plot, style: ChartStyle): string {
  const zero = zeroOf(plot)
  const bar = barOf(value, plot)
  const [below, above] = value < 0 ? [bar.padStart(zero), ''] : [' '.repeat(zero), bar]
  const tone = toneOf(name, 0)
  const drawn = `${style.paint(tone, below)}│${style.paint(tone, above)}`
  return `${fitText(name, plot.nameWidth, 'left')} ${drawn} ${text}`.trimEnd().concat('\n')
}

function barOf(value: number, plot: Plot): string {
  const eighths = Math.round(columnsOf(Math.abs(value), plot) * 8)
  const full = '█'.repeat(Math.floor(eighths / 8))
  // A cell can be partly filled only from the left.
  if (value < 0) return full === '' ? '▌' : full
  const rest = EIGHTHS[eighths % 8]!
  return full + (value !== 0 && full + rest === '' ? '▏' : rest)
}

function* valueAxis(plot: Plot): Iterable<string> {
  const { scale, nameWidth, width } = plot
  const rule = new Array<string>(width + 1).fill('─')
  let text = ''
  for (const tick of scale.ticks) {
    const at = zeroOf(plot) + Math.round(columnsOf(tick, plot))
    const label = scale.label(tick)
    const start = Math.max(0, at - (label.length >> 1))
    if (at > width || (text !== '' && start < text.length + 2)) continue
    text = text.padEnd(start) + label
    rule[at] = tick === 0 ? '┼' : '┴'
  }
  const side = ' '.repeat(nameWidth + 1)
  yield `${side}${rule.join('')}\n`
  yield `${side}${text}\n`
}

function columnsOf(amount: number, { scale, width }: Plot): number {
  return (amount / (scale.to - scale.from)) * width
}

/** Returns the column of 0. */
function zeroOf(plot: Plot): number {
  return Math.round(columnsOf(-plot.scale.from, plot))
}
