import { closeSync, fstatSync, openSync, readSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { LINE_FEED } from '../../text/bytes.js'
import { startThread, threadFile } from '../../wire/bytes/worker-thread.js'
import { runInTurns } from '../../wire/steps/steps.js'
import { type InputFields, type InputSchema, inputSchema } from './input-schema.js'
import { allEvents, type ScannedEvents, type Segment } from './scan-segment.js'
import { type ScanTask, scanSegments, sharedState, stopScan } from './scan-segments.js'

/** A file of NDJSON whose first event begins at an offset in bytes. */
export interface InputFile {
  readonly path: string
  readonly start: number
}

interface InputScanOptions extends InputFields {
  readonly files: readonly InputFile[]
  /** An empty directory. */
  readonly directory: string
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** The least length of a segment. */
  readonly segmentBytes?: number
}

/** The events of files as columns. */
export interface ScannedInput extends ScannedEvents {
  readonly schema: InputSchema
  /** The directory of the files of columns. */
  readonly directory: string
  readonly arrivedAt: bigint
}

/** As many events are looked at to find out the fields; the store does the same with the first batch of a dataset. */
const SAMPLED_EVENTS = 1_000
const SAMPLED_BYTES = 512 * 1024
const MAX_SAMPLED_BYTES = 4 * 1024 * 1024
const SEGMENT_BYTES = 8 * 1024 * 1024
const MAX_SEGMENTS = 256
/** Scanning less takes less time than starting a thread. */
const BYTES_PER_THREAD = 32 * 1024 * 1024
const MAX_THREADS = 8
/** Most lines are shorter. */
const LINE_BYTES = 16 * 1024

/** The end of the names of files of columns. */
export const COLUMNS_SUFFIX = '.columns'

interface PlannedScan extends Pick<InputScan, 'schema' | 'lines'> {
  readonly segments: readonly Segment[]
}

/** A scan of files. Threads begin it while the engine is opened, and `finish` completes it. */
export class InputScan {
  readonly schema: InputSchema
  /** The lines of the first events. */
  readonly lines: readonly string[]
  private readonly task: ScanTask
  private readonly options: InputScanOptions
  private readonly workers: Worker[] = []
  private readonly results: readonly Promise<ScannedEvents | undefined>[]

  private constructor({ schema, lines, segments }: PlannedScan, options: InputScanOptions) {
    this.schema = schema
    this.lines = lines
    this.options = options
    const { arrivedAt } = options
    this.task = { segments, scan: schema.scan, arrivedAt, shared: sharedState() }
    const file = threadFile('scan-worker', import.meta.url)
    const count = file === undefined ? 0 : threadsFor(segments)
    this.results = Array.from({ length: count }, () => this.scanInThread(file!))
  }

  /** Starts a scan; returns undefined when the first events show that they have to be stored. Throws when a file can't be read. */
  static start(options: InputScanOptions): InputScan | undefined {
    const [file] = options.files
    const lines = file === undefined ? [] : firstLines(file)
    const schema = inputSchema(lines, options)
    return schema && new InputScan({ schema, lines, segments: segmentsOf(options) }, options)
  }

  /**
   * Scans what no other thread has begun. Resolves with undefined, and leaves no files, when the events have to be stored.
   */
  async finish(): Promise<ScannedInput | undefined> {
    const own = runInTurns(scanSegments(this.task))
    const found = await Promise.all([own, ...this.results])
    const complete = found.filter((one) => one !== undefined)
    if (complete.length < found.length) {
      for (const { target } of this.task.segments) rmSync(target, { force: true })
      return undefined
    }
    const { directory, arrivedAt } = this.options
    return { ...allEvents(complete), schema: this.schema, directory, arrivedAt }
  }

  /** Ends the scan. */
  async close(): Promise<void> {
    stopScan(this.task.shared)
    await Promise.all(this.workers.map((worker) => worker.terminate()))
  }

  private scanInThread(file: URL): Promise<ScannedEvents | undefined> {
    const worker = startThread(file, this.task)
    this.workers.push(worker)
    worker.ref()
    return new Promise((resolve) => {
      worker.on('message', resolve)
      // Events that were not scanned are stored.
      worker.on('error', () => resolve(undefined))
      worker.on('exit', () => resolve(undefined))
    })
  }
}

/** Returns the number of threads in addition to the main one, which scans the rest. */
function threadsFor(segments: readonly Segment[]): number {
  const bytes = segments.reduce((sum, { start, end }) => sum + end - start, 0)
  return Math.min(availableParallelism() - 1, MAX_THREADS, Math.floor(bytes / BYTES_PER_THREAD))
}

/** Returns the lines of the first events of a file; undefined when there are none, or they are very long. */
function firstLines(file: InputFile, size = SAMPLED_BYTES): readonly string[] {
  const bytes = Buffer.allocUnsafe(size)
  const length = withFile(file, (source) => filled(source, bytes, file.start))
  const isWhole = length < size
  const end = isWhole ? length : bytes.lastIndexOf(LINE_FEED) + 1
  const lines: string[] = []
  for (let at = 0; at < end && lines.length < SAMPLED_EVENTS; ) {
    const next = bytes.subarray(0, end).indexOf(LINE_FEED, at)
    const line = bytes.toString('utf8', at, next === -1 ? end : next)
    if (line.trim() !== '') lines.push(line)
    at = next === -1 ? end : next + 1
  }
  const isEnough = isWhole || lines.length === SAMPLED_EVENTS || size >= MAX_SAMPLED_BYTES
  return isEnough ? lines : firstLines(file, MAX_SAMPLED_BYTES)
}

/** Divides files into segments of whole lines. */
function segmentsOf({
  files,
  directory,
  segmentBytes = SEGMENT_BYTES,
}: InputScanOptions): readonly Segment[] {
  const sizes = files.map((file) => withFile(file, (source) => fstatSync(source).size) - file.start)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  const most = Math.max(segmentBytes, Math.ceil(bytes / MAX_SEGMENTS))
  const segments: Segment[] = []
  let before = 0
  for (const [i, file] of files.entries()) {
    const size = sizes[i] ?? 0
    const ends = withFile(file, (source) => segmentEnds(source, { ...file, size, most }))
    for (const [j, end] of ends.entries()) {
      const start = ends[j - 1] ?? file.start
      segments.push({
        path: file.path,
        start,
        end,
        target: join(directory, `${segments.length}${COLUMNS_SUFFIX}`),
        // A line has at least one byte.
        sequence: BigInt(before + start - file.start),
      })
    }
    before += size + 1
  }
  return segments
}

/** Returns the ends of the segments of a file; each but the last is after a line feed. */
function segmentEnds(
  source: number,
  { start, size, most }: { readonly start: number; readonly size: number; readonly most: number },
): readonly number[] {
  const fileEnd = start + size
  const ends: number[] = []
  for (let at = start; at < fileEnd; at = ends.at(-1) ?? fileEnd) {
    ends.push(at + most >= fileEnd ? fileEnd : lineEnd(source, at + most, fileEnd))
  }
  return ends
}

/** Returns the position after the first line feed from a position on. */
function lineEnd(source: number, from: number, fileEnd: number): number {
  const bytes = Buffer.allocUnsafe(LINE_BYTES)
  for (let at = from; at < fileEnd; ) {
    const read = readSync(source, bytes, 0, bytes.length, at)
    const found = bytes.subarray(0, read).indexOf(LINE_FEED)
    if (found !== -1) return at + found + 1
    if (read === 0) break
    at += read
  }
  return fileEnd
}

/** Reads from a position until a buffer is full or the file ends; returns the number of bytes. */
function filled(source: number, bytes: Buffer, position: number): number {
  let length = 0
  while (length < bytes.length) {
    const read = readSync(source, bytes, length, bytes.length - length, position + length)
    if (read === 0) break
    length += read
  }
  return length
}

function withFile<Result>({ path }: InputFile, use: (source: number) => Result): Result {
  const source = openSync(path, 'r')
  try {
    return use(source)
  } finally {
    closeSync(source)
  }
}
