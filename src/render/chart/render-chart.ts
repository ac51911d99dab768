import type { Table } from '../../wire/http/query.js'
import { openPaint } from '../paint.js'
import type { RenderOptions } from '../renderer.js'
import { renderTables } from '../table.js'
import { titleOf } from '../title.js'
import { drawBars } from './bar-chart.js'
import { type Chart, chartsOf } from './chart.js'
import type { ChartStyle } from './chart-style.js'
import { drawLines } from './line-chart.js'

const USUAL_WIDTH = 80
/** Beyond this a line of text can't be followed, and a chart gains nothing. */
const MOST_WIDTH = 160

/** Charts of what can be drawn, and tables of what can't. */
export async function renderCharts(
  tables: readonly Table[],
  options: RenderOptions,
): Promise<Iterable<string>> {
  const paint = await openPaint(options.color)
  const width = Math.min(options.width ?? USUAL_WIDTH, MOST_WIDTH)
  const look: ChartStyle = { width, ascii: options.ascii === true, paint }
  const pieces: Iterable<string>[] = []
  for (const [number, table] of tables.entries()) {
    const title = titleOf(tables, number)
    if (title !== undefined) pieces.push([`${title}\n`])
    const charts = chartsOf(table)
    if ('reason' in charts) {
      options.note?.(`${charts.reason} So it is a table.`)
      pieces.push(await renderTables([table], options))
    } else pieces.push(draw(charts, look))
  }
  return apart(pieces)
}

function draw(charts: readonly Chart[], look: ChartStyle): Iterable<string> {
  return apart(
    charts.map((chart) => {
      switch (chart.kind) {
        case 'lines':
          return drawLines(chart, look)
        case 'bars':
          return drawBars(chart, look)
        default:
          return chart satisfies never
      }
    }),
  )
}

/** Pieces with an empty line between them. */
function* apart(pieces: readonly Iterable<string>[]): Iterable<string> {
  for (const [number, piece] of pieces.entries()) {
    if (number > 0) yield '\n'
    yield* piece
  }
}
