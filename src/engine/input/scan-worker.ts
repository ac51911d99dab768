// A thread that scans segments; `SegmentScans` starts it.
import { parentPort, workerData } from 'node:worker_threads'
import type { EventTerms } from '../ingest/scan/event-schema.js'
import { type Segment, segmentScanner } from './scan-segment.js'

const scan = segmentScanner(workerData as EventTerms)
parentPort!.on('message', (segment: Segment) => parentPort!.postMessage(scan(segment)))
