import { LRUCache } from 'lru-cache'
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
  private readonly waiting: LRUCache<string, Scan>

  constructor({ idleMs = IDLE_MS } = {}) {
    this.waiting = new LRUCache({
      max: MOST,
      ttl: idleMs,
      ttlAutopurge: true,
      // Only `take` deletes.
      dispose: (scan, _, reason) => reason === 'delete' || scan.end(),
    })
  }

  take(key: string): Scan | undefined {
    const scan = this.waiting.get(key)
    this.waiting.delete(key)
    return scan
  }

  keep(key: string, scan: Scan): void {
    this.waiting.set(key, scan)
  }
}
