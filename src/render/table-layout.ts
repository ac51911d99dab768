import { width as textWidth } from '../text/width.js'
import type { Table } from '../wire/http/query.js'
import type { JsonText } from '../wire/json/json-text.js'
import { isNumber, readableText } from './cell.js'
import { escapeControls } from './escape-controls.js'
import type { Tone } from './paint.js'
import { tonesOf } from './tone.js'

/** A table as a reader will see it, before anything is cut. */
export interface TableLayout {
  readonly columns: readonly ColumnLayout[]
  readonly rows: number
}

/** A column of a table as text, with its width and its looks. */
export interface ColumnLayout {
  readonly name: string
  readonly cells: readonly string[]
  readonly align: 'left' | 'right'
  /** Columns of text between its borders. */
  readonly width: number
  /** How the cell of a row looks where there is colour. */
  readonly tone: (row: number) => Tone | undefined
}

interface LayoutOptions {
  /** Whether there is a line of names, which need room too. */
  readonly header: boolean
  /** How many columns of text there are room for; without it nothing is cut. */
  readonly width?: number | undefined
}

/** A text cut shorter than this says nothing any more. */
const READABLE_WIDTH = 12

/**
 * Shares the width out among the columns; nothing when they can't all be read in it. Numbers and
 * times are never cut, and ids neither: the beginning of a number is another number.
 */
export function layOutTable(
  table: Table,
  { header, width }: LayoutOptions,
): TableLayout | undefined {
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
    const align = isNumeric ? 'right' : 'left'
    return { name, cells: texts, align, natural, least, tone: tonesOf(field, cells) } as const
  })
  const widths = share(columns, width === undefined ? Infinity : width - borders(columns.length))
  if (widths === undefined) return undefined
  return {
    columns: columns.map(({ name, cells, align, tone }, index) => ({
      name,
      cells,
      align,
      tone,
      width: widths[index]!,
    })),
    rows: table.columns[0]?.length ?? 0,
  }
}

/** What a cell shows on a terminal. */
export function shownCell(cell: JsonText, type: string): string {
  return escapeControls(readableText(cell, type))
}

/** Whether all that a column holds is numbers, and there are some. */
export function isNumericColumn(cells: readonly JsonText[]): boolean {
  let hasNumber = false
  for (const cell of cells) {
    if (isNumber(cell)) hasNumber = true
    else if (cell !== 'null') return false
  }
  return hasNumber
}

/** A line between columns, one at either side, and a space around each cell. */
function borders(columns: number): number {
  return 3 * columns + 1
}

/** Gives each column its least, then shares the rest evenly among those that want more. */
function share(
  columns: readonly { readonly natural: number; readonly least: number }[],
  available: number,
): readonly number[] | undefined {
  let rest = available - columns.reduce((sum, { least }) => sum + least, 0)
  if (rest < 0) return undefined
  const widths = columns.map(({ least }) => least)
  const byNeed = columns
    .map(({ natural, least }, index) => ({ need: natural - least, index }))
    .sort((a, b) => a.need - b.need)
  byNeed.forEach(({ need, index }, position) => {
    const given = Math.min(need, Math.floor(rest / (byNeed.length - position)))
    widths[index]! += given
    rest -= given
  })
  return widths
}
