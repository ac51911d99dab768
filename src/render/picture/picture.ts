import type { Table } from '../../wire/http/tabular-result.js'
import { type BarChart, chartsOf, type LineChart } from '../chart/chart.js'
import { escapeControls } from '../escape-controls.js'
import { tableTitle } from '../renderer.js'
import { barDrawing } from './bar-picture.js'
import { type Drawing, element, escapeMarkup } from './element.js'
import { lineDrawing } from './line-picture.js'
import { PictureError } from './picture-error.js'
import { STYLE, WIDTH } from './theme.js'

/** Renders charts as a self-contained SVG file. Throws a `PictureError` for rows that cannot be drawn. */
export function renderSvg(tables: readonly Table[]): Iterable<string> {
  return [picture(tables, { isAlone: true }), '\n']
}

/** Renders charts as a self-contained HTML page, which may not load anything. Throws like `renderSvg`. */
export function renderHtml(tables: readonly Table[]): Iterable<string> {
  const title = escapeMarkup(titleOf(tables))
  const page = `body{margin:0;display:grid;place-items:center;min-height:100vh;background:#ffffff}svg{width:min(100%,1200px);height:auto}@media (prefers-color-scheme:dark){body{background:#14181d}}`
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n',
    '<meta name="viewport" content="width=device-width, initial-scale=1">\n',
    '<meta name="color-scheme" content="light dark">\n',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`,
    `<title>${title}</title>\n<style>${page}</style>\n</head>\n<body>\n`,
    picture(tables, { isAlone: false }),
    '\n</body>\n</html>\n',
  ]
}

/** Draws the charts of all tables below each other. */
function picture(tables: readonly Table[], { isAlone }: { readonly isAlone: boolean }): string {
  const drawings: Drawing[] = []
  for (const [number, table] of tables.entries()) {
    for (const chart of drawnCharts(table)) {
      const title = tableTitle(tables, number)
      const named = title === undefined ? chart : { ...chart, name: `${title}: ${chart.name}` }
      const top = drawings.at(-1)?.bottom ?? 0
      drawings.push(named.kind === 'lines' ? lineDrawing(named, top) : barDrawing(named, top))
    }
  }
  const height = Math.ceil((drawings.at(-1)?.bottom ?? 0) + 16)
  const description = drawings.map((drawing) => drawing.description).join('. ')
  const size = { viewBox: `0 0 ${WIDTH} ${height}`, width: WIDTH, height }
  const content = [
    `<title id="title">${escapeMarkup(titleOf(tables))}</title>`,
    `<desc id="description">${escapeMarkup(description)}</desc>`,
    `<style>${STYLE}</style>`,
    element('rect', { width: WIDTH, height, class: 'back' }),
    ...drawings.map(({ markup }) => markup),
  ]
  return element(
    'svg',
    {
      ...(isAlone && { xmlns: 'http://www.w3.org/2000/svg' }),
      ...size,
      role: 'img',
      'aria-labelledby': 'title description',
    },
    content.join(''),
  )
}

function titleOf(tables: readonly Table[]): string {
  const names = tables.flatMap((table) => drawnCharts(table).map(({ name }) => name))
  // XML does not allow control characters, not even as references.
  const groups = [
    ...new Set(tables.flatMap((table) => table.groups.map(({ name }) => escapeControls(name)))),
  ]
  return `${[...new Set(names)].join(', ')}${groups.length > 0 ? ` by ${groups.join(', ')}` : ''}`
}

/** Returns the line charts or bar charts of a table. Throws a `PictureError` when the table has neither. */
function drawnCharts(table: Table): readonly (LineChart | BarChart)[] {
  if (table.columns.every(({ length }) => length === 0)) {
    throw new PictureError('There are no rows to draw.')
  }
  const charts = chartsOf(table)
  if ('reason' in charts) throw noPicture(charts.reason)
  return charts.map((chart) => {
    if (chart.kind === 'sparklines') throw noPicture('A column has arrays of numbers.')
    return chart
  })
}

function noPicture(reason: string): PictureError {
  return new PictureError(
    `${reason} A picture needs rows with times and numbers, which become lines, or names and numbers, which become bars: \`summarize count() by bin_auto(_time), level\`.`,
  )
}
