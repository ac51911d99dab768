import type { Table } from '../wire/http/query.js'
import { escapeControls } from './escape-controls.js'

/** What a table is called among several; nothing for one that is alone. */
export function titleOf(tables: readonly Table[], number: number): string | undefined {
  if (tables.length < 2) return undefined
  const { name } = tables[number]!
  // A service that has no names for its tables counts them.
  const isNamed = name !== '' && !/^\d+$/.test(name)
  return `Table ${number + 1} of ${tables.length}${isNamed ? `: ${escapeControls(name)}` : ''}`
}
