import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { isBlank, LINE_FEED } from '../../text/bytes.js'
import {
  EventScanner,
  type TimeExtent,
  type UnexpectedValues,
} from '../ingest/scan/event-scanner.js'
import { EventSchema, type EventTerms, SLOT } from '../ingest/scan/event-schema.js'

/** Whole lines of a file: a range of bytes. */
export interface LineRange {
  readonly path: string
  readonly start: number
  readonly end: number
}

/** Lines, and the file for the columns of their events: plain data, which can be posted to threads. */
export interface Segment extends LineRange {
  /** The lines of further files. */
  readonly others: readonly LineRange[]
  readonly target: string
  /** The position of its first line in the sequence of all events. */
  readonly sequence: number
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
}

/** The events of one or several segments. */
export interface ScannedEvents {
  readonly events: number
  /** The number of lines, with or without a line feed at the end. */
  readonly lines: number
  /** True when all events were written as columns. */
  readonly fit: boolean
  /** The values that the schema lacks, if a schema with them would be enough for all events to fit. */
  readonly unexpected?: readonly UnexpectedValues[]
  /** The times of the events; missing when they were not written. */
  readonly extent?: TimeExtent
}

/**
 * Returns a function that writes the events of a segment as columns; it returns undefined when a file can't be read or written, or
 * there is not enough memory.
 */
export function segmentScanner(terms: EventTerms): (segment: Segment) => ScannedEvents | undefined {
  let scanner: EventScanner | undefined
  const schema = new EventSchema(terms)
  // The schema lacks fields that the query does not use.
  const isPartial = terms.others.kind === 'skipped'
  return (segment) => {
    try {
      scanner ??= new EventScanner()
      const output = openSync(segment.target, 'w', 0o600)
      try {
        return scanLines({ ...segment, output }, { scanner, schema, isPartial })
      } finally {
        closeSync(output)
      }
    } catch {
      // The files are read again to store their events; that reports the error.
      return undefined
    }
  }
}

/** Columns may take this many times the space of their events, and `SPARE_BYTES` more for the names in a block of few events. */
const MOST_TIMES = 3
const SPARE_BYTES = 64 * 1024

/** Writes columns as long as all events of a segment fit, and the columns are not much larger. */
function scanLines(
  segment: Segment & { readonly output: number },
  {
    scanner,
    schema,
    isPartial,
  }: { readonly scanner: EventScanner; readonly schema: EventSchema; readonly isPartial: boolean },
): ScannedEvents | undefined {
  const { others, sequence, arrivedAt, output } = segment
  let isScannable = true
  let unexpected: readonly UnexpectedValues[] = []
  /** The number of lines of white space. */
  let blank = 0
  let written = 0

  function take(blocks: Iterable<Buffer>): void {
    for (const block of blocks) {
      if (!isScannable || unexpected.length > 0) continue
      written += block.length
      isScannable = written <= MOST_TIMES * scanner.counts.bytes + SPARE_BYTES
      if (isScannable) writeAll(output, block)
    }
    for (const { bytes } of scanner.takeLines()) {
      if (isBlank(bytes, 0, bytes.length)) blank++
      else isScannable = false
    }
    // The schema must have all fields. A null in place of an object matters only if all fields are used.
    unexpected = scanner.unexpected().filter(({ kinds }) => !isPartial || kinds !== SLOT.null)
  }

  scanner.begin({ schema, arrivedAt, sequence: BigInt(sequence) })
  const lines = lineReader(scanner, take)
  for (const range of [segment, ...others]) {
    if (!lines.read(range)) return undefined
  }
  lines.scan()
  take(scanner.end())
  const { extent, counts } = scanner
  const fit = isScannable && unexpected.length === 0
  const lacking = isScannable && !fit && { unexpected }
  return { events: counts.filled - blank, lines: counts.lines, fit, ...lacking, extent }
}

/**
 * Returns a reader that passes lines to a scanner, as many at once as it has room for: each time, it writes the names of all columns,
 * which have more bytes than the lines of a very small file.
 */
function lineReader(scanner: EventScanner, take: (blocks: Iterable<Buffer>) => void) {
  /** The number of bytes in the room of the scanner. */
  let filled = 0

  /** Scans the lines that were read. */
  function scan(): void {
    if (filled > 0) take(scanner.push(filled))
    filled = 0
  }

  /** Reads lines, the last of which may lack its line feed. Returns false when the file is shorter. */
  function read({ path, start, end }: LineRange): boolean {
    const source = openSync(path, 'r')
    try {
      let last: number = LINE_FEED
      for (let at = start; at < end; ) {
        const { room } = scanner
        const bytes = readSync(source, room, filled, Math.min(room.length - filled, end - at), at)
        if (bytes === 0) return false
        at += bytes
        filled += bytes
        last = room[filled - 1]!
        if (filled === room.length) scan()
      }
      if (last !== LINE_FEED) scanner.room[filled++] = LINE_FEED
      if (filled === scanner.room.length) scan()
      return true
    } finally {
      closeSync(source)
    }
  }

  return { read, scan }
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
}

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
