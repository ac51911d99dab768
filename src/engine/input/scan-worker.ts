// A thread that scans segments; `InputScan` starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { awaitSegment, type ScanTask, SegmentScanner } from './scan-task.js'

const task = workerData as ScanTask
const scanner = new SegmentScanner(task)
for (;;) {
  const index = awaitSegment(task.queue)
  if (index === undefined) break
  parentPort!.postMessage({ index, found: scanner.scanSegment(index) })
}
