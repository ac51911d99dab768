import { rmSync, statSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deferred } from '../../text/deferred.js'
import { naming } from '../../text/system-error.js'
import type { UnexpectedValues } from '../ingest/scan/event-scanner.js'
import { type InputFields, type InputSchema, inputSchema } from './input-schema.js'
import { allEvents, type LineRange, type ScannedEvents } from './scan-segment.js'
import { SegmentScans } from './segment-scans.js'
import {
  columnsPath,
  firstLines,
  type InputFile,
  type InputSegment,
  SAMPLED_EVENTS,
  segmentsOf,
} from './segments.js'

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

/** The events of consecutive segments as columns. */
export interface ScannedGroup extends ScannedEvents {
  readonly kind: 'columns'
  /** The indexes of the first and of the last segment. */
  readonly first: number
  readonly last: number
}

/** Returns the ranges of the lines of a segment. */
function rangesOf({ path, start, end, others }: InputSegment): readonly LineRange[] {
  return [{ path, start, end }, ...others]
}

/** Lines that have to be stored. */
interface UnfitLines {
  readonly kind: 'lines'
  readonly index: number
  /** A range of bytes in one of the files: whole lines. */
  readonly range: Pick<InputSegment, 'file' | 'start' | 'end'>
  /** The number of lines and of events in front of them in their file. */
  readonly before: Pick<ScannedEvents, 'lines' | 'events'>
  /** True when the rest of the input has to be stored as well. */
  readonly isRest: boolean
}

const SEGMENT_BYTES = 8 * 1024 * 1024
/** The most segments of a scan whose events are all taken at once: each is a file of columns until then. */
const MAX_SEGMENTS = 256
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

/**
 * A scan of files, which threads begin while the engine is opened, or of lines that are added. Its events are taken with
 * `finish` or with `groups`. When they have values that the schema of the first ones lacks, they are scanned again.
 */
export class InputScan {
  schema: InputSchema
  /** The lines of the first events. */
  readonly lines: readonly string[]
  readonly arrivedAt: bigint
  readonly directory: string
  private readonly fields: InputFields
  private readonly segments: InputSegment[]
  /** The scans with the current schema; undefined while it changes, and at the end. */
  private scans: SegmentScans | undefined
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
  /** The number of segments that are scanned or waiting for it. */
  private begun = 0
  /** The number of segments whose columns are no longer needed; without groups, the number of scanned segments. */
  private used = 0
  private unfit = 0
  /** The number of schemas, and the first segment that is scanned with the last one, if it is not the first schema. */
  private schemas = 1
  private changedAt = -1
  private isClosed = false
  private changed = deferred()

  private constructor(
    { arrivedAt, directory, isInGroups = false, ...fields }: ScanOptions,
    { schema, lines }: Pick<InputScan, 'schema' | 'lines'>,
    segments?: InputSegment[],
  ) {
    this.fields = fields
    this.schema = schema
    this.lines = lines
    this.segments = segments ?? []
    this.arrivedAt = arrivedAt
    this.directory = directory
    this.isInGroups = isInGroups
    this.isOpen = segments === undefined
    this.bytes = this.segments
      .flatMap(rangesOf)
      .reduce((sum, { start, end }) => sum + end - start, 0)
    this.scans = new SegmentScans(schema.scan)
    this.feed()
  }

  /** Starts a scan; returns undefined when the first events show that they have to be stored. Throws when a file can't be read. */
  static start({
    files,
    segmentBytes = SEGMENT_BYTES,
    ...options
  }: FileScanOptions): InputScan | undefined {
    const [file] = files
    const lines = file === undefined ? [] : firstLines(file)
    const schema = inputSchema(lines, options)
    if (schema === undefined) return undefined
    const { isInGroups } = options
    // The lines of a segment in a group may have to be stored, which takes a range of one file.
    const joins = isInGroups !== true
    const maxSegments = isInGroups ? Number.POSITIVE_INFINITY : MAX_SEGMENTS
    const segments = segmentsOf(files, { ...options, segmentBytes, maxSegments, joins })
    return new InputScan(options, { schema, lines }, segments)
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
    const { length = 0 } = lines ?? {}
    const path = join(this.directory, `${index}.ndjson`)
    if (lines === undefined || this.isHopeless) this.found.set(index, undefined)
    else {
      await writeFile(path, lines, { mode: 0o600 }).catch((error: unknown) => {
        throw naming(path, error)
      })
    }
    if (lines === undefined) this.unfit += 1
    const target = columnsPath(this.directory, index)
    const place = { file: -1, path, start: 0, end: length, others: [], target }
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
    do {
      const events = await this.allFound()
      if (events === undefined) break
      if (events.fit) {
        await this.stop()
        return { kind: 'columns', first: 0, last: this.segments.length - 1, ...events }
      }
    } while (await this.scanAgain(0))
    await this.close()
    for (const index of this.segments.keys()) this.removeColumns(index)
    return undefined
  }

  /** Resolves with the events of all segments; with undefined when not all of them fit, and no further schema helps. */
  private async allFound(): Promise<ScannedEvents | undefined> {
    this.scans?.help()
    const maySchemaChange = this.segments[0]?.file === 0 && this.schemas < SCANS_PER_STORING
    const all: ScannedEvents[] = []
    for (let index = 0; await this.has(index); index++) {
      const events = await this.result(index)
      if (events === undefined) return undefined
      all.push(events)
      if (events.fit) this.use(index + 1)
      else if (!maySchemaChange || events.unexpected === undefined) return undefined
      // The scan before the last one goes on, so that the last one expects all values.
      else if (this.schemas + 1 < SCANS_PER_STORING) break
    }
    return this.isClosed ? undefined : allEvents(all)
  }

  /** Yields the events of all files in their order. The events of a group are deleted when the caller asks for the next group. */
  async *groups(): AsyncGenerator<ScannedGroup | UnfitLines, void> {
    for (let index = 0; await this.has(index); ) {
      this.scans?.help()
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
    const ends = new Map(this.segments.flatMap(rangesOf).map(({ path, end }) => [path, end]))
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
    const { scans } = this
    this.scans = undefined
    this.change()
    await scans?.close()
  }

  /** True when storing the segments that lack values in the schema would take more time than scanning all of these again. */
  private isWorthScanning(first: number): boolean {
    const later = [...this.found].flatMap(([index, events]) => (index < first ? [] : [events]))
    const lacking = later.filter((events) => events?.unexpected !== undefined)
    return first > this.changedAt && later.length <= SCANS_PER_STORING * lacking.length
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
    for (const [index, events] of this.found)
      if (index >= first && events !== undefined) this.found.delete(index)
    this.schema = schema
    this.scans = new SegmentScans(schema.scan)
    this.changedAt = this.begun = first
    this.schemas += 1
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

  private report(index: number, found: ScannedEvents | undefined): void {
    this.found.set(index, found)
    if (found?.fit !== true) this.unfit += 1
    this.unexpected.push(...(found?.unexpected ?? []))
    if (!this.isInGroups) this.removeLines(index)
    this.change()
  }

  private use(count: number): void {
    if (this.isInGroups)
      for (let index = this.used; index < count; index++) this.removeColumns(index)
    this.used = count
    this.feed()
  }

  /** Has segments scanned, as many as may be. */
  private feed(): void {
    const { scans } = this
    scans?.grow(this.bytes)
    const isFull = () => this.isInGroups && this.distance(this.used, this.begun) >= MAX_AHEAD
    for (; scans && this.begun < this.segments.length && !isFull(); this.begun++) {
      const index = this.begun
      if (this.found.has(index)) continue
      scans.add(this.segments[index]!, (found) => {
        if (scans === this.scans) this.report(index, found)
      })
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
