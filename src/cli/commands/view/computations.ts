import type { Request } from './state.js'

/** A request for a computation over all rows, which is made again as events arrive. */
export type Computation = Extract<Request, { readonly kind: 'counts' | 'histogram' | 'facet' }>

/** The shortest time from one computation to the next while files are followed. */
const FOLLOWED_MS = 1_000
/** The time after a computation in which it is not repeated, in times of its duration. */
const REST = 4

/** The repetitions of a computation. */
interface Series {
  readonly key: string
  isRunning: boolean
  /** The time from which on the computation may run again. */
  next: number
  /** The latest request that was not carried out. */
  wanted?: Computation | undefined
  waiting?: NodeJS.Timeout | undefined
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
      clearTimeout(series?.waiting)
      series = { key, isRunning: false, next: 0 }
      this.current.set(kind, series)
    }
    series.wanted = request
    this.advance(series)
  }

  close(): void {
    for (const { waiting } of this.current.values()) clearTimeout(waiting)
    this.current.clear()
  }

  /** Carries out the latest request, at once or when the computation may run again. */
  private advance(series: Series): void {
    const { wanted, isRunning, next } = series
    if (wanted === undefined || isRunning || this.current.get(wanted.kind) !== series) return
    const wait = next - performance.now()
    if (wait <= 0) {
      void this.carryOut(wanted, series)
      return
    }
    series.waiting ??= setTimeout(() => {
      series.waiting = undefined
      this.advance(series)
    }, wait)
  }

  private async carryOut(request: Computation, series: Series): Promise<void> {
    series.wanted = undefined
    series.isRunning = true
    const startedAt = performance.now()
    const least = this.isFollowing() ? startedAt + FOLLOWED_MS : 0
    await this.run(request)
    const endedAt = performance.now()
    series.isRunning = false
    series.next = Math.max(least, endedAt + REST * (endedAt - startedAt))
    this.advance(series)
  }
}

/** Returns the same text for the repetitions of a computation. The generation stands for the query. */
function keyOf(request: Computation): string {
  return JSON.stringify(request, (name, value) =>
    name === 'query' || name === 'ticks' ? undefined : value,
  )
}
