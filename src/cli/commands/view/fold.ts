// Folds bursts of events that differ only in numbers and ids into one row each.

import { FILE_FIELD } from '../../../input/mapping/source-fields.js'
import { cellText } from '../../../render/cell.js'
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import { isLevelField } from '../../../render/tone.js'
import { memoized } from '../../../text/memoized.js'
import { SOURCE_FIELDS } from './event-line.js'
import { type Cells, endCursor, type ViewRow } from './row.js'
import type { RowsPage } from './row-source.js'
import type { Rows } from './state.js'

/** The minimum number of events in a burst. */
const LEAST = 3
/** Numbers, and ids in hexadecimal digits. */
const VARIABLE = /\b(?=[0-9a-f-]*\d)[0-9a-f-]{6,}\b|\d+/gi
const MOST_TEXT = 1_000

/** Returns a page whose consecutive rows of one pattern are one row. */
export function foldedPage(page: RowsPage): RowsPage {
  const { items, places } = folded(page.rows)
  return { ...page, rows: items, index: places[page.index] ?? 0 }
}

/** Folds rows to which a folded page was added, because a burst may extend over both. */
export function foldedRows(rows: Rows): Rows {
  const { items, places } = folded(rows.items)
  return { ...rows, items, top: places[rows.top] ?? 0, selected: places[rows.selected] ?? 0 }
}

/** Folds each burst in rows into one item; `places` has the item of each row. Some of the rows may already be bursts. */
function folded(rows: readonly ViewRow[]) {
  const items: ViewRow[] = []
  const places: number[] = []
  for (let at = 0; at < rows.length; ) {
    const end = runEnd(rows, at)
    const run = rows.slice(at, end)
    const count = run.reduce((sum, { repeats }) => sum + (repeats?.count ?? 1), 0)
    const isBurst = count >= LEAST
    for (const index of run.keys()) places.push(items.length + (isBurst ? 0 : index))
    items.push(...(isBurst ? [burstOf(run, count)] : run))
    at = end
  }
  return { items, places }
}

/** Returns the index after the last of the consecutive rows that have the pattern of the first one. */
function runEnd(rows: readonly ViewRow[], from: number): number {
  const { cells, isBeside } = rows[from]!
  const pattern = patternOf(cells)
  let end = from + 1
  while (pattern !== undefined && end < rows.length && !rows[end]!.isApart) {
    const next = rows[end]!
    if (next.isBeside !== isBeside || patternOf(next.cells) !== pattern) break
    end += 1
  }
  return end
}

function burstOf(rows: readonly ViewRow[], count: number): ViewRow {
  const last = rows.at(-1)!
  const until = last.repeats?.until ?? last.cells.get('_time')
  const cursor = endCursor(last)
  return { ...rows[0]!, repeats: { count, until, ...(cursor && { cursor }) } }
}

/** Returns what similar events have in common; undefined for an event without a message. */
const patternOf = memoized((cells: Cells): string | undefined => {
  const message = MESSAGE_FIELDS.find((name) => cells.has(name))
  if (message === undefined) return undefined
  const level = [...cells.keys()].find(isLevelField)
  const source = SOURCE_FIELDS.find((name) => cells.has(name))
  const parts = [level, source, message].map((name) =>
    name === undefined ? '' : (cellText(cells.get(name)!) ?? '').slice(0, MOST_TEXT),
  )
  const file = cells.get(FILE_FIELD) ?? ''
  return `${file}\n${parts.join('\n').replace(VARIABLE, '*')}`
})
