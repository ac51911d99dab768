// A thread that scans segments; `InputScan` starts it.
import { parentPort, workerData } from 'node:worker_threads'
import { runToEnd } from '../../wire/steps/steps.js'
import { type ScanTask, scanSegments } from './scan-segments.js'

parentPort!.postMessage(runToEnd(scanSegments(workerData as ScanTask)))
