import { counted } from '../../text/integer.js'
import { width as textWidth } from '../../text/width.js'
import { cutText, fitText } from '../fit-text.js'
import { type ChartStyle, toneOf } from './chart-style.js'
import type { SparklineChart } from './sparkline-chart.js'

const BLOCKS = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█']

/** Returns the number of values that a sparkline shows in this width. */
export function sparklineWidth(width: number): number {
  return Math.max(8, Math.min(60, Math.floor(width / 4)))
}

/** Draws one line per row: its numbers, its values over time and its name. Each row has its own scale. */
export function* drawSparklines(chart: SparklineChart, style: ChartStyle): Iterable<string> {
  const most = Math.max(...chart.rows.map(({ values }) => values.length))
  const length = Math.min(most, sparklineWidth(style.width))
  const numbers = chart.numbers.map(({ name, texts }) => ({
    name,
    texts,
    width: Math.max(textWidth(name), ...texts.map(textWidth)),
  }))
  const used = numbers.reduce((sum, { width }) => sum + width + 2, 0) + length + 2
  const nameWidth = Math.max(8, style.width - used)
  const heading = [
    ...numbers.map(({ name, width }) => fitText(name, width, 'right')),
    ' '.repeat(length),
    cutText(chart.name, nameWidth),
  ]
  yield `${style.paint('heading', heading.join('  ').trimEnd())}\n`
  for (const [at, { name, values }] of chart.rows.entries()) {
    const cells = numbers.map(({ texts, width }) => fitText(texts[at]!, width, 'right'))
    const line = style.paint(toneOf(name, 0), sparkline(values, length).padEnd(length))
    const label = cutText(name === '' ? '""' : name, nameWidth)
    yield `${[...cells, line, label].join('  ')}\n`
  }
  if (chart.left > 0) yield `… and ${counted(chart.left, 'more row')}\n`
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
