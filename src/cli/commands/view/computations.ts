import type { Request, RequestOf } from './state.js'

/** A request for a computation over all rows, which is made again as events arrive. */
export type Computation = RequestOf<'counts' | 'histogram' | 'facet'>

/** The shortest time from one computation to the next while files are followed. */
const FOLLOWED_MS = 1_000
/** The time after a computation in which it is not repeated, in times of its duration. */
const REST = 4

/** A computation and its repetitions. */
interface Series {
  readonly key: string
  /** True while the computation runs, and while it may not be repeated. */
  isBusy: boolean
  /** The latest request that was not carried out. */
  wanted?: Computation | undefined
}

/** True for a request whose repetitions are limited. */
export function isComputation(request: Request): request is Computation {
  return request.kind === 'counts' || request.kind === 'histogram' || request.kind === 'facet'
}

/**
 * Carries out computations. A repeated one runs for a fifth of the time at most. One of another query or field runs at once, and so
 * does the first one after files were read to their ends.
 */
export class Computations {
  private readonly run: (request: Computation) => Promise<void>
  private readonly isFollowing: () => boolean
  private readonly current = new Map<Computation['kind'], Series>()

  constructor(run: (request: Computation) => Promise<void>, isFollowing: () => boolean) {
    this.run = run
    this.isFollowing = isFollowing
  }

  request(request: Computation): void {
    const { kind } = request
    const key = `${this.isFollowing()} ${keyOf(request)}`
    let series = this.current.get(kind)
    if (series?.key !== key) {
      series = { key, isBusy: false }
      this.current.set(kind, series)
    }
    series.wanted = request
    if (!series.isBusy) void this.carryOut(series)
  }

  close(): void {
    this.current.clear()
  }

  /** Carries out the latest request of a series until there is no further one, or another series has begun. */
  private async carryOut(series: Series): Promise<void> {
    series.isBusy = true
    for (;;) {
      const { wanted } = series
      if (wanted === undefined || this.current.get(wanted.kind) !== series) break
      series.wanted = undefined
      const startedAt = performance.now()
      await this.run(wanted)
      const took = performance.now() - startedAt
      const least = this.isFollowing() ? FOLLOWED_MS - took : 0
      await new Promise((resolve) => setTimeout(resolve, Math.max(least, REST * took)).unref())
    }
    series.isBusy = false
  }
}

/** Returns the same text for the repetitions of a computation. The generation stands for the query. */
function keyOf(request: Computation): string {
  return JSON.stringify(request, (name, value) =>
    name === 'query' || name === 'ticks' ? undefined : value,
  )
}
