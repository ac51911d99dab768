import { FILE_FIELD } from '../../../input/mapping/source-fields.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { fitText } from '../../../render/fit-text.js'
import type { Grid } from '../../../render/screen/grid.js'
import { BOLD, FAINT, INVERSE, styleOf } from '../../../render/screen/style.js'
import { tonesOf } from '../../../render/tone.js'
import { counted, formatInteger } from '../../../text/integer.js'
import { width as widthOf } from '../../../text/width.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { textInZone } from './clock.js'
import type { Facet } from './facet.js'
import { type FacetPanel, firstLine, panelLines, type State } from './state.js'

const MOST_WIDTH = 50

export function facetWidth(grid: Grid): number {
  return Math.min(MOST_WIDTH, Math.floor(grid.width / 2))
}

/** Draws the values of a field at the right of the lines. */
export function drawFacet(grid: Grid, state: State, panel: FacetPanel): void {
  const width = facetWidth(grid)
  const left = grid.width - width
  const first = firstLine(state)
  const height = panelLines(state)
  for (let line = 0; line < height; line++) {
    grid.put(first + line, left, '│'.padEnd(width), FAINT)
  }
  const { value, asked } = state.facet
  const facet = value?.field === panel.field ? value : undefined
  const isWhole = asked?.isWhole === true && !asked.isOpen
  const total = facet === undefined ? '' : counted(facet.total, 'value')
  const heading = grid.put(first, left + 2, panel.field, BOLD, left + Math.floor(width * 0.6))
  grid.put(first, heading + 1, `${total}${isWhole ? '' : ' …'}`, FAINT)
  if (facet === undefined) return
  const top = Math.max(0, panel.value - (height - 2))
  const shown = facet.values.slice(top, top + height - 1)
  const numbers = shown.map(({ count }) => formatInteger(count))
  const numberWidth = Math.max(...numbers.map(widthOf), 0)
  const sum = state.counts?.total ?? 0
  const tone = tonesOf(
    { name: facet.field, type: facet.type },
    shown.map(({ cell }) => cell),
  )
  for (const [line, { cell, count }] of shown.entries()) {
    const y = first + 1 + line
    const share = sum > 0 ? `${Math.round((100 * count) / sum)}%` : ''
    const text = cell === 'null' ? 'no value' : escapeControls(valueText(cell, facet, state))
    const style = cell === 'null' ? FAINT : styleOf(tone(line))
    grid.put(y, left + 2, `${fitText(numbers[line]!, numberWidth, 'right')} ${share.padStart(4)} `)
    grid.put(y, left + 2 + numberWidth + 6, text, style)
    if (top + line === panel.value) grid.mark(y, left + 1, grid.width, INVERSE)
  }
}

/** Returns the text of a value. Files have the labels of their events, because long paths often differ only at the end. */
function valueText(cell: JsonText, { field, type }: Facet, { labels, zone }: State): string {
  const text = textInZone(cell, type, zone)
  return (field === FILE_FIELD ? labels.get(text)?.trimEnd() : undefined) ?? text
}
