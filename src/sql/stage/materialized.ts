import { type Cell, closed, type Need, type Rows } from '../rows.js'
import { readOnce } from './event-text.js'

/** The rows in parentheses, each column that is needed as a column of its own, in whatever it was before. */
export function settled(rows: Rows, need: Need): Rows {
  const picked = rows.limit === undefined ? rows : closed(rows, need)
  const needed = [...picked.columns.keys()].filter((id) => (need.uses.get(id) ?? -1) >= need.step)
  const read = readOnce(picked, needed, need)
  const columns = new Map(
    [...read.columns].map(([id, cell]): readonly [number, Cell] => [
      id,
      cell.kind === 'text' ? { kind: 'computed', value: cell.value } : cell,
    ]),
  )
  const { summary: _forgotten, ...plain } = { ...read, columns }
  return closed(plain, need)
}
