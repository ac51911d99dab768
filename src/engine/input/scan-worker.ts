// A thread that scans segments; `InputScan` starts it.
import { parentPort, workerData } from 'node:worker_threads'
import type { EventTerms } from '../ingest/scan/event-schema.js'
import { type Segment, segmentScanner } from './scan-segment.js'

const scan = segmentScanner(workerData as EventTerms)
parentPort!.on('message', ({ index, segment }: { index: number; segment: Segment }) =>
  parentPort!.postMessage({ index, found: scan(segment) }),
)
