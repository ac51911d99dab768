import { graphemes, width as widthOf } from '../../text/width.js'
import { escapeControls } from '../escape-controls.js'
import { PLAIN, type Style } from './style.js'

const ASCII = /^[\x20-\x7e]*$/
/** The most code units that a character of one column usually has; longer text cannot fit. */
const UNITS_PER_COLUMN = 8

/** A part of a text, as offsets of code units; the second one is excluded. */
export type Part = readonly [from: number, to: number]

/** The characters on a screen, each with its style. Control characters in text are escaped. */
export class Grid {
  readonly width: number
  readonly height: number
  /** The character of each cell, row by row; the right half of a wide character is empty. */
  readonly texts: string[]
  readonly styles: Uint16Array

  constructor(width: number, height: number) {
    this.width = width
    this.height = height
    this.texts = new Array<string>(width * height).fill(' ')
    this.styles = new Uint16Array(width * height)
  }

  /** Puts text into a row, starting at a column and truncated before `end`. Returns the column after the text. */
  put(row: number, column: number, text: string, style: Style = PLAIN, end = this.width): number {
    const limit = Math.min(end, this.width)
    if (row < 0 || row >= this.height || column >= limit) return column
    const near =
      text.length > limit * UNITS_PER_COLUMN ? text.slice(0, limit * UNITS_PER_COLUMN) : text
    const start = row * this.width
    // Covering half of a wide character turns its other half into a space.
    if (this.texts[start + column] === '') this.texts[start + column - 1] = ' '
    const after = this.putIn(row, column, near, style, limit)
    if (after < this.width && this.texts[start + after] === '') this.texts[start + after] = ' '
    return after
  }

  private putIn(row: number, column: number, text: string, style: Style, end: number): number {
    if (ASCII.test(text)) return this.putAscii(row, column, text, style, end)
    let at = column
    for (const character of graphemes(escapeControls(text))) {
      const columns = widthOf(character)
      if (columns === 0) continue
      if (at + columns > end) break
      this.set(row, at, character, style)
      for (let rest = 1; rest < columns; rest++) this.set(row, at + rest, '', style)
      at += columns
    }
    return at
  }

  private putAscii(row: number, column: number, text: string, style: Style, end: number): number {
    const length = Math.min(text.length, end - column)
    for (let i = 0; i < length; i++) this.set(row, column + i, text[i]!, style)
    return column + length
  }

  private set(row: number, column: number, text: string, style: Style): void {
    const cell = row * this.width + column
    this.texts[cell] = text
    this.styles[cell] = style
  }

  /** Adds attributes to the cells of a row between two columns. */
  mark(row: number, from: number, to: number, style: Style): void {
    for (let column = Math.max(0, from); column < Math.min(to, this.width); column++) {
      const cell = row * this.width + column
      this.styles[cell] = this.styles[cell]! | style
    }
  }

  /** Adds attributes to the occurrences of a text in a row, ignoring case. */
  markText(row: number, text: string, style: Style, from = 0): void {
    if (text === '') return
    this.markParts(
      row,
      (shown) => occurrences(shown.toLowerCase(), text.toLowerCase()),
      style,
      from,
    )
  }

  /** Adds attributes to parts of the text of a row, without its trailing spaces. */
  markParts(row: number, find: (text: string) => readonly Part[], style: Style, from = 0): void {
    const cells = this.texts.slice(row * this.width + from, (row + 1) * this.width)
    const parts = find(cells.join('').trimEnd())
    if (parts.length === 0) return
    // The column of each code unit; conversion to lower case rarely changes the length of a text.
    const columns = cells.flatMap((cell, column) => Array<number>(cell.length).fill(from + column))
    for (const [start, end] of parts) {
      if (start === end) continue
      const last = columns[end - 1] ?? columns.at(-1)!
      this.mark(row, columns[start] ?? last, last + 1, style)
    }
  }
}

function occurrences(text: string, wanted: string): readonly Part[] {
  const parts: Part[] = []
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    parts.push([at, at + wanted.length])
  }
  return parts
}
