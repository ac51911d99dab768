import { elements, type JsonText } from '../../wire/json/json-text.js'
import { drawnNumber, isNumber } from '../cell.js'
import { shownCell } from '../table-layout.js'
import { type Column, MAX_ROWS, rowNames } from './column.js'

/** A small line of values for each row, next to the row's numbers and its name. */
export interface SparklineChart {
  readonly kind: 'sparklines'
  /** The heading of the names. */
  readonly name: string
  readonly numbers: readonly NumberColumn[]
  readonly rows: readonly SparklineRow[]
  /** The number of rows that are not drawn. */
  readonly left: number
}

/** A column of numbers as text. */
interface NumberColumn {
  readonly name: string
  readonly texts: readonly string[]
}

interface SparklineRow {
  readonly name: string
  /** Empty when the row has no values. */
  readonly values: readonly number[]
}

/** Returns the chart of a table with one column of arrays of numbers; undefined for any other table. */
export function sparklinesOf(columns: readonly Column[]): SparklineChart | undefined {
  const lists = columns.map(({ cells }) => numbersOf(cells))
  const at = lists.findIndex((found) => found?.some((values) => values.length > 0))
  const values = lists[at]
  if (values === undefined || lists.filter((found) => found !== undefined).length > 1) {
    return undefined
  }
  const numbers = columns.filter(({ isNumeric, isGroup }) => isNumeric && !isGroup)
  const names = columns.filter(
    (column, index) => column.isName && index !== at && !numbers.includes(column),
  )
  const rows = values.slice(0, MAX_ROWS)
  const labels = rowNames(names, rows.length)
  return {
    kind: 'sparklines',
    name: names.map(({ heading }) => heading).join(', '),
    numbers: numbers.map(({ cells, field, heading }) => ({
      name: heading,
      texts: rows.map((_, row) => numberText(cells[row]!, field.type)),
    })),
    rows: rows.map((ofRow, row) => ({ name: labels[row]!, values: ofRow })),
    left: values.length - rows.length,
  }
}

/** Returns the numbers of each array; undefined unless all values are arrays of numbers, or null. */
function numbersOf(cells: readonly JsonText[]): readonly (readonly number[])[] | undefined {
  if (!cells.every((cell) => cell.startsWith('[') || cell === 'null')) return undefined
  const lists: number[][] = []
  for (const cell of cells) {
    const found = cell === 'null' ? [] : elements(cell)
    if (!found.every((element) => isNumber(element) || element === 'null')) return undefined
    lists.push(found.map((element) => drawnNumber(element) ?? 0))
  }
  return lists
}

/** Three digits of a fraction are enough next to a drawing. */
function numberText(cell: JsonText, type: string): string {
  if (isNumber(cell) && type === 'float') return String(Number(Number(cell).toPrecision(3)))
  return shownCell(cell, type)
}
