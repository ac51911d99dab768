import { closeSync, fstatSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { LINE_FEED } from '../../text/bytes.js'
import { deferred } from '../../text/deferred.js'
import { startThread, threadFile } from '../../wire/bytes/worker-thread.js'
import { Turn } from '../../wire/steps/steps.js'
import type { UnexpectedValues } from '../ingest/scan/event-scanner.js'
import { type InputFields, type InputSchema, inputSchema } from './input-schema.js'
import { allEvents, type ScannedEvents, type Segment, segmentScanner } from './scan-segment.js'

/** A file of NDJSON whose first event begins at an offset in bytes. */
export interface InputFile {
  readonly path: string
  readonly start: number
}

interface ScanOptions extends InputFields {
  /** An empty directory. */
  readonly directory: string
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** True when the events are taken with `groups`: scanning then waits for the use of its results. */
  readonly isInGroups?: boolean
}

interface FileScanOptions extends ScanOptions {
  readonly files: readonly InputFile[]
  /** The least length of a segment. */
  readonly segmentBytes?: number
}

/** A range of bytes in one of the files: whole lines. */
export interface FileRange {
  readonly file: number
  readonly start: number
  readonly end: number
}

interface InputSegment extends Segment {
  /** The index of its file; -1 for lines in a file of their own. */
  readonly file: number
}

/** A thread, and the number of segments that it has to scan. */
interface ScanThread {
  readonly worker: Worker
  left: number
}

/** The events of consecutive segments as columns. */
export interface ScannedGroup extends ScannedEvents {
  readonly kind: 'columns'
  /** The indexes of the first and of the last segment. */
  readonly first: number
  readonly last: number
}

/** Lines that have to be stored. */
export interface UnfitLines {
  readonly kind: 'lines'
  readonly index: number
  readonly range: FileRange
  /** The number of lines and of events in front of them in their file. */
  readonly before: Pick<ScannedEvents, 'lines' | 'events'>
  /** True when the rest of the input has to be stored as well. */
  readonly isRest: boolean
}

/** The number of events that are read to find out the fields; the store does the same with the first batch of a dataset. */
const SAMPLED_EVENTS = 1_000
const SAMPLED_BYTES = 4 * 1024 * 1024
const SEGMENT_BYTES = 8 * 1024 * 1024
/** The most segments of a scan whose events are all taken at once: each is a file of columns until then. */
const MAX_SEGMENTS = 256
/** Scanning less takes less time than starting a thread. */
const BYTES_PER_THREAD = 32 * 1024 * 1024
const MAX_THREADS = 8
/** The most segments that a thread has: they last while this thread is busy. */
const MAX_ASSIGNED = 8
/** The most bytes of events, from the first one that is not used, whose columns wait on the disk. */
const MAX_AHEAD = 16 * SEGMENT_BYTES
/** The most bytes of events that are queried at once when many of them become rows, which are kept in memory. */
const DENSE_GROUP = 2 * SEGMENT_BYTES
/** The most bytes of events that are queried at once when few of them become rows. */
const SPARSE_GROUP = 16 * SEGMENT_BYTES
/** The most added segments whose events are not used yet. */
const MAX_ADDED = 4
/** Storing events takes at least as much time as so many scans. */
const SCANS_PER_STORING = 3
/** Scanning stops when more segments than this do not fit, and more than half as many as were used. */
const FEW_UNFIT = 2
/** A length that most lines do not reach. */
const LINE_BYTES = 16 * 1024

/**
 * A scan of files, which threads begin while the engine is opened, or of lines that are added. Its events are taken with
 * `finish` or with `groups`.
 */
export class InputScan {
  schema: InputSchema
  /** The lines of the first events. */
  readonly lines: readonly string[]
  readonly arrivedAt: bigint
  readonly directory: string
  private readonly fields: InputFields
  private readonly segments: InputSegment[]
  private readonly threads: ScanThread[] = []
  /** The values that the schema of the first events lacks. */
  private readonly unexpected: UnexpectedValues[] = []
  /** The results of segments, by their index; undefined for a segment that could not be scanned. */
  private readonly found = new Map<number, ScannedEvents | undefined>()
  private readonly isInGroups: boolean
  /** True while more lines may be added. */
  isOpen: boolean
  /** Set when few events become rows. */
  isSparse = false
  private bytes = 0
  /** The first segment that no thread has, and the first one that may not be scanned yet. */
  private next = 0
  private ready = 0
  /** The number of segments whose columns are no longer needed; without groups, the number of scanned segments. */
  private used = 0
  private unfit = 0
  private scans = 1
  /** The first segment of the last scan, if it is not the first scan. */
  private begun = -1
  private isStopped = false
  /** The end of this thread's scan. */
  private own: Promise<void> | undefined
  private isClosed = false
  private changed = deferred()

  private constructor(
    { arrivedAt, directory, isInGroups = false, ...fields }: ScanOptions,
    { schema, lines }: Pick<InputScan, 'schema' | 'lines'>,
    files?: FileScanOptions,
  ) {
    this.fields = fields
    this.schema = schema
    this.lines = lines
    this.segments = files === undefined ? [] : segmentsOf(files)
    this.arrivedAt = arrivedAt
    this.directory = directory
    this.isInGroups = isInGroups
    this.isOpen = files === undefined
    this.bytes = this.segments.reduce((sum, { start, end }) => sum + end - start, 0)
    this.feed()
  }

  /** Starts a scan; returns undefined when the first events show that they have to be stored. Throws when a file can't be read. */
  static start(options: FileScanOptions): InputScan | undefined {
    const [file] = options.files
    const lines = file === undefined ? [] : firstLines(file)
    const schema = inputSchema(lines, options)
    return schema && new InputScan(options, { schema, lines }, options)
  }

  /** Starts a scan of lines, given the lines of the first events; returns undefined when the first events show that all have to be stored. */
  static open(options: ScanOptions & Pick<InputScan, 'lines'>): InputScan | undefined {
    const lines = options.lines.slice(0, SAMPLED_EVENTS)
    const schema = inputSchema(lines, options)
    return schema && new InputScan(options, { schema, lines })
  }

  /** Adds a segment; without lines, its events have to be stored. Resolves when the next one may be added. */
  async add(lines: Buffer | undefined, arrivedAt: bigint): Promise<void> {
    const index = this.segments.length
    const isScanned = lines !== undefined && !this.isHopeless
    const { length = 0 } = lines ?? {}
    const path = join(this.directory, `${index}.ndjson`)
    if (isScanned) await writeFile(path, lines, { mode: 0o600 })
    else this.found.set(index, undefined)
    if (lines === undefined) this.unfit += 1
    const target = columnsPath(this.directory, index)
    const place = { file: -1, path, start: 0, end: length, target }
    this.segments.push({ ...place, sequence: this.bytes, arrivedAt })
    // A line has at least one byte.
    this.bytes += length + 1
    this.feed()
    const isFull = () => this.isInGroups && this.segments.length - this.used > MAX_ADDED
    while (isFull() && !this.isClosed) await this.changed.promise
  }

  end(): void {
    this.isOpen = false
    this.feed()
  }

  /** True when most segments have to be stored. */
  get isHopeless(): boolean {
    const least = this.isInGroups ? FEW_UNFIT : 0
    return this.unfit > least && this.unfit > this.used / 2
  }

  /** Scans all segments. Resolves with undefined, and leaves no files, when not all events fit. */
  async finish(): Promise<ScannedGroup | undefined> {
    this.own ??= this.scanHere()
    const all: ScannedEvents[] = []
    let isScannable = this.segments[0]?.file === 0 && this.scans < SCANS_PER_STORING
    for (let index = 0; await this.has(index); index++) {
      const events = await this.result(index)
      if (events?.fit !== true) {
        isScannable &&= events?.unexpected !== undefined
        // The scan before the last one goes on, so that the last one expects all values.
        if (events === undefined || !isScannable || this.scans + 1 < SCANS_PER_STORING) break
      }
      all.push(events)
      this.use(index + 1)
    }
    const events = allEvents(all)
    const last = this.segments.length - 1
    if (all.length > last && events.fit && !this.isClosed) {
      await this.stop()
      return { kind: 'columns', first: 0, last, ...events }
    }
    if (isScannable && (await this.scanAgain(0))) return await this.finish()
    await this.close()
    for (const index of this.segments.keys()) this.removeColumns(index)
    return undefined
  }

  /** Yields the events of all files in their order. The events of a group are deleted when the caller asks for the next group. */
  async *groups(): AsyncGenerator<ScannedGroup | UnfitLines, void> {
    for (let index = 0; await this.has(index); ) {
      this.own ??= this.scanHere()
      const found = await this.result(index)
      const isLacking = found?.unexpected !== undefined && this.isWorthScanning(index)
      if (isLacking && (await this.scanAgain(index))) continue
      if (this.isClosed) break
      if (found?.fit === true) {
        const group = this.groupFrom(index)
        yield group
        index = group.last + 1
      } else {
        const range = this.segments[index]!
        const isRest = range.file !== -1 && (found === undefined || this.isHopeless)
        if (isRest) await this.stop()
        yield { kind: 'lines', index, range, before: this.before(index), isRest }
        if (isRest) break
        index += 1
      }
      // The events of the last group are kept.
      if (await this.has(index)) this.use(index)
    }
    await this.stop()
  }

  /** Returns the files that are shorter now than when the scan began. */
  shrunkFiles(): readonly string[] {
    // The last segment of a file has its end.
    const ends = new Map(this.segments.map(({ path, end }) => [path, end]))
    return [...ends].flatMap(([path, end]) => {
      const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: end }
      return size < end ? [path] : []
    })
  }

  async close(): Promise<void> {
    this.isClosed = true
    await this.stop()
  }

  private async stop(): Promise<void> {
    this.isStopped = true
    this.change()
    await Promise.all(this.threads.splice(0).map(({ worker }) => worker.terminate()))
    await this.own
  }

  /** True when storing the segments that lack values in the schema would take more time than scanning all of these again. */
  private isWorthScanning(first: number): boolean {
    const later = [...this.found].flatMap(([index, events]) => (index < first ? [] : [events]))
    const lacking = later.filter((events) => events?.unexpected !== undefined)
    return first > this.begun && later.length <= SCANS_PER_STORING * lacking.length
  }

  /**
   * Begins to scan the segments from an index on with a schema that has all values found up to now. Resolves with false when there
   * is no such schema.
   */
  private async scanAgain(first: number): Promise<boolean> {
    const { lines, fields, unexpected, isClosed } = this
    const isLacking = unexpected.length > 0 && !isClosed
    const schema = isLacking ? inputSchema(lines, { ...fields, unexpected }) : undefined
    if (schema === undefined) return false
    await this.stop()
    if (this.isClosed) return false
    this.schema = schema
    this.isStopped = false
    for (const [index, events] of this.found)
      if (index >= first && events !== undefined) this.found.delete(index)
    this.own = undefined
    this.begun = this.next = this.ready = first
    this.scans += 1
    this.unfit = 0
    this.feed()
    return true
  }

  /** Returns consecutive segments that were scanned and fit, starting with `first`. */
  private groupFrom(first: number): ScannedGroup {
    const events: ScannedEvents[] = []
    const most = this.isSparse ? SPARSE_GROUP : DENSE_GROUP
    let last = first
    for (; this.found.get(last)?.fit === true && this.distance(first, last) < most; last++) {
      events.push(this.found.get(last)!)
    }
    return { kind: 'columns', first, last: last - 1, ...allEvents(events) }
  }

  /** Returns the number of bytes between the beginnings of two segments. */
  private distance(first: number, other: number): number {
    return this.segments[other]!.sequence - this.segments[first]!.sequence
  }

  /** Returns the number of lines and of events in front of a segment in its file. */
  private before(index: number): Pick<ScannedEvents, 'lines' | 'events'> {
    const { file } = this.segments[index]!
    const first = this.segments.findIndex((segment) => segment.file === file)
    const earlier = Array.from({ length: index - first }, (_, i) => this.found.get(first + i))
    return allEvents(earlier.filter((one) => one !== undefined))
  }

  private async has(index: number): Promise<boolean> {
    while (index >= this.segments.length && this.isOpen && !this.isClosed)
      await this.changed.promise
    return index < this.segments.length && !this.isClosed
  }

  /** Resolves with the events of a segment; undefined when it could not be scanned. */
  private async result(index: number): Promise<ScannedEvents | undefined> {
    while (!this.found.has(index) && !this.isClosed) await this.changed.promise
    return this.found.get(index)
  }

  /** Scans segments that no other thread has. */
  private async scanHere(): Promise<void> {
    const scan = segmentScanner(this.schema.scan)
    const turn = new Turn()
    while (!this.isStopped && (this.isOpen || this.found.size < this.segments.length)) {
      const index = this.next
      if (index === this.ready) {
        await this.changed.promise
        continue
      }
      this.next += 1
      this.report(index, scan(this.segments[index]!))
      await turn.next()
    }
  }

  private startThreads(): void {
    const wanted = threadsFor(this.bytes)
    if (wanted <= this.threads.length) return
    const file = threadFile('scan-worker', import.meta.url)
    while (file !== undefined && this.threads.length < wanted) this.startThread(file)
  }

  private startThread(file: URL): void {
    const thread = { worker: startThread(file, this.schema.scan), left: 0 }
    this.threads.push(thread)
    const { worker } = thread
    const isGone = () => !this.threads.includes(thread)
    worker.on('message', ({ index, found }) => {
      if (isGone()) return
      thread.left -= 1
      if (thread.left === 0) worker.unref()
      this.report(index, found)
      this.assign()
    })
    // The events of unfinished segments are stored instead.
    worker.on('error', () => isGone() || this.reportMissing())
    worker.on('exit', () => isGone() || this.reportMissing())
  }

  /** Gives each thread its share of the segments that may be scanned, so that all threads end at the same time. */
  private assign(): void {
    const scanning = this.threads.length + (this.own === undefined ? 0 : 1)
    for (const thread of this.threads) {
      const share = () => Math.min(MAX_ASSIGNED, Math.ceil((this.ready - this.next) / scanning))
      for (; thread.left < share(); thread.left++) {
        const index = this.next++
        thread.worker.ref()
        thread.worker.postMessage({ index, segment: this.segments[index] })
      }
    }
  }

  private report(index: number, found: ScannedEvents | undefined): void {
    if (this.found.has(index)) return
    this.found.set(index, found)
    if (found?.fit !== true) this.unfit += 1
    this.unexpected.push(...(found?.unexpected ?? []))
    if (!this.isInGroups) this.removeLines(index)
    this.change()
  }

  private reportMissing(): void {
    for (const index of this.segments.keys()) this.report(index, undefined)
  }

  private use(count: number): void {
    if (this.isInGroups)
      for (let index = this.used; index < count; index++) this.removeColumns(index)
    this.used = count
    this.feed()
  }

  /** Has segments scanned, as many as may be. */
  private feed(): void {
    const isFull = () => this.isInGroups && this.distance(this.used, this.ready) >= MAX_AHEAD
    while (this.ready < this.segments.length && !isFull()) this.ready += 1
    if (!this.isStopped) {
      this.startThreads()
      this.assign()
    }
    this.change()
  }

  private change(): void {
    const { resolve } = this.changed
    this.changed = deferred()
    resolve()
  }

  private removeColumns(index: number): void {
    rmSync(this.segments[index]!.target, { force: true })
    this.removeLines(index)
  }

  private removeLines(index: number): void {
    const { file, path } = this.segments[index]!
    if (file === -1) rmSync(path, { force: true })
  }
}

function columnsPath(directory: string, index: number): string {
  return join(directory, `${index}.columns`)
}

/** Returns the number of threads in addition to the main one, which scans the rest. */
function threadsFor(bytes: number): number {
  return Math.min(availableParallelism() - 1, MAX_THREADS, Math.floor(bytes / BYTES_PER_THREAD))
}

/** Returns the lines of the first events of a file; an empty list when there are none, or the first line is very long. */
function firstLines(file: InputFile): readonly string[] {
  const bytes = Buffer.allocUnsafe(SAMPLED_BYTES)
  const length = withFile(file, (source) => filled(source, bytes, file.start))
  const end = length < SAMPLED_BYTES ? length : bytes.lastIndexOf(LINE_FEED) + 1
  const lines: string[] = []
  for (let at = 0; at < end && lines.length < SAMPLED_EVENTS; ) {
    const next = bytes.subarray(0, end).indexOf(LINE_FEED, at)
    const line = bytes.toString('utf8', at, next === -1 ? end : next)
    if (line.trim() !== '') lines.push(line)
    at = next === -1 ? end : next + 1
  }
  return lines
}

/** Divides files into segments of whole lines. */
function segmentsOf({
  files,
  segmentBytes = SEGMENT_BYTES,
  isInGroups,
  arrivedAt,
  directory,
}: FileScanOptions): InputSegment[] {
  const ends = files.map((file) => withFile(file, (source) => fstatSync(source).size))
  const bytes = files.reduce((sum, { start }, i) => sum + ends[i]! - start, 0)
  const most = isInGroups ? segmentBytes : Math.max(segmentBytes, Math.ceil(bytes / MAX_SEGMENTS))
  const segments: InputSegment[] = []
  let before = 0
  for (const [file, input] of files.entries()) {
    const fileEnd = ends[file]!
    withFile(input, (source) => {
      for (let start = input.start; start < fileEnd; ) {
        const end = start + most >= fileEnd ? fileEnd : lineEnd(source, start + most, fileEnd)
        const place = { file, path: input.path, start, end }
        const target = columnsPath(directory, segments.length)
        // A line has at least one byte.
        const sequence = before + start - input.start
        segments.push({ ...place, target, sequence, arrivedAt })
        start = end
      }
    })
    before += fileEnd - input.start + 1
  }
  return segments
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
