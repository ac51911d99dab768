import type { Table } from '../../wire/http/tabular-result.js'
import { elements, type JsonText } from '../../wire/json/json-text.js'
import { drawnNumber, isNumber } from '../cell.js'
import { escapeControls } from '../escape-controls.js'
import { isNumericColumn, labelText, shownCell } from '../table-layout.js'

/** A small line of values for each row, next to the row's numbers and its name. */
export interface SparklineChart {
  readonly kind: 'sparklines'
  /** The heading of the names. */
  readonly name: string
  readonly numbers: readonly NumberColumn[]
  readonly rows: readonly SparklineRow[]
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
export function sparklinesOf(table: Table): SparklineChart | undefined {
  const { fields, columns, groups } = table
  const lists = columns.map(numbersOf)
  const at = lists.findIndex((found) => found?.some((values) => values.length > 0))
  const values = lists[at]
  if (values === undefined || lists.filter((found) => found !== undefined).length > 1) {
    return undefined
  }
  const numeric = fields.flatMap((_, index) => (isNumericColumn(columns[index]!) ? [index] : []))
  const isGroup = (index: number) => groups.some(({ name }) => name === fields[index]!.name)
  const numbers = numeric.filter((index) => !isGroup(index))
  const names = fields.flatMap((_, index) => {
    const isName = index !== at && !numbers.includes(index)
    return isName && (groups.length === 0 || isGroup(index)) ? [index] : []
  })
  return {
    kind: 'sparklines',
    name: names.map((index) => escapeControls(fields[index]!.name)).join(', '),
    numbers: numbers.map((index) => ({
      name: escapeControls(fields[index]!.name),
      texts: columns[index]!.map((cell) => numberText(cell, fields[index]!.type)),
    })),
    rows: values.map((row, position) => ({
      name: names
        .map((index) => labelText(columns[index]![position]!, fields[index]!.type))
        .join(', '),
      values: row,
    })),
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
