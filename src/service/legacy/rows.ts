import type { JsonText } from '../../wire/json/json-text.js'
import { type Page, queryColumns } from '../query/tabular.js'
import { elements } from './shape.js'

/** The values of a page by column, each as JSON text. */
export type CellsByName = ReadonlyMap<string, readonly JsonText[]>

/** The values of the query's own columns. */
export function cellsOf(page: Page): CellsByName {
  return new Map(
    queryColumns(page).map(({ field, bytes }) => [field.name, elements(bytes.toString())]),
  )
}
