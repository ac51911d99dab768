// Fetches the slices of an export at the same time and yields their rows in order.
import { Readable } from 'node:stream'
import { type Page, rowsIn } from './page.js'
import {
  closeRange,
  NO_PROGRESS,
  type PageOfRows,
  type PagesOptions,
  type Progress,
  pages,
  rowsUpTo,
} from './pages.js'
import type { Position } from './position.js'
import { pagesOf, type Query, type Slice, slicesOf } from './slices.js'

/**
 * Yields the same rows as `pages` in the same order, by time, with up to `parallel` requests in flight. Its states are states of
 * `pages`, so that an export can resume from them sequentially, or with another number of requests.
 */
export async function* parallelPages<A, P extends Page>(
  options: PagesOptions<A, P> & { readonly parallel: number; readonly query: Query },
): AsyncGenerator<PageOfRows<P>, void, undefined> {
  const { parallel, from, maxRows, signal, query } = options
  const start = from?.position ?? { kind: 'start' }
  if (start.kind === 'end') return
  const stop = new AbortController()
  const within = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal])
  const paging = options.paging.isOpen
    ? await closeRange(options.paging, { ...options, signal: within })
    : options.paging
  const slices = await slicesOf(paging, start, query)
  const { default: pLimit } = await import('p-limit')
  const turn = pLimit(parallel)
  const fetchSlice = (slice: Slice, i: number) =>
    inAdvance(
      pages({
        ...options,
        maxRows: undefined,
        paging: { ...paging, ...slice },
        ask: (request, aborted) => turn(() => options.ask(request, aborted)),
        from: i === 0 ? { position: start, progress: NO_PROGRESS } : undefined,
        signal: within,
      }),
      pagesOf(paging),
    )
  const open: Readable[] = []
  let progress = resumed(from?.progress ?? NO_PROGRESS)
  try {
    for (const [i, slice] of slices.entries()) {
      // One slice more than requests in flight, so that no request is unused at the end of a slice.
      while (open.length <= Math.min(i + parallel, slices.length - 1)) {
        open.push(fetchSlice(slices[open.length]!, open.length))
      }
      const base = progress
      for await (const page of open[i] as AsyncIterable<PageOfRows<P>>) {
        const left = (maxRows ?? Number.POSITIVE_INFINITY) - base.rows - page.progress.rows
        const isEnd = page.position.kind === 'end'
        const isLast = isEnd && i === slices.length - 1
        progress = sum(base, page.progress, isEnd)
        const position = isLast ? page.position : inRange(page.position, slice, paging.direction)
        if (left < 0) {
          const ranges = rowsUpTo(page.ranges, rowsIn(page.ranges) + left)
          // The total is unknown before the last slice.
          const { matched: _unknown, ...cut } = progress
          const rows = progress.rows + left
          yield {
            ...page,
            ranges,
            position: { kind: 'end' },
            progress: { ...cut, rows, isCut: true },
            end: paging.end,
          }
          return
        }
        yield { ...page, position, progress, end: paging.end }
      }
    }
  } finally {
    stop.abort()
    for (const slice of open) slice.destroy()
  }
}

/** Converts a position in a slice to the position in the whole range. */
function inRange(position: Position, { start, end }: Slice, direction: 'asc' | 'desc'): Position {
  if (position.kind !== 'end') return position
  // Only the last slice has no start.
  return { kind: 'behind', at: direction === 'asc' ? end - 1n : (start ?? 0n) }
}

/** Returns the progress of an earlier export, whose total is replaced by the rows so far: the slices add the remaining rows. */
function resumed({ matched: _whole, ...progress }: Progress): Progress {
  return progress.isDoubtful ? progress : { ...progress, matched: progress.rows }
}

function sum(before: Progress, slice: Progress, isEnd: boolean): Progress {
  const { matched: known, ...rest } = before
  const matched =
    slice.matched === undefined || (known === undefined && before.rows > 0)
      ? undefined
      : (known ?? 0) + slice.matched
  const isOff = isEnd && slice.matched !== undefined && slice.matched !== slice.rows
  return {
    ...rest,
    rows: before.rows + slice.rows,
    repeated: before.repeated + slice.repeated,
    pages: before.pages + slice.pages,
    largest: Math.max(before.largest, slice.largest),
    matched,
    isPartial: before.isPartial || slice.isPartial,
    // A run that resumes here knows only the total of the remaining rows.
    isDoubtful: before.isDoubtful || slice.isDoubtful || isOff,
  }
}

/** Returns the pages of a slice, and fetches up to `most` of them in advance. */
function inAdvance<P extends Page>(
  slice: AsyncGenerator<PageOfRows<P>, void>,
  most: number,
): Readable {
  const waiting = Readable.from(slice, { highWaterMark: most })
  // A failure is thrown when the page is read.
  waiting.on('error', () => {})
  waiting.read(0)
  return waiting
}
