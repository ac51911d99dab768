import { availableParallelism } from 'node:os'
import type { Worker } from 'node:worker_threads'
import { startThread, threadFile } from '../../wire/bytes/worker-thread.js'
import { Turn } from '../../wire/steps/steps.js'
import type { EventTerms } from '../ingest/scan/event-schema.js'
import { type ScannedEvents, type Segment, segmentScanner } from './scan-segment.js'

/** Scanning less takes less time than starting a thread. */
const BYTES_PER_THREAD = 32 * 1024 * 1024
const MAX_THREADS = 8
/** The most segments that a thread has: they last while this thread is busy. */
const MAX_ASSIGNED = 8

/** A segment, and the function that receives its events: undefined when it could not be scanned. */
interface Job {
  readonly segment: Segment
  report(found: ScannedEvents | undefined): void
}

/** A thread, and the segments that it scans one after the other. */
interface ScanThread {
  readonly worker: Worker
  readonly jobs: Job[]
}

/** Scans segments on other threads and, from a call of `help` on, on this one. */
export class SegmentScans {
  private readonly terms: EventTerms
  private readonly threads: ScanThread[] = []
  private readonly waiting: Job[] = []
  /** The function that scans on this thread. */
  private scan: ReturnType<typeof segmentScanner> | undefined
  private isHelping = false
  private isScanningHere = false

  constructor(terms: EventTerms) {
    this.terms = terms
  }

  /** Starts threads for an input of this size, in addition to this one. */
  grow(bytes: number): void {
    const most = Math.min(availableParallelism() - 1, MAX_THREADS)
    const wanted = Math.min(most, Math.floor(bytes / BYTES_PER_THREAD))
    if (wanted <= this.threads.length) return
    const file = threadFile('scan-worker', import.meta.url)
    while (file !== undefined && this.threads.length < wanted) this.startThread(file)
  }

  /** Has a segment scanned. `report` is called once, unless the scans are closed before. */
  add(segment: Segment, report: Job['report']): void {
    this.waiting.push({ segment, report })
    this.assign()
    if (this.isHelping) void this.scanHere()
  }

  help(): void {
    this.isHelping = true
    void this.scanHere()
  }

  async close(): Promise<void> {
    this.waiting.length = 0
    await Promise.all(this.threads.splice(0).map(({ worker }) => worker.terminate()))
  }

  private startThread(file: URL): void {
    const worker = startThread(file, this.terms)
    const thread: ScanThread = { worker, jobs: [] }
    this.threads.push(thread)
    worker.on('message', (found: ScannedEvents | undefined) => {
      if (!this.threads.includes(thread)) return
      const job = thread.jobs.shift()
      if (thread.jobs.length === 0) worker.unref()
      job?.report(found)
      this.assign()
    })
    const fail = (): void => {
      const at = this.threads.indexOf(thread)
      if (at === -1) return
      this.threads.splice(at, 1)
      for (const { report } of thread.jobs) report(undefined)
    }
    worker.on('error', fail)
    worker.on('exit', fail)
  }

  /** Gives each thread its share of the waiting segments, so that all threads end at the same time. */
  private assign(): void {
    const scanning = this.threads.length + (this.isHelping ? 1 : 0)
    for (const { worker, jobs } of this.threads) {
      while (jobs.length < Math.min(MAX_ASSIGNED, Math.ceil(this.waiting.length / scanning))) {
        const job = this.waiting.shift()!
        jobs.push(job)
        worker.ref()
        worker.postMessage(job.segment)
      }
    }
  }

  private async scanHere(): Promise<void> {
    if (this.isScanningHere) return
    this.isScanningHere = true
    this.scan ??= segmentScanner(this.terms)
    const turn = new Turn()
    while (this.waiting.length > 0) {
      await turn.next()
      const job = this.waiting.shift()
      job?.report(this.scan(job.segment))
    }
    this.isScanningHere = false
  }
}
