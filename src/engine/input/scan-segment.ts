import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import type { LineScanner, TimeExtent } from '../ingest/scan/line-scanner.js'
import type { ScanSchema } from '../ingest/scan/scan-schema.js'

/** Whole lines of a file, and the file for the columns of their events. */
export interface Segment {
  readonly path: string
  /** Offsets in bytes. */
  readonly start: number
  readonly end: number
  readonly target: string
  /** The position of its first line in the sequence of all events. */
  readonly sequence: bigint
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
}

/** The events of one or several segments. */
export interface ScannedEvents {
  readonly events: number
  /** Line feeds, and a last line without one. */
  readonly lines: number
  /** True when all events were written as columns. */
  readonly fit: boolean
  /** The times of the events; missing when they were not written. */
  readonly extent?: TimeExtent
}

/** Settings for scanning segments. */
export interface SegmentScan {
  readonly scanner: LineScanner
  readonly schema: ScanSchema
  /** True when the result is no longer needed. */
  isStopped(): boolean
}

/** Writes the events of a segment as columns; returns undefined when a file can't be read or written. */
export function scanSegment(segment: Segment, options: SegmentScan): ScannedEvents | undefined {
  const opened: number[] = []
  const open = (path: string, flags: string): number => {
    const file = openSync(path, flags, 0o600)
    opened.push(file)
    return file
  }
  try {
    const source = open(segment.path, 'r')
    return scanFile({ ...segment, source, output: open(segment.target, 'w') }, options)
  } catch {
    // The files are read again, and what is wrong is then reported.
    return undefined
  } finally {
    for (const file of opened) closeSync(file)
  }
}

interface OpenSegment extends Segment {
  readonly source: number
  readonly output: number
}

function scanFile(
  { start, end, sequence, arrivedAt, source, output }: OpenSegment,
  { scanner, schema, isStopped }: SegmentScan,
): ScannedEvents | undefined {
  scanner.begin(schema, arrivedAt, sequence)
  for (let at = start; at < end; ) {
    if (isStopped()) return undefined
    const { room } = scanner
    const bytes = readSync(source, room, 0, Math.min(room.length, end - at), at)
    if (bytes === 0) return undefined
    scanner.push(bytes)
    if (scanner.isColumnar) writeAll(output, scanner.columns)
    at += bytes
  }
  const { isColumnar: fit, counts } = scanner.end()
  if (fit) writeAll(output, scanner.columns)
  const { extent } = scanner
  return { events: counts.events, lines: counts.lines, fit, extent }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

/** Combines the events of segments. */
export function allEvents(segments: readonly ScannedEvents[]): ScannedEvents {
  const extents = segments.flatMap(({ extent }) => extent ?? [])
  const extent = extents.reduce<TimeExtent | undefined>(
    (all, { first, last }) => ({
      first: all !== undefined && all.first < first ? all.first : first,
      last: all !== undefined && all.last > last ? all.last : last,
    }),
    undefined,
  )
  const events = segments.reduce((sum, segment) => sum + segment.events, 0)
  const lines = segments.reduce((sum, segment) => sum + segment.lines, 0)
  return { events, lines, fit: segments.every(({ fit }) => fit), extent }
}
