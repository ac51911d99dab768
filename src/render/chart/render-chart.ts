import type { Table } from '../../wire/http/tabular-result.js'
import { paintOf } from '../paint.js'
import { type RenderOptions, tableTitle } from '../renderer.js'
import { renderTables } from '../table.js'
import { drawBars } from './bar-chart.js'
import { type Chart, chartsOf } from './chart.js'
import { type ChartStyle, chartWidth } from './chart-style.js'
import { drawLines } from './line-chart.js'
import { drawSparklines } from './sparkline.js'

/** Renders tables as charts; a table that cannot be drawn remains a table. */
export async function renderCharts(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const { color, width } = options
  const style = { width: chartWidth(width), paint: paintOf(color), hasColor: color !== 'none' }
  const pieces: Iterable<string>[] = []
  for (const [number, table] of tables.entries()) {
    const title = tableTitle(tables, number)
    if (title !== undefined) pieces.push([`${title}\n`])
    const charts = chartsOf(table)
    if ('reason' in charts) {
      options.note?.(`${charts.reason} Showing a table instead.`)
      pieces.push(await renderTables([table], options))
    } else pieces.push(draw(charts, style))
  }
  return apart(pieces)
}

function draw(charts: readonly Chart[], style: ChartStyle): Iterable<string> {
  return apart(
    charts.map((chart) => {
      if (chart.kind === 'lines') return drawLines(chart, style)
      return chart.kind === 'bars' ? drawBars(chart, style) : drawSparklines(chart, style)
    }),
  )
}

/** Separates pieces by empty lines. */
function* apart(pieces: readonly Iterable<string>[]): Iterable<string> {
  for (const [number, piece] of pieces.entries()) {
    if (number > 0) yield '\n'
    yield* piece
  }
}
