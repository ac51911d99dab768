import type { PageRows } from './native-rows.js'

/** A query whose rows are read a block at a time. */
export interface Scan {
  /** Returns the next rows, at least one; undefined at the end. */
  next(): Promise<PageRows | undefined>
  end(): void
}

/** The maximum number of waiting scans: each occupies a connection to the engine. */
const MOST = 2
/** The time for which a scan waits: the requests of an export follow each other at once, and a later request begins a new scan. */
const IDLE_MS = 2_000

/**
 * The scans that wait for the request for their next page. A request takes the scan whose position is the start of the page, and
 * returns it after the page was read. A scan that is not taken in time, or that exceeds the maximum number, is ended.
 */
export class OpenScans {
  /** Oldest first. */
  private readonly waiting = new Map<string, { scan: Scan; timer: NodeJS.Timeout }>()
  private readonly idleMs: number

  constructor({ idleMs = IDLE_MS } = {}) {
    this.idleMs = idleMs
  }

  take(key: string): Scan | undefined {
    const found = this.waiting.get(key)
    clearTimeout(found?.timer)
    this.waiting.delete(key)
    return found?.scan
  }

  keep(key: string, scan: Scan): void {
    this.end(key)
    for (const oldest of this.waiting.keys()) if (this.waiting.size >= MOST) this.end(oldest)
    const timer = setTimeout(() => this.end(key), this.idleMs).unref()
    this.waiting.set(key, { scan, timer })
  }

  private end(key: string): void {
    this.take(key)?.end()
  }
}
