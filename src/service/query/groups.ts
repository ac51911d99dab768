import { elements, type JsonText } from '../../wire/json/json-text.js'
import { type Page, queryColumns } from './tabular.js'

/** The values of a page by column, each as JSON text. */
export type CellsByName = ReadonlyMap<string, readonly JsonText[]>

/** The groups of a page, over the whole time range or per interval. */
export interface Groups {
  readonly cells: CellsByName
  /** A key for each row that identifies its group. */
  readonly names: readonly string[]
}

/** Reads the groups of a page; `keys` are the columns that identify them. */
export function groupsOf(page: Page, keys: readonly string[]): Groups {
  const cells = cellsOf(page)
  const names = Array.from({ length: page.rows }, (_, row) =>
    keys.map((key) => cells.get(key)?.[row] ?? '').join(','),
  )
  return { cells, names }
}

/** Returns the groups of `all` that also occur among other groups, in the order of the other groups. */
export function commonGroups(all: Groups, { names }: Groups): Groups {
  const rows = new Map(all.names.map((name, row) => [name, row]))
  return atRows(
    all,
    [...new Set(names)].flatMap((name) => rows.get(name) ?? []),
  )
}

/** Returns the groups of `all` that also occur among other groups, in the order of `all`. */
export function groupsAlsoIn(all: Groups, { names }: Groups): Groups {
  const known = new Set(names)
  return atRows(
    all,
    all.names.flatMap((name, row) => (known.has(name) ? [row] : [])),
  )
}

function atRows({ names, cells }: Groups, rows: readonly number[]): Groups {
  return {
    names: rows.map((row) => names[row]!),
    cells: new Map(
      [...cells].map(([name, values]) => [name, rows.map((row) => values[row] ?? 'null')]),
    ),
  }
}

function cellsOf(page: Page): CellsByName {
  return new Map(
    queryColumns(page).map(({ field, pieces }) => [field.name, elements(pieces.join(''))]),
  )
}
