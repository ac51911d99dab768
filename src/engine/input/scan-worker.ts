// A thread that scans segments; `InputScan` starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { awaitSegment, type ScanTask, segmentScanner } from './scan-task.js'

const task = workerData as ScanTask
const scan = segmentScanner(task)
for (;;) {
  const index = awaitSegment(task.queue)
  if (index === undefined) break
  parentPort!.postMessage({ index, found: scan(index) })
}
