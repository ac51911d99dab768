import type { Page, RowCounts, RowRange } from './page.js'

/** Separates new rows from written ones. Rows are counted, because equal rows may be different events. */
export function deduplicate(page: Page, { from, to }: RowRange, written: RowCounts) {
  /** Written rows that are missing from the page. */
  const missing = new Map(written)
  /** The written rows and the new ones. */
  const known = new Map(written)
  const fresh: RowRange[] = []
  let freshRows = 0
  for (let row = from; row < to; row++) {
    const identity = page.identityOf(row)
    const count = missing.get(identity) ?? 0
    if (count > 1) missing.set(identity, count - 1)
    else if (count === 1) missing.delete(identity)
    else {
      freshRows += 1
      known.set(identity, (known.get(identity) ?? 0) + 1)
      append(fresh, row)
    }
  }
  return { fresh, freshRows, repeated: to - from - freshRows, missing, known }
}

function append(ranges: RowRange[], row: number): void {
  const last = ranges.at(-1)
  if (last?.to === row) ranges[ranges.length - 1] = { from: last.from, to: row + 1 }
  else ranges.push({ from: row, to: row + 1 })
}
