// Parts of texts, measured in columns of the terminal.
import { escapeControls } from '../../../render/escape-controls.js'
import { PLAIN } from '../../../render/screen/style.js'
import { graphemes, width as widthOf } from '../../../text/width.js'
import { wrapText } from '../../../text/wrap.js'
import type { Piece } from './event-line.js'

const NARROW = /^[\x20-\x7e]*$/
/** A character of one column rarely has more code units. */
const UNITS_PER_COLUMN = 8

/** Returns as much of the beginning of a text as fits into `columns`. */
export function firstColumns(text: string, columns: number): string {
  if (columns <= 0) return ''
  const near = text.slice(0, columns)
  if (NARROW.test(near)) return near
  return text.slice(0, fittingUnits(graphemes(text.slice(0, columns * UNITS_PER_COLUMN)), columns))
}

/** Returns as much of the end of a text as fits into `columns`. */
export function lastColumns(text: string, columns: number): string {
  if (columns <= 0) return ''
  if (widthOf(text) <= columns) return text
  const characters = graphemes(text.slice(-columns * UNITS_PER_COLUMN)).toReversed()
  return text.slice(text.length - fittingUnits(characters, columns))
}

/** Returns a text without its first columns. When these end within a wide character, a space replaces its other half. */
export function withoutColumns(text: string, columns: number): string {
  if (columns <= 0) return text
  if (NARROW.test(text)) return text.slice(columns)
  const units = fittingUnits(graphemes(text), columns)
  const used = widthOf(text.slice(0, units))
  const [divided = ''] = used < columns ? graphemes(text.slice(units)) : []
  const rest = text.slice(units + divided.length)
  return ' '.repeat(Math.max(0, used + widthOf(divided) - columns)) + rest
}

/** Returns the number of code units of the characters that fit into `columns`. */
function fittingUnits(characters: readonly string[], columns: number): number {
  let used = 0
  let units = 0
  for (const character of characters) {
    used += widthOf(character)
    if (used > columns) break
    units += character.length
  }
  return units
}

/** The maximum number of screen rows of an event. */
const MOST_LINES = 20

/** Wraps a text between words; only words that are longer than a line are divided. */
export function wrappedWords(text: string, width: number): readonly string[] {
  const lines = wrapText(escapeControls(text), width).split('\n')
  return lines.flatMap((line) =>
    wrappedPieces([{ text: line, style: PLAIN }], width).map(([piece]) => piece?.text ?? ''),
  )
}

/** Divides the pieces of a line into lines of at most `width` columns. */
export function wrappedPieces(
  pieces: readonly Piece[],
  width: number,
  mostLines = MOST_LINES,
): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [[]]
  let used = 0
  for (const { text, style } of pieces) {
    let rest = escapeControls(text)
    while (rest !== '') {
      const part = firstColumns(rest, width - used)
      if (part === '' && used === 0) break
      if (part !== '') lines.at(-1)!.push({ text: part, style })
      used += widthOf(part)
      rest = rest.slice(part.length)
      if (rest === '') break
      if (lines.length === mostLines) return lines
      lines.push([])
      used = 0
    }
  }
  return lines
}
