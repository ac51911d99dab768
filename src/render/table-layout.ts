import { width as textWidth } from '../text/width.js'
import type { Table } from '../wire/http/tabular-result.js'
import type { JsonText } from '../wire/json/json-text.js'
import { isNumber, readableText } from './cell.js'
import { escapeControls } from './escape-controls.js'
import type { Tone } from './paint.js'
import { tonesOf } from './tone.js'

/** The text and the widths of a table's columns, before truncation. */
export interface TableLayout {
  readonly columns: readonly ColumnLayout[]
  readonly rows: number
}

/** A column as text, with its width and colors. */
interface ColumnLayout {
  readonly name: string
  readonly cells: readonly string[]
  readonly align: 'left' | 'right'
  /** Columns of the terminal between the borders. */
  readonly width: number
  /** Returns the color of the cell in a row. */
  readonly tone: (row: number) => Tone | undefined
}

interface LayoutOptions {
  /** True when the names need room too. */
  readonly header: boolean
  /** Available columns; without it nothing is truncated. */
  readonly width?: number | undefined
}

/** Text truncated to fewer columns is meaningless. */
const READABLE_WIDTH = 12

/**
 * Distributes the width among the columns; undefined when they do not fit. Numbers, times and ids are never truncated:
 * the beginning of a number is a different number.
 */
export function layOutTable(
  table: Table,
  { header, width }: LayoutOptions,
): TableLayout | undefined {
  const isReduced = ['pattern', 'count_'].every((name) =>
    table.fields.some((field) => field.name === name),
  )
  const columns = table.fields.map((field, index) => {
    const cells = table.columns[index] ?? []
    const isNumeric = isNumericColumn(cells)
    const texts = cells.map((cell) => shownCell(cell, field.type))
    const name = escapeControls(field.name)
    const nameWidth = header ? textWidth(name) : 0
    const cellWidth = texts.reduce((most, text) => Math.max(most, textWidth(text)), 0)
    const isExact = isNumeric || /datetime|timespan|^id$/.test(field.type)
    const natural = Math.max(nameWidth, cellWidth, 1)
    const least = Math.max(isExact ? cellWidth : 0, Math.min(natural, READABLE_WIDTH))
    const align: ColumnLayout['align'] = isNumeric ? 'right' : 'left'
    // In a result of `reduce`, the example adds little to the pattern.
    const isSpare = isReduced && field.name === 'example'
    const tone = tonesOf(field, cells)
    return { name, cells: texts, align, natural, least, isSpare, tone }
  })
  const widths = distributeWidth(
    columns,
    width === undefined ? Infinity : width - borders(columns.length),
  )
  if (widths === undefined) return undefined
  return {
    columns: columns.map((column, index) => ({ ...column, width: widths[index]! })),
    rows: table.columns[0]?.length ?? 0,
  }
}

/** Returns the text of a cell on a terminal. */
export function shownCell(cell: JsonText, type: string): string {
  return escapeControls(readableText(cell, type))
}

/** Returns the text of a cell that names something. */
export function labelText(cell: JsonText, type: string): string {
  return cell === 'null' ? 'null' : shownCell(cell, type)
}

/** True when a column contains only numbers and nulls, and at least one number. */
export function isNumericColumn(cells: readonly JsonText[]): boolean {
  let hasNumber = false
  for (const cell of cells) {
    if (isNumber(cell)) hasNumber = true
    else if (cell !== 'null') return false
  }
  return hasNumber
}

/** The width of the borders: a line around each column, and a space on either side of a cell. */
function borders(columns: number): number {
  return 3 * columns + 1
}

interface ColumnNeed {
  readonly natural: number
  readonly least: number
  /** True for a column that gets only the width that the other columns do not need. */
  readonly isSpare: boolean
}

/** Gives each column its minimum, then distributes the rest evenly among the columns that need more. */
function distributeWidth(
  columns: readonly ColumnNeed[],
  available: number,
): readonly number[] | undefined {
  let rest = available - columns.reduce((sum, { least }) => sum + least, 0)
  if (rest < 0) return undefined
  const widths = columns.map(({ least }) => least)
  for (const isSpare of [false, true]) {
    const byNeed = columns
      .map(({ natural, least, ...column }, index) => ({ ...column, need: natural - least, index }))
      .filter((column) => column.isSpare === isSpare)
      .sort((a, b) => a.need - b.need)
    byNeed.forEach(({ need, index }, position) => {
      const given = Math.min(need, Math.floor(rest / (byNeed.length - position)))
      widths[index]! += given
      rest -= given
    })
  }
  return widths
}
