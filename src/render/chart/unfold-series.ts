import type { Table } from '../../wire/http/tabular-result.js'
import { elements, type JsonText } from '../../wire/json/json-text.js'

/** Expands the rows of `make-series`, whose times and values are arrays, to one row per time. Returns other tables unchanged. */
export function unfoldSeries(table: Table): Table {
  const { fields, columns } = table
  const lists = columns.map((cells) => listsOf(cells))
  const time = lists.findIndex((found) =>
    found?.flat().some((cell) => /^"\d{4}-\d\d-\d\dT/.test(cell)),
  )
  const steps = lists[time]
  if (steps === undefined) return table
  const isSeries = lists.map(
    (found) => found?.every((list, row) => list.length === steps[row]!.length) === true,
  )
  return {
    ...table,
    fields: fields.map((field, index) => {
      if (!isSeries[index]) return field
      return { name: field.name, type: index === time ? 'datetime' : 'float' }
    }),
    groups: fields.filter((_, index) => !isSeries[index]).map(({ name }) => ({ name })),
    columns: columns.map((cells, index) =>
      isSeries[index]
        ? lists[index]!.flat()
        : cells.flatMap((cell, row) => steps[row]!.map(() => cell)),
    ),
  }
}

/** Returns the elements of the arrays in a column; undefined unless all its values are arrays. */
function listsOf(cells: readonly JsonText[]): readonly (readonly JsonText[])[] | undefined {
  if (cells.length === 0 || !cells.every((cell) => cell.startsWith('['))) return undefined
  return cells.map(elements)
}
