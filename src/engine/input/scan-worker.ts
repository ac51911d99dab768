// A thread that scans segments; `InputScan` starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { type ScanTask, scanSegments } from './scan-segments.js'

parentPort!.postMessage(scanSegments(workerData as ScanTask))
