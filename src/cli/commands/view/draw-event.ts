import type { Grid } from '../../../render/screen/grid.js'
import { CYAN, FAINT, INVERSE } from '../../../render/screen/style.js'
import { eventFields, selectedPart } from './event-fields.js'
import { fieldLines } from './field-lines.js'
import { markSearch } from './search-marks.js'
import { type EventPanel, firstLine, panelLines, type State } from './state.js'

export function drawEvent(grid: Grid, state: State, panel: EventPanel): void {
  const { lines, nameWidth, typeWidth } = fieldLines(state)
  const fields = eventFields(state)
  const height = panelLines(state)
  const field = selectedPart(state, panel)
  const start = firstShown(lines, { ...panel, field }, height)
  for (const [index, line] of lines.slice(start, start + height).entries()) {
    const y = firstLine(state) + index
    const isSelected = line.field === field
    if (isSelected) grid.put(y, 0, '▌', CYAN)
    const isColumn = panel.columns.includes(fields[line.field]?.name ?? '')
    if (isColumn && line.name !== '') grid.put(y, 1, '+', CYAN)
    const nameStyle = isSelected ? line.nameStyle | INVERSE : line.nameStyle
    if (line.name !== '') grid.put(y, 2, line.name, nameStyle, 2 + nameWidth)
    if (typeWidth > 0) grid.put(y, 4 + nameWidth, line.type, FAINT, 4 + nameWidth + typeWidth)
    grid.put(y, line.column, line.text, line.style)
    if (state.search !== undefined) markSearch(grid, y, state.search, line.column)
  }
}

/** Returns the index of the first line on the screen, so that the selected field is visible, or as much of it as fits. */
function firstShown(
  lines: readonly { readonly field: number }[],
  { field, scroll }: EventPanel,
  height: number,
): number {
  const first = lines.findIndex((line) => line.field === field)
  const last = lines.findLastIndex((line) => line.field === field)
  const end = Math.max(0, lines.length - height)
  if (last - first >= height) return Math.min(first + scroll, end)
  return Math.min(end, Math.max(0, last - height + 1, first - Math.floor(height / 2)))
}
