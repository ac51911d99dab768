import type { Table } from '../wire/http/tabular-result.js'

/** Returns a table with the named columns, in the order of the names; unknown names are skipped. */
export function selectColumns(table: Table, names: readonly string[]): Table {
  const indices = names
    .map((name) => table.fields.findIndex((field) => field.name === name))
    .filter((index) => index !== -1)
  return {
    ...table,
    fields: indices.map((index) => table.fields[index]!),
    columns: indices.map((index) => table.columns[index] ?? []),
  }
}
