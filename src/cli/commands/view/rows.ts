// The part of the rows that is held, and how it moves. Each function returns new rows.
import { isDeepStrictEqual } from 'node:util'
import { endCursor, type ViewRow } from './row.js'
import type { Place, RowsPage } from './row-source.js'
import { IDLE, type Rows } from './state.js'

/** The number of rows that are read at once. */
export const PAGE_ROWS = 400
/** The number of rows that are read at once while bursts are folded. */
export const FOLDED_PAGE_ROWS = 4_000
/** More rows are read when fewer than this number are left beyond the screen. */
const MARGIN = 150
/** Rows far from the screen are dropped. The page on the screen and one on each side of it always stay. */
const MOST_HELD = 3 * FOLDED_PAGE_ROWS

export function selectedRow({ items, selected }: Rows): ViewRow | undefined {
  return items[selected]
}

/** Selects a row, and scrolls as far as needed to show it. */
export function select(rows: Rows, index: number, lines: number): Rows {
  const selected = clamp(index, 0, rows.items.length - 1)
  return within({ ...rows, selected }, lines)
}

/** Scrolls by a number of lines; the selection stays on the same line of the screen. */
export function scroll(rows: Rows, by: number, lines: number): Rows {
  const last = Math.max(0, rows.items.length - lines)
  const top = clamp(rows.top + by, 0, last)
  if (top === rows.top) return select(rows, by < 0 ? 0 : rows.items.length - 1, lines)
  return select({ ...rows, top }, rows.selected + top - rows.top, lines)
}

/** Returns rows whose selection is on the screen. */
export function within(rows: Rows, lines: number): Rows {
  const { selected, items } = rows
  const last = Math.max(0, items.length - lines)
  const top = clamp(rows.top, selected - lines + 1, selected)
  return { ...rows, top: clamp(top, 0, last) }
}

/** Returns the cursor of the row that will be selected when its page has been read; undefined when no row is awaited. */
export function awaitedCursor({ loading }: Rows): string | undefined {
  const place = loading.other?.place
  return place?.kind === 'around' ? place.cursor : undefined
}

/** True for a page that continues or replaces the rows. Other pages were requested before the user moved elsewhere. */
export function isAwaited({ items, loading }: Rows, place: Place): boolean {
  if (loading.other !== undefined) return isDeepStrictEqual(loading.other.place, place)
  if (place.kind === 'before') return place.cursor === items[0]?.cursor
  const last = items.at(-1)
  return place.kind === 'after' && last !== undefined && place.cursor === endCursor(last)
}

/** Returns the rows without a page that was not awaited, which may be requested again. */
export function withoutPage(rows: Rows, { kind }: Place): Rows {
  if (kind !== 'before' && kind !== 'after') return rows
  return { ...rows, loading: { ...rows.loading, [kind]: false } }
}

/** Returns the rows with a page that was read. `total` is the number of all rows, if it is known. */
export function withPage(rows: Rows, { place, page, lines, total }: PlacedPage): Rows {
  switch (place.kind) {
    case 'after':
      return trimmed(appended(rows, page), lines)
    case 'before':
      return trimmed(prepended(rows, page), lines)
    case 'start': {
      const index = rows.isPreview || place.isAgain ? rows.selected : 0
      return replaced(rows, { ...page, index }, 0, lines)
    }
    case 'end': {
      const fromEnd = rows.isPreview ? rows.items.length - rows.selected : 1
      const placed = { ...page, index: page.rows.length - fromEnd }
      return replaced(rows, placed, firstOfEnd(rows, page, total), lines)
    }
    case 'distance': {
      // There may be fewer rows, the last of which is shown.
      const isLast = page.hasEnd && page.index === page.rows.length - 1
      const { index } = place
      const known = index === undefined ? undefined : index - page.index
      return replaced(rows, page, isLast ? firstOfEnd(rows, page, total) : known, lines)
    }
    case 'around':
    case 'time':
      return replaced(rows, page, undefined, lines)
    default:
      return place satisfies never
  }
}

/** Returns the index of the first row of the last page, counted from a row that was held before or from the end. */
function firstOfEnd(rows: Rows, page: RowsPage, total: number | undefined): number | undefined {
  const { items, first, isPreview } = rows
  const last = items.at(-1)?.cursor
  const isKnown = first !== undefined && last !== undefined && !isPreview
  const at = isKnown ? page.rows.findIndex(({ cursor }) => cursor === last) : -1
  // The total number may not include rows that have arrived since.
  const isNews = at !== -1 && at < page.rows.length - 1
  if (isNews) return first! + items.length - 1 - at
  return total === undefined ? undefined : total - page.rows.length
}

interface PlacedPage {
  readonly place: Place
  readonly page: RowsPage
  readonly lines: number
  readonly total: number | undefined
}

function appended(rows: Rows, page: RowsPage): Rows {
  return {
    ...rows,
    items: [...rows.items, ...page.rows],
    columns: joinedColumns(rows, page),
    hasEnd: page.hasEnd,
    loading: { ...rows.loading, after: false },
  }
}

function prepended(rows: Rows, page: RowsPage): Rows {
  const count = page.rows.length
  const first = rows.first === undefined ? undefined : rows.first - count
  return {
    ...rows,
    items: [...page.rows, ...rows.items],
    columns: joinedColumns(rows, page),
    first: page.hasStart ? 0 : first,
    hasStart: page.hasStart,
    top: rows.top + count,
    selected: rows.selected + count,
    loading: { ...rows.loading, before: false },
  }
}

/** Replaces the rows by a page. The selected row is on the requested line, or on the line of the row that was selected before. */
function replaced(rows: Rows, page: RowsPage, first: number | undefined, lines: number): Rows {
  const line = rows.loading.other?.line ?? rows.selected - rows.top
  const index = clamp(page.index, 0, page.rows.length - 1)
  const placed: Rows = {
    ...rows,
    items: page.rows,
    columns: page.columns,
    first: page.hasStart ? 0 : first,
    hasStart: page.hasStart,
    hasEnd: page.hasEnd,
    isPreview: false,
    top: index - line,
    selected: index,
    loading: IDLE,
  }
  return within(placed, lines)
}

/** Later pages may have columns that earlier ones lack. */
function joinedColumns({ columns }: Rows, page: RowsPage): Rows['columns'] {
  const known = new Set(columns.map(({ name }) => name))
  const more = page.columns.filter(({ name }) => !known.has(name))
  return more.length === 0 ? columns : [...columns, ...more]
}

function trimmed(rows: Rows, lines: number): Rows {
  const excess = rows.items.length - MOST_HELD
  if (excess <= 0) return rows
  const below = rows.items.length - (rows.top + lines)
  if (below > rows.top) return { ...rows, items: rows.items.slice(0, -excess), hasEnd: false }
  return {
    ...rows,
    items: rows.items.slice(excess),
    first: rows.first === undefined ? undefined : rows.first + excess,
    hasStart: false,
    top: rows.top - excess,
    selected: rows.selected - excess,
  }
}

/** Returns the pages to read so that the user does not reach the end of the rows that are held. */
export function missingPages(rows: Rows, lines: number): readonly Place[] {
  const { items, hasStart, hasEnd, top, loading, isPreview } = rows
  if (isPreview || loading.other !== undefined || loading.hasFailed) return []
  const places: Place[] = []
  const end = items.at(-1)
  const last = end && endCursor(end)
  if (!hasEnd && !loading.after && last !== undefined && items.length - top - lines < MARGIN) {
    places.push({ kind: 'after', cursor: last })
  }
  const first = items[0]?.cursor
  if (!hasStart && !loading.before && first !== undefined && top < MARGIN) {
    places.push({ kind: 'before', cursor: first })
  }
  return places
}

export function clamp(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), Math.max(least, most))
}
