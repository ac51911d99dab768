import { formatTimestamp } from '../../wire/time/timestamp.js'
import { cursorOf, type Direction, deduplicate, type Page, PagingError } from './page.js'
import {
  type AtCursor,
  END,
  type Instant,
  type Position,
  type Start,
  type Step,
} from './position.js'

/** The number of retries when a service returned only the row of the cursor: it may return more on a retry. */
const TRIES = 2

/**
 * Returns the step after a page requested by cursor. The end is an empty page or an unchanged cursor, not a short page. Throws
 * `PagingError`.
 */
export function followCursor(
  position: Start | AtCursor,
  page: Page,
  { direction, isDoubtful }: { readonly direction: Direction; readonly isDoubtful: boolean },
): Step {
  if (page.rows === 0) return END
  const cursor = cursorOf(page, direction)
  const last = page.identityOf(page.rows - 1)
  if (position.kind === 'cursor' && cursor === position.cursor) {
    // The page may include the row of the cursor itself.
    if (page.rows === 1 && last === position.last) {
      if (isDoubtful) throw new PagingError(INCLUSIVE)
      return { ...END, repeated: 1, isDoubtful: true }
    }
    throw repeatedCursor(cursor)
  }
  if (cursor === '') return withoutCursor(position, page)
  const from = position.kind === 'cursor' ? rowsAgain(position, page, direction) : 0
  const isAgain = position.kind === 'cursor' && from === 0 && page.identityOf(0) === position.last
  const ranges = [{ from, to: page.rows }]
  const next: Position = { kind: 'cursor', cursor, last }
  return { ranges, repeated: from, position: next, isDoubtful: isAgain }
}

/** Returns the step after a page within one instant. */
export function followInstant(position: Instant, page: Page, direction: Direction): Step {
  if (page.rows === 0) return afterInstant(position, 0)
  const cursor = cursorOf(page, direction)
  if (cursor === '') throw new PagingError(NO_CURSOR)
  const from = rowsAgain(position, page, direction)
  const { fresh, freshRows, missing, ...others } = deduplicate(
    page,
    { from, to: page.rows },
    position.known,
  )
  const repeated = from + others.repeated
  if (cursor === position.cursor) {
    if (page.rows > 1 || page.identityOf(0) !== position.last) throw repeatedCursor(cursor)
    const { left = 0, tries = 0 } = position
    if (left > 0 && tries < TRIES) {
      return { ranges: [], repeated, position: { ...position, tries: tries + 1 } }
    }
    // The row may be the last one again, or the next row if it is equal.
    return { ...afterInstant(position, repeated), isDoubtful: position.left === undefined }
  }
  const left = position.left === undefined ? {} : { left: position.left - freshRows }
  const isDoubtful = from === 0 && page.identityOf(0) === position.last
  const last = page.identityOf(page.rows - 1)
  const next: Position = { ...position, known: missing, cursor, last, ...left, tries: 0 }
  return { ranges: fresh, repeated, position: next, isDoubtful }
}

/**
 * Returns the number of rows at the start of a page that repeat the row of the requested cursor: 1 for some services, otherwise 0.
 */
function rowsAgain(
  { cursor, last }: Pick<Instant, 'cursor' | 'last'>,
  page: Page,
  direction: Direction,
): number {
  const { minCursor, maxCursor } = page.status
  const head = direction === 'asc' ? minCursor : maxCursor
  // If both cursors of the page are equal, a new row cannot be distinguished from the row of the cursor.
  const isTold = head === cursor && minCursor !== maxCursor
  return isTold && page.identityOf(0) === last ? 1 : 0
}

/** Ends an instant. Throws `PagingError` when the number of rows is known and differs. */
function afterInstant({ at, left = 0 }: Instant, repeated: number): Step {
  if (left === 0) return { ranges: [], repeated, position: { kind: 'behind', at } }
  const what =
    left > 0 ? `${left} more rows than it returned` : `${-left} fewer rows than it returned`
  throw new PagingError(`The service counts ${what} for the time ${formatTimestamp(at)}.`)
}

/** The error for a service whose cursors form a loop. */
export function repeatedCursor(cursor: string): PagingError {
  return new PagingError(
    `The service returned the cursor \`${cursor}\` twice, so the export would never end. Use \`--by time\` to page without cursors.`,
  )
}

const INCLUSIVE =
  'The service begins pages with the row of the cursor, so rows were duplicated. Use `--by time` to page without cursors.'

const NO_CURSOR =
  'The service returned no cursor for the next page of this query. Use `--by time` to page without cursors.'

/** Returns the step after a page without cursors. Throws `PagingError` unless the page is the whole result. */
function withoutCursor(position: Start | AtCursor, page: Page): Step {
  const isAll = position.kind === 'start' && page.status.rowsMatched === page.rows
  if (!isAll) throw new PagingError(NO_CURSOR)
  return { ...END, ranges: [{ from: 0, to: page.rows }] }
}
