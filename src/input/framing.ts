import type { Conversion } from './log/log-format.js'

/**
 * Finds the ends of events in bytes that arrive in chunks. It keeps its state between calls, so a chunk may end
 * anywhere: in a character, a string or an escape.
 */
export interface Scanner {
  /** Scans `bytes` in `range`; stops after `maxEvents` events. */
  scan(bytes: Buffer, range: ScanRange): ScanResult
  /**
   * Ends the last event although the next line might continue it, because no bytes have arrived for a while. A line
   * without a line end prevents that, unless `isLast` is set: then no more bytes will be read.
   */
  settle?(options: { readonly isLast: boolean }): InputEnding
  /** Returns the meaning of the bytes after the last event, at the end of the input. */
  finish(): InputEnding
}

export interface ScanRange {
  readonly from: number
  readonly to: number
  readonly maxEvents: number
}

export interface ScanResult {
  /** The position up to which bytes were scanned. */
  readonly next: number
  /** The position after the last complete event, its separator included; -1 when there was none. */
  readonly end: number
  /** Number of complete events; when it is 0 and there is an `end`, only white space was scanned. */
  readonly events: number
  /** Line ends before `end` that were not reported by an earlier call. */
  readonly lines: number
  /**
   * The start and the end of each event, alternating, without the line end; missing where lines are events. An event may
   * have begun in an earlier call.
   */
  readonly extents?: readonly number[]
  /** The number of lines before `end` that do not begin like an event of the format. */
  readonly strays?: number
  /** The bytes between `end`, or the end that an earlier call found, and `next`, when they are left out. */
  readonly skipped?: { readonly bytes: number; readonly lines: number } | undefined
}

export interface InputEnding {
  /** The number of events in the bytes after the last event. */
  readonly events: number
  /** Line ends in these events that were not reported by an earlier call; 0 by default. */
  readonly lines?: number
  /** The length of a last line that does not belong to an event; 0 by default. */
  readonly rest?: number
  /** As in `ScanResult`, but negative: relative to the end of the bytes. */
  readonly extents?: readonly number[]
  readonly strays?: number
  /** Set when the input ends incorrectly. */
  readonly problem?: string
}

/** The framing of events in an input and in the body of a request. */
export interface Framing {
  readonly scanner: Scanner
  /** Returns the same framing for reading that resumes between two events, after the byte `previous`. */
  restart(previous: number | undefined): Framing
  /** The bytes in front of the first event of each body: a CSV header, or none. */
  readonly head: Buffer
  /** Lines of the head that the service counts before the first event. */
  readonly headLines: number
  readonly contentType: 'application/x-ndjson' | 'text/csv'
  /** The content type of JSON that the scanner changes to NDJSON, and whose events may begin anywhere in a line. */
  readonly sourceType?: 'application/json'
  readonly csv?: CsvDialect
  /** Converts records of a format that the service does not accept. */
  readonly conversion?: Conversion
}

/** The differences from default CSV. */
export interface CsvDialect {
  /** One ASCII character; a comma by default. */
  readonly delimiter?: string
  /** The names of the columns, when there is no header. */
  readonly fields?: readonly string[]
}
