import { counted } from '../../text/integer.js'
import { width as textWidth } from '../../text/width.js'
import { cutText, fitText } from '../fit-text.js'
import { type ChartStyle, painted, toneOf } from './chart-style.js'
import type { SparklineChart } from './sparkline-chart.js'

/** More rows would not be readable at a glance. */
export const MAX_SPARKLINES = 50

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Returns the number of values that a sparkline shows in this width. */
export function sparklineWidth(width: number): number {
  return Math.max(8, Math.min(60, Math.floor(width / 4)))
}

/** Draws one line per row: its numbers, its values over time and its name. Each row has its own scale. */
export function* drawSparklines(chart: SparklineChart, style: ChartStyle): Iterable<string> {
  const rows = chart.rows.slice(0, MAX_SPARKLINES)
  const most = Math.max(...rows.map(({ values }) => values.length))
  const length = Math.min(most, sparklineWidth(style.width))
  const numbers = chart.numbers.map(({ name, texts }) => {
    const shown = texts.slice(0, rows.length)
    return { name, shown, width: Math.max(textWidth(name), ...shown.map(textWidth)) }
  })
  const used = numbers.reduce((sum, { width }) => sum + width + 2, 0) + length + 2
  const nameWidth = Math.max(8, style.width - used)
  const heading = [
    ...numbers.map(({ name, width }) => fitText(name, width, 'right')),
    ' '.repeat(length),
    cutText(chart.name, nameWidth),
  ]
  yield `${painted(style, 'heading', heading.join('  ').trimEnd())}\n`
  for (const [at, { name, values }] of rows.entries()) {
    const cells = numbers.map(({ shown, width }) => fitText(shown[at]!, width, 'right'))
    const line = painted(style, toneOf(name, 0), sparkline(values, length).padEnd(length))
    const label = cutText(name === '' ? '""' : name, nameWidth)
    yield `${[...cells, line, label].join('  ')}\n`
  }
  const left = chart.rows.length - rows.length
  if (left > 0) yield `… and ${counted(left, 'more row')}\n`
}

/** Returns a character per value, from the lowest block for 0 to the full one for the largest value. */
function sparkline(values: readonly number[], length: number): string {
  const shown = condensed(values, length)
  const most = Math.max(...shown, 0)
  const least = Math.min(...shown, 0)
  const level = (value: number) =>
    Math.ceil(((value - least) / (most - least || 1)) * (BLOCKS.length - 1))
  return shown.map((value) => BLOCKS[level(value)]!).join('')
}

/** Returns at most `length` values: the largest of each of equal parts. */
function condensed(values: readonly number[], length: number): readonly number[] {
  if (values.length <= length) return values
  return Array.from({ length }, (_, i) => {
    const from = Math.floor((i * values.length) / length)
    const to = Math.floor(((i + 1) * values.length) / length)
    // Reduced, not passed as arguments: a list may have millions of values.
    return values.slice(from, to).reduce((most, value) => Math.max(most, value))
  })
}
