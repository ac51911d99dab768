import { join } from 'node:path'
import { SECOND } from '../../wire/time/units.js'
import { EventScanner } from '../ingest/scan/event-scanner.js'
import { EventSchema, type EventTerms } from '../ingest/scan/event-schema.js'
import { type ScannedEvents, type Segment, type SegmentScan, scanSegment } from './scan-segment.js'

/** Segments that several threads scan. */
export interface ScanTask {
  readonly scan: EventTerms
  /** The folder of the files of columns. */
  readonly directory: string
  readonly paths: readonly string[]
  readonly queue: SharedQueue
}

/** The segments that wait for a thread, as memory that all threads share. */
export interface SharedQueue {
  /** The numbers at `BEGUN`, `READY`, `ENDED`, `STOPPED` and `CHANGES`. */
  readonly state: Int32Array
  /** `NUMBERS` for each segment, which `putSegment` writes. */
  readonly segments: Float64Array
}

/** The number of segments that were begun. */
const BEGUN = 0
/** The number of segments that may be begun. */
const READY = 1
/** 1 when no more segments follow. */
const ENDED = 2
/** 1 when the threads have to stop. */
const STOPPED = 3
/** The number of changes of the other numbers, for which threads wait. */
const CHANGES = 4

/** The most segments that are in the queue at a time: their places are reused. */
export const QUEUE_LENGTH = 512
const NUMBERS = 6

/** Returns a queue for the segments from an index on. */
export function sharedQueue(first: number): SharedQueue {
  const state = new Int32Array(new SharedArrayBuffer(20))
  state[BEGUN] = state[READY] = first
  return {
    state,
    segments: new Float64Array(new SharedArrayBuffer(QUEUE_LENGTH * NUMBERS * 8)),
  }
}

export interface QueuedSegment extends Pick<Segment, 'start' | 'end' | 'arrivedAt'> {
  /** The index of its file; -1 for lines in a file of their own. */
  readonly file: number
  /** The position of its first line in the sequence of all events. */
  readonly sequence: number
}

/** Adds the next segment, which threads may then begin. */
export function putSegment(
  { state, segments }: SharedQueue,
  index: number,
  { file, start, end, sequence, arrivedAt }: QueuedSegment,
): void {
  const arrival = [Number(arrivedAt / SECOND), Number(arrivedAt % SECOND)]
  segments.set([file, start, end, sequence, ...arrival], (index % QUEUE_LENGTH) * NUMBERS)
  Atomics.store(state, READY, index + 1)
  change(state)
}

/** Lets threads end once all segments are scanned. */
export function endQueue({ state }: SharedQueue): void {
  Atomics.store(state, ENDED, 1)
  change(state)
}

/** Ends threads as soon as possible. */
export function stopQueue(queue: SharedQueue): void {
  Atomics.store(queue.state, STOPPED, 1)
  endQueue(queue)
}

export function isStopped({ state }: SharedQueue): boolean {
  return Atomics.load(state, STOPPED) !== 0
}

function change(state: Int32Array): void {
  Atomics.add(state, CHANGES, 1)
  Atomics.notify(state, CHANGES)
}

/** Returns the index of a segment for this thread to scan; undefined when none is ready. */
export function takeSegment({ state }: SharedQueue): number | undefined {
  for (;;) {
    const begun = Atomics.load(state, BEGUN)
    if (begun >= Atomics.load(state, READY) || Atomics.load(state, STOPPED) !== 0) return undefined
    if (Atomics.compareExchange(state, BEGUN, begun, begun + 1) === begun) return begun
  }
}

/** Same as `takeSegment`, but blocks the thread until a segment is ready; returns undefined when no more segments follow. */
export function awaitSegment(queue: SharedQueue): number | undefined {
  const { state } = queue
  for (;;) {
    const changes = Atomics.load(state, CHANGES)
    const isLast = Atomics.load(state, ENDED) !== 0
    const index = takeSegment(queue)
    if (index !== undefined) return index
    if (isLast) return undefined
    Atomics.wait(state, CHANGES, changes)
  }
}

export function columnsPath(directory: string, index: number): string {
  return join(directory, `${index}.columns`)
}

/** Returns a function that scans segments of a task on this thread; it returns undefined for a segment that can't be scanned. */
export function segmentScanner(task: ScanTask): (index: number) => ScannedEvents | undefined {
  const scan: SegmentScan = {
    scanner: new EventScanner(),
    schema: new EventSchema(task.scan),
    isPartial: task.scan.others.kind === 'skipped',
    isStopped: () => isStopped(task.queue),
  }
  return (index) => scanSegment(segmentAt(index, task), scan)
}

function segmentAt(index: number, { paths, directory, queue }: ScanTask): Segment {
  const at = (index % QUEUE_LENGTH) * NUMBERS
  const numbers = queue.segments.subarray(at, at + NUMBERS)
  const [file = -1, start = 0, end = 0, sequence = 0, seconds = 0, rest = 0] = numbers
  return {
    path: paths[file] ?? linesPath(directory, index),
    start,
    end,
    target: columnsPath(directory, index),
    sequence: BigInt(sequence),
    arrivedAt: BigInt(seconds) * SECOND + BigInt(rest),
  }
}

/** Returns the path of the file with the lines of a segment that is not a range of an input file. */
export function linesPath(directory: string, index: number): string {
  return join(directory, `${index}.ndjson`)
}
