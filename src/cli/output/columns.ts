import { selectColumns } from '../../render/select-columns.js'
import { nearest } from '../../text/suggest.js'
import type { Table } from '../../wire/http/query.js'
import { UsageError } from '../error/usage-error.js'

/** The names in `--columns`. */
export function columnNames(text: string): readonly string[] {
  return text.split(',').map((name) => name.trim())
}

/** The tables with the named columns alone; a name that none of them has is a mistake. */
export function withColumns(tables: readonly Table[], wanted: readonly string[]): readonly Table[] {
  checkColumns(tables, wanted)
  return tables.map((table) => selectColumns(table, wanted))
}

/** Refuses a name that no table has, with those that are near. */
export function checkColumns(
  tables: readonly Pick<Table, 'fields'>[],
  wanted: readonly string[],
): void {
  const known = [...new Set(tables.flatMap(({ fields }) => fields.map(({ name }) => name)))]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown === undefined || tables.length === 0) return
  const near = nearest(unknown, known).map((name) => `\`${name}\``)
  const help =
    near.length === 0
      ? `It has ${known.join(', ')}`
      : `${near.join(', ')} ${near.length === 1 ? 'is' : 'are'} close`
  throw new UsageError(`The result has no column \`${unknown}\`. ${help}.`)
}
