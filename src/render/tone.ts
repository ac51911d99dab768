import type { TableField } from '../wire/http/query.js'
import type { JsonText } from '../wire/json/json-text.js'
import { cellText } from './cell.js'
import { isLevelField, levelCellTone } from './level.js'
import type { Tone } from './paint.js'

/** How the cells of a column look, row by row: by their type, or by what they say of how bad something is. */
export function tonesOf(
  { name, type }: TableField,
  cells: readonly JsonText[],
): (row: number) => Tone | undefined {
  if (isLevelField(name)) {
    const known = new Map<JsonText, Tone | undefined>()
    return (row) => {
      const cell = cells[row]!
      if (!known.has(cell)) known.set(cell, levelCellTone(cellText(cell) ?? ''))
      return known.get(cell)
    }
  }
  const tone = toneOfType(type)
  return () => tone
}

function toneOfType(type: string): Tone | undefined {
  switch (type) {
    case 'integer':
    case 'float':
    case 'integer|float':
    case 'float|integer':
    case 'timespan':
      return 'number'
    case 'datetime':
      return 'time'
    case 'boolean':
      return 'truth'
    default:
      return undefined
  }
}
