import { type Cell, type ColumnUse, type Rows, subquery } from '../rows.js'
import { readOnce } from './event-text.js'

/** Wraps rows in a subquery in which every needed column is a stored one. */
export function materialized(rows: Rows, use: ColumnUse): Rows {
  const picked = rows.limit === undefined ? rows : subquery(rows, use)
  const needed = [...picked.columns.keys()].filter((id) => (use.uses.get(id) ?? -1) >= use.step)
  const read = readOnce(picked, needed, use)
  const columns = new Map(
    [...read.columns].map(([id, cell]): readonly [number, Cell] => [
      id,
      cell.kind === 'text' ? { kind: 'computed', value: cell.value } : cell,
    ]),
  )
  const { summary: _forgotten, ...plain } = { ...read, columns }
  return subquery(plain, use)
}
