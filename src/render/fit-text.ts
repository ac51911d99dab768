import { graphemes, width as textWidth } from '../text/width.js'

/** Fits text into exactly `width` terminal columns: truncates longer text with `…`, pads shorter text; `paint` colors the text. */
export function fitText(
  text: string,
  width: number,
  align: 'left' | 'right',
  paint = (shown: string) => shown,
): string {
  const natural = textWidth(text)
  const shown = natural <= width ? text : cut(text, width)
  const space = ' '.repeat(width - (shown === text ? natural : textWidth(shown)))
  return align === 'left' ? paint(shown) + space : space + paint(shown)
}

/** Truncates text to `width` terminal columns; truncated text ends with `…`. */
export function cutText(text: string, width: number): string {
  return textWidth(text) <= width ? text : cut(text, width)
}

function cut(text: string, width: number): string {
  return `${firstColumns(text, width - 1)}…`
}

const NARROW = /^[\x20-\x7e]*$/
/** A character of one column rarely has more code units. */
const UNITS_PER_COLUMN = 8

/** Returns as much of the beginning of a text as fits into `columns`. */
export function firstColumns(text: string, columns: number): string {
  if (columns <= 0) return ''
  // A mark may follow the last character.
  if (NARROW.test(text.slice(0, columns + 1))) return text.slice(0, columns)
  return text.slice(0, fittingUnits(graphemes(text.slice(0, columns * UNITS_PER_COLUMN)), columns))
}

/** Returns as much of the end of a text as fits into `columns`. */
export function lastColumns(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (textWidth(text) <= columns) return text
  const characters = graphemes(text.slice(-columns * UNITS_PER_COLUMN)).toReversed()
  return text.slice(text.length - fittingUnits(characters, columns))
}

/** Returns a text without its first columns. When these end within a wide character, a space replaces its other half. */
export function withoutColumns(text: string, columns: number): string {
  if (columns <= 0) return text
  if (NARROW.test(text)) return text.slice(columns)
  const units = fittingUnits(graphemes(text), columns)
  const used = textWidth(text.slice(0, units))
  const [divided = ''] = used < columns ? graphemes(text.slice(units)) : []
  const rest = text.slice(units + divided.length)
  return ' '.repeat(Math.max(0, used + textWidth(divided) - columns)) + rest
}

/** Returns the number of code units of the characters that fit into `columns`. */
function fittingUnits(characters: readonly string[], columns: number): number {
  let used = 0
  let units = 0
  for (const character of characters) {
    used += textWidth(character)
    if (used > columns) break
    units += character.length
  }
  return units
}
