// Consecutive pages are read by one statement, a scan that stays open between requests. With a statement per page, the engine would
// have to find the start of each page, and would be idle while a page is sent.
import type { CheckedQuery } from '../../apl/check/checked.js'
import type { ReadLimits } from '../../engine/engine.js'
import type { Store } from '../../engine/store.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { Sql } from '../../sql/sql.js'
import { orAborted } from '../../text/abort.js'
import type { NativeReals } from '../../wire/http/native-result.js'
import type { Service } from '../route.js'
import { formatCursor } from './cursor.js'
import { isReadable, nativeRows, type PageRows } from './native-rows.js'
import type { Scan } from './open-scans.js'
import { pageCursors } from './page-cursors.js'
import type { Paging } from './paging.js'
import type { RowLimit } from './row-limit.js'

/** The size at which the engine ends a block of long rows. It keeps such blocks of each part: 16 MiB took 25 % more memory. */
const BLOCK_BYTES = 4 * 1024 * 1024

/** The number of rows that the engine reads at once: a block can exceed its size by as many rows. */
const GRANULE_ROWS = 8_192

/** The maximum number of columns that a scan reads: the engine plans a scan on the thread that serves all requests. */
const MOST_COLUMNS = 500

/** The least number of rows of a first page that is part of a scan: a smaller page is likely to be all that is wanted. */
const FIRST_ROWS = GRANULE_ROWS

/** Larger blocks need more memory, and are not read in less time. */
const MOST_BLOCK_ROWS = 3 * GRANULE_ROWS
/** Blocks of more columns have fewer rows: an export of 24 columns needed 555 instead of 660 MB, and took the same time. */
const MOST_BLOCK_VALUES = 12 * MOST_BLOCK_ROWS

/** Returns a block size with which each block fits into a page. */
function blockRows(rows: number, columns: number): number {
  const most = Math.max(GRANULE_ROWS, Math.ceil(MOST_BLOCK_VALUES / columns))
  return Math.min(MOST_BLOCK_ROWS, most, Math.max(rows - GRANULE_ROWS, Math.ceil(rows / 2)))
}

/** A page that may be part of a scan. */
export interface ScanPage {
  readonly compiled: CompiledQuery
  readonly paging: Paging
  /** The maximum number of rows. */
  readonly rows: number
  /** Returns the query that reads all rows from the start of the page on. */
  readonly all: () => CompiledQuery
  /** The statement that reads the rows of the whole range, which is the same for all pages. */
  readonly whole: Sql
}

/**
 * Returns the page as a part of a scan. Returns undefined unless it is a page of events of one dataset, not from a cursor on that it
 * includes, may be short, and may be in the format Native.
 */
export function scanPage(
  page: { checked: CheckedQuery; compiled: CompiledQuery; limit: RowLimit; paging: Paging },
  compile: (
    query: CheckedQuery,
    options: { readonly paging: Paging; readonly native?: NativeReals },
  ) => CompiledQuery,
): ScanPage | undefined {
  const { checked, compiled, limit, paging } = page
  const { from, mayBeShort, native } = paging
  const { kind } = checked.source
  if (!mayBeShort || !native || from?.isIncluded) return undefined
  if (from === undefined && limit.rows < FIRST_ROWS) return undefined
  if (!compiled.isAsStored || kind !== 'dataset') return undefined
  const { query, count } = withoutLimit(checked)
  if (query.operators.some((one) => one.kind === 'limit')) return undefined
  return {
    compiled,
    paging,
    rows: Math.min(limit.rows, Number(count ?? limit.rows)),
    all: () => compile(query, { paging, native }),
    whole: compile(query, { paging: { hasField: false, mayBeShort } }).statement,
  }
}

function withoutLimit(query: CheckedQuery): {
  readonly query: CheckedQuery
  readonly count?: bigint
} {
  const last = query.operators.at(-1)
  if (last?.kind !== 'limit') return { query }
  return { query: { ...query, operators: query.operators.slice(0, -1) }, count: last.count }
}

/**
 * Returns the next rows of the scan whose position is the start of the page, or of a new scan. `state` identifies the events of the
 * range: a scan that began in another state is not continued. Returns undefined when the page needs a statement of its own, as after
 * the last row.
 */
export async function scannedRows(
  page: ScanPage & { readonly state: string },
  { service, limits }: { readonly service: Service; readonly limits: ReadLimits },
): Promise<PageRows | undefined> {
  const { compiled, paging, rows, state } = page
  const { scans, store } = service
  const keyAt = (cursor: string) => JSON.stringify([page.whole.text, paging.native, state, cursor])
  const { signal, ...lasting } = limits
  if (store.scan === undefined) return undefined
  const scanLimits = {
    ...lasting,
    blockRows: blockRows(rows, compiled.columns.length),
    blockBytes: BLOCK_BYTES,
    readsInTurn: compiled.isUnfiltered,
  }
  const { from } = paging
  const kept = from && scans.take(keyAt(formatCursor(from.cursor)))
  const scan = kept ?? openScan(store.scan, page.all(), scanLimits)
  if (scan === undefined) return undefined
  try {
    const result = await orAborted(scan.next(), signal, () => {
      throw signal?.reason
    })
    // All blocks of a scan have the same columns.
    const isPage = result !== undefined && result.rows <= rows
    if (isPage && (kept !== undefined || isReadable(result))) {
      const ends = pageCursors({ compiled, paging, result, rows: result.rows })
      scans.keep(keyAt(compiled.eventOrder === 'asc' ? ends.maxCursor : ends.minCursor), scan)
      return result
    }
  } catch {
    // A scan lasts longer than a page and may reach its time limit. Any other error will recur in the page's own statement.
  }
  scan.end()
  signal?.throwIfAborted()
  return undefined
}

/** Opens a scan, whose rows are in the format Native, unless the engine would have to read too many columns. */
function openScan(
  scan: NonNullable<Store['scan']>,
  { statement, ...columns }: CompiledQuery,
  limits: ReadLimits,
): Scan | undefined {
  const { members = [] } = columns
  if (columns.columns.length - members.length > MOST_COLUMNS) return undefined
  const ended = new AbortController()
  const blocks = scan(statement, { ...limits, signal: ended.signal })
  return {
    async next() {
      for (;;) {
        const { done, value } = await blocks.next()
        if (done) return undefined
        const rows = nativeRows(value, columns)
        if (rows.rows > 0) return rows
      }
    },
    end() {
      // The query may be computing the next block.
      ended.abort()
      blocks.return().catch(() => {})
    },
  }
}
