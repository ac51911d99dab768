import type { Steps } from '../../wire/steps/steps.js'
import { LineScanner } from '../ingest/scan/line-scanner.js'
import { allEvents, type ScannedEvents, type Segment, scanSegment } from './scan-segment.js'
import { type ScanTerms, scanSchemaOf } from './scan-terms.js'

/** Segments that several threads scan. */
export interface ScanTask {
  readonly segments: readonly Segment[]
  readonly scan: ScanTerms
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** Shared by the threads: the number of segments that were begun, and 1 when the result is no longer needed. */
  readonly shared: Int32Array
}

const BEGUN = 0
const STOPPED = 1

/** Returns the shared state of threads before the first begins. */
export function sharedState(): Int32Array {
  return new Int32Array(new SharedArrayBuffer(8))
}

/** Makes all threads of a task end soon. */
export function stopScan(shared: Int32Array): void {
  Atomics.store(shared, STOPPED, 1)
}

/**
 * Scans the next segments that no other thread has begun, a segment per step, until none is left. Returns undefined when not all
 * events fit.
 */
export function* scanSegments({
  segments,
  scan,
  arrivedAt,
  shared,
}: ScanTask): Steps<ScannedEvents | undefined> {
  const scanner = new LineScanner()
  const schema = scanSchemaOf(scan)
  const isStopped = (): boolean => Atomics.load(shared, STOPPED) !== 0
  const found: ScannedEvents[] = []
  for (;;) {
    const segment = segments[Atomics.add(shared, BEGUN, 1)]
    if (segment === undefined) return allEvents(found)
    const scanned = scanSegment(segment, { scanner, schema, arrivedAt, isStopped })
    if (scanned === undefined) {
      stopScan(shared)
      return undefined
    }
    found.push(scanned)
    yield
  }
}
