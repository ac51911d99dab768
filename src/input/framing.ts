import type { Conversion } from './log/log-format.js'

/**
 * Finds the ends of events in bytes that arrive in chunks. It keeps its state between calls, so a chunk may end
 * anywhere: in a character, a string or an escape.
 */
export interface Scanner {
  /** The most bytes of several lines that are one event; missing where a line is never joined to others. */
  readonly mostJoined?: number
  /** Scans `bytes` in `range`; stops after `maxEvents` events. */
  scan(bytes: Buffer, range: ScanRange): ScanResult
  /**
   * Ends the last event where an event may continue in the next line: no bytes have arrived for a while. A line that has
   * no line end yet prevents that unless `isLast` is set, because no more bytes will be read.
   */
  settle?(options: { readonly isLast: boolean }): InputEnding
  /** Returns what the bytes after the last event are when no more will come. */
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
  /** Number of complete events; 0 with an `end` means that only white space was passed. */
  readonly events: number
  /** Line ends before `end` that were not reported by an earlier call. */
  readonly lines: number
  /**
   * The start and the end of each event in turn, without the line ends after it; missing where lines are events. An
   * event may have begun in an earlier call.
   */
  readonly extents?: readonly number[]
  /** The number of lines before `end` that begin unlike the events of the format. */
  readonly strays?: number
}

export interface InputEnding {
  /** The number of events in those bytes. */
  readonly events: number
  /** Line ends in them that were not reported by an earlier call; none by default. */
  readonly lines?: number
  /** The length of a last line that belongs to none of the events; 0 by default. */
  readonly rest?: number
  /** As in `ScanResult`, but relative to the end of the bytes: negative. */
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
  /** The bytes in front of the first event of each body: a CSV header, the `[` of an array, or none. */
  readonly head: Buffer
  /** Lines of the head that the service counts before the first event. */
  readonly headLines: number
  /** True when each event begins on a new line. */
  readonly hasLines: boolean
  /** Completes a body in place and returns its length; a tail has no separator after its last event. */
  close(body: Buffer, end: { readonly at: number; readonly isTail: boolean }): number
  readonly contentType: 'application/x-ndjson' | 'application/json' | 'text/csv'
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
