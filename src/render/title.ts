import type { Table } from '../wire/http/tabular-result.js'
import { escapeControls } from './escape-controls.js'

/** Returns the heading of one of several tables; undefined for a single table. */
export function tableTitle(tables: readonly Table[], number: number): string | undefined {
  if (tables.length < 2) return undefined
  const { name } = tables[number]!
  // Services without table names number them.
  const isNamed = name !== '' && !/^\d+$/.test(name)
  return `Table ${number + 1} of ${tables.length}${isNamed ? `: ${escapeControls(name)}` : ''}`
}
