// Bursts of events that differ only in numbers and ids, as one row each.
import { cellText } from '../../../render/cell.js'
import { MESSAGE_FIELDS } from '../../../render/event-line.js'
import { isLevelField } from '../../../render/tone.js'
import { SOURCE_FIELDS } from './event-line.js'
import type { Cells, ViewRow } from './row.js'
import type { RowsPage } from './row-source.js'

/** Shorter runs stay as they are. */
const LEAST = 3
/** Numbers, and ids in hexadecimal digits. */
const VARIABLE = /\b(?=[0-9a-f-]*\d)[0-9a-f-]{6,}\b|\d+/gi
const MOST_TEXT = 1_000

/** Returns a page whose consecutive rows of one pattern are one row. */
export function foldedPage(page: RowsPage): RowsPage {
  const rows: ViewRow[] = []
  let index = 0
  for (let at = 0; at < page.rows.length; ) {
    const end = runEnd(page.rows, at)
    const run = end - at >= LEAST ? [folded(page.rows.slice(at, end))] : page.rows.slice(at, end)
    if (page.index >= at && page.index < end) {
      index = rows.length + Math.min(page.index - at, run.length - 1)
    }
    rows.push(...run)
    at = end
  }
  return { ...page, rows, index }
}

/** Returns the index after the last of the consecutive rows that have the pattern of the first one. */
function runEnd(rows: readonly ViewRow[], from: number): number {
  const pattern = patternOf(rows[from]!.cells)
  let end = from + 1
  while (pattern !== undefined && end < rows.length && !rows[end]!.isApart) {
    if (patternOf(rows[end]!.cells) !== pattern) break
    end += 1
  }
  return end
}

function folded(rows: readonly ViewRow[]): ViewRow {
  const last = rows.at(-1)!
  const until = last.cells.get('_time')
  return {
    ...rows[0]!,
    repeats: { count: rows.length, until, ...(last.cursor && { cursor: last.cursor }) },
  }
}

const patterns = new WeakMap<Cells, string>()

/** Returns what similar events have in common; undefined for an event without a message. */
function patternOf(cells: Cells): string | undefined {
  const known = patterns.get(cells)
  if (known !== undefined) return known
  const message = MESSAGE_FIELDS.find((name) => cells.has(name))
  if (message === undefined) return undefined
  const level = [...cells.keys()].find(isLevelField)
  const source = SOURCE_FIELDS.find((name) => cells.has(name))
  const parts = [level, source, message].map((name) =>
    name === undefined ? '' : (cellText(cells.get(name)!) ?? '').slice(0, MOST_TEXT),
  )
  const pattern = parts.join('\n').replace(VARIABLE, '*')
  patterns.set(cells, pattern)
  return pattern
}
