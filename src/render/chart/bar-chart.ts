import { counted } from '../../text/integer.js'
import { width as textWidth } from '../../text/width.js'
import { fitText } from '../fit-text.js'
import type { BarChart } from './chart.js'
import { type ChartStyle, painted, toneOf } from './chart-style.js'
import { scaleOf } from './scale.js'

/** More bars would not be readable at a glance. */
const MAX_BARS = 50

/** Blocks of one to seven eighths of a cell. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Draws horizontal bars from 0, one per line, each with its name on the left and its value on the right. */
export function* drawBars(chart: BarChart, style: ChartStyle): Iterable<string> {
  const bars = chart.bars.slice(0, MAX_BARS)
  const values = bars.flatMap(({ value }) => value ?? [])
  if (values.length === 0) return yield `${chart.name}: no values\n`
  const nameWidth = Math.min(
    Math.max(...bars.map(({ name }) => textWidth(name))),
    Math.max(8, Math.floor(style.width / 3)),
  )
  const valueWidth = Math.max(...bars.map(({ text }) => textWidth(text)))
  const width = Math.max(8, style.width - nameWidth - valueWidth - 4)
  const scale = scaleOf(values, {
    unit: chart.unit,
    steps: Math.max(2, Math.floor(width / 12)),
    tight: true,
  })
  const columnsOf = (amount: number) => (amount / (scale.to - scale.from)) * width
  const zero = Math.round(columnsOf(-scale.from))

  function barOf(value: number): string {
    const eighths = Math.round(columnsOf(Math.abs(value)) * 8)
    const full = '█'.repeat(Math.floor(eighths / 8))
    // A cell can be partly filled only from the left.
    if (value < 0) return full === '' ? '▌' : full
    const rest = EIGHTHS[eighths % 8]!
    return full + (value !== 0 && full + rest === '' ? '▏' : rest)
  }

  function* valueAxis(): Iterable<string> {
    const rule = new Array<string>(width + 1).fill('─')
    let text = ''
    for (const tick of scale.ticks) {
      const at = zero + Math.round(columnsOf(tick))
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

  yield `${painted(style, 'heading', chart.name)}\n`
  for (const { name, value, text } of bars) {
    const bar = value === undefined ? '' : barOf(value)
    const isBefore = value !== undefined && value < 0
    const below = isBefore ? bar.padStart(zero) : ' '.repeat(zero)
    const above = isBefore ? '' : bar
    const tone = toneOf(name, 0)
    const drawn = `${painted(style, tone, below)}│${painted(style, tone, above)}`
    yield `${fitText(name, nameWidth, 'left')} ${drawn} ${text}`.trimEnd().concat('\n')
  }
  yield* valueAxis()
  const left = chart.bars.length - bars.length
  if (left > 0) yield `… and ${counted(left, 'more row')}\n`
}
