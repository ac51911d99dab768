// Keys that move through the rows.
import { formatInteger } from '../../../text/integer.js'
import { instantText } from '../../query/quoted-name.js'
import { containing, type SearchText } from './apl-text.js'
import { textInZone } from './clock.js'
import { aplOf, isPaged } from './query.js'
import { endCursor, type ViewRow } from './row.js'
import type { Distance } from './row-source.js'
import { awaitedCursor, selectedRow } from './rows.js'
import { isFound } from './search-marks.js'
import { IDLE, isNumbered, linesOf, type Rows, type State, type Target } from './state.js'
import { asking, moving, noting, selecting } from './step.js'

export function toStart(state: State): State {
  const { hasStart, loading } = state.rows
  if (hasStart && loading.other === undefined) return selecting(state, 0)
  return moving({ ...state, rows: { ...state.rows, isPreview: false } }, { kind: 'start' }, 0)
}

export function toEnd(state: State): State {
  const { rows, reading, query } = state
  const isHeld = rows.hasEnd && rows.items.length > 0 && rows.loading.other === undefined
  // A dataset may have more events by now.
  if (isHeld && (reading !== undefined || !isPaged(query)))
    return selecting(state, rows.items.length - 1)
  const isUnfiltered = aplOf(state.query) === aplOf({ ...state.query, operators: [] })
  if (reading?.isDone === false && isUnfiltered) {
    const loading = { ...IDLE, other: { place: { kind: 'end' } } } as const
    return asking({ ...state, rows: { ...rows, loading } }, { kind: 'preview', end: 'tail' })
  }
  return toLastRead(state)
}

/** Goes to the last row that has been read so far. */
export function toLastRead(state: State): State {
  const rows = { ...state.rows, isPreview: false }
  return moving({ ...state, rows }, { kind: 'end' }, linesOf(state) - 1)
}

/** Goes to the row with a number, from 1. */
export function toRow(state: State, number: number): State {
  const { first, loading } = state.rows
  const index = Math.max(0, Math.min(number, totalOf(state) ?? number) - 1)
  const isPlaced = first !== undefined && loading.other === undefined && isNumbered(state)
  if (isPlaced) return toItem(state, index - first)
  return moving(state, { kind: 'distance', index, cursor: undefined, by: index + 1 })
}

/** Goes to the row at a percentage of all rows. */
export function toPercent(state: State, percent: number | undefined): State {
  if (percent === undefined) return noting(state, 'Type a number first: `50%`.')
  const total = totalOf(state) ?? state.counts?.total
  if (total === undefined) return noting(state, 'The events are being counted …')
  return toRow(state, 1 + Math.round((Math.min(percent, 100) / 100) * (total - 1)))
}

function totalOf({ rows, counts, reading, query }: State): number | undefined {
  if (!isPaged(query)) return rows.items.length
  return reading?.isDone === false ? undefined : counts?.total
}

/** Selects a row by its index among the rows that are held. Rows in front of them and after them are read. */
export function toItem(state: State, at: number): State {
  const { items, hasStart, hasEnd } = state.rows
  const isHeld = (at >= 0 || hasStart) && (at < items.length || hasEnd)
  const place = isHeld || items.length === 0 ? undefined : distanceTo(state, at)
  return place === undefined ? selecting(state, at) : moving(state, place)
}

/** Returns the shortest distance of a row that is not held from an end of all rows, or from the rows that are held. */
function distanceTo(state: State, at: number): Distance | undefined {
  const { items, first, hasEnd } = state.rows
  const index = first === undefined ? undefined : Math.max(0, first + at)
  const total = totalOf(state)
  const beyond = at - items.length
  const distances: Pick<Distance, 'cursor' | 'by'>[] = []
  const add = (by: number, row?: ViewRow) => {
    const cursor = row && (by > 0 ? endCursor(row) : row.cursor)
    if (row === undefined || cursor !== undefined) distances.push({ cursor, by })
  }
  if (index !== undefined) add(index + 1)
  if (index !== undefined && total !== undefined) add(Math.min(-1, index - total))
  if (at < 0) add(at, items[0])
  if (at < 0 && hasEnd) add(beyond)
  if (beyond >= 0) add(beyond + 1, items.at(-1))
  const [nearest] = distances.sort((one, other) => Math.abs(one.by) - Math.abs(other.by))
  return nearest && { kind: 'distance', index, ...nearest }
}

export function finding(state: State, operator: string, { what, direction, nth }: Target): State {
  const { generation, query, rows } = state
  if (!isPaged(query)) return noting(state, 'Rows of a table have no levels.')
  const origin = originOf(rows, direction)
  const within = origin.within === undefined ? operator : `${origin.within} | ${operator}`
  const { from } = origin
  const target = { what, direction, nth, from }
  const find = { kind: 'find', generation, query, operator: within, ...target } as const
  const noted = noting(state, `Searching ${what} …`)
  return asking({ ...noted, sought: { request: find, isOpen: true } }, find)
}

/** Returns the message that a search has found nothing, and the key that searches in the other direction. */
export function missedText({ what, direction, nth }: Target): string {
  const isLevel = what === 'error' || what === 'warning'
  const key = isLevel ? what.charAt(0) : 'n'
  const several = `Fewer than ${formatInteger(nth)} ${isLevel ? `${what}s` : `matches of ${what}`}`
  const none = nth > 1 ? several : `No ${what}`
  return direction === 'next'
    ? `${none} after this row; ${key.toUpperCase()} searches before it.`
    : `${none} before this row; ${key} searches after it.`
}

/** Returns where a search begins: at a row, or at a time that has been chosen and whose rows have not been read yet. */
function originOf(
  rows: Rows,
  direction: Target['direction'],
): { readonly from: string | undefined; readonly within?: string } {
  const place = rows.loading.other?.place
  if (place?.kind === 'time') {
    const within = `where _time ${direction === 'next' ? '>=' : '<'} ${instantText(place.time)}`
    return { from: undefined, within }
  }
  const row = selectedRow(rows)
  const selected = row && (direction === 'next' ? endCursor(row) : row.cursor)
  return { from: awaitedCursor(rows) ?? selected }
}

/** Finds the text that was searched last, at its next place or at a later one. */
export function searched(state: State, direction: Target['direction'], nth = 1): State {
  const { search } = state
  if (search === undefined) return noting(state, 'Nothing has been searched yet: `/` searches.')
  const target = { what: `\`${search.text}\``, direction, nth }
  return isPaged(state.query)
    ? finding(state, `where ${containing(search)}`, target)
    : inTable(state, search, target)
}

/** Finds a row of a table, all of whose rows are held. */
function inTable(state: State, search: SearchText, target: Target): State {
  const { items, columns, selected, loading } = state.rows
  if (loading.other !== undefined) return noting(state, 'The rows are being read.')
  const by = target.direction === 'next' ? 1 : -1
  let left = target.nth
  for (let at = selected + by; items[at] !== undefined; at += by) {
    const { cells } = items[at]!
    const texts = columns.map(({ name, type }) =>
      textInZone(cells.get(name) ?? 'null', type, state.zone),
    )
    if (isFound(texts.join('\n'), search)) left -= 1
    if (left === 0) return selecting(state, at)
  }
  return noting(state, missedText(target))
}

/** Goes to the last row, and stays there as events arrive. */
export function followed(state: State): State {
  return asking(toEnd({ ...state, isFollowing: true }), { kind: 'follow' })
}

/** Looks for new events of a dataset. */
export function looked(state: State): State {
  const { isFollowing, reading, rows, query } = state
  if (!isFollowing || reading !== undefined || rows.loading.other !== undefined) return state
  return moving(state, { kind: isPaged(query) ? 'end' : 'start' })
}

/** Folds bursts of similar events into one row each, or unfolds them. */
export function refolded(state: State): State {
  const { rows, isFolded, query } = state
  const cursor = selectedRow(rows)?.cursor
  if (cursor === undefined || !isPaged(query)) return noting(state, 'Only events are folded.')
  const first = undefined
  return moving(
    { ...state, isFolded: !isFolded, rows: { ...rows, first } },
    { kind: 'around', cursor },
  )
}
