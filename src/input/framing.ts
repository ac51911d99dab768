import type { Conversion } from './log/log-format.js'

/**
 * Finds where events end in bytes that arrive piece by piece. It keeps its place between calls, so a
 * piece may end anywhere: in a character, a string, an escape.
 */
export interface Scanner {
  /** Looks at `bytes` from `from` to `to`, and stops early after `most` events. */
  scan(bytes: Buffer, range: ScanRange): ScanResult
  /** What the bytes after the last event's end are, when no more will come. */
  finish(): InputEnding
}

export interface ScanRange {
  readonly from: number
  readonly to: number
  readonly maxEvents: number
}

export interface ScanResult {
  /** How far it looked. */
  readonly next: number
  /** Just past the last event that ended, its separator included; -1 when none did. */
  readonly end: number
  /** How many events ended; a stretch that holds only white space can end without an event. */
  readonly events: number
  /** Line ends before `end` that were not reported before. */
  readonly lines: number
}

export interface InputEnding {
  /** Whether those bytes are an event that only lacks its separator. */
  readonly isEvent: boolean
  /** What is wrong with how the input ends. */
  readonly problem?: string
}

/** How a format's events lie in an input and in the body of a request. */
export interface Framing {
  readonly scanner: Scanner
  /** The same for reading on between two events; `previous` is the byte before, where there is one. */
  restart(previous: number | undefined): Framing
  /** What each body begins with: a CSV header, the `[` of an array, or nothing. */
  readonly head: Buffer
  /** Lines of the head that the service counts before the first event. */
  readonly headLines: number
  /** Whether an event begins on a line of its own. */
  readonly hasLines: boolean
  /** Finishes a body in place and returns its length; a tail has no separator after its last event. */
  close(body: Buffer, end: { readonly at: number; readonly isTail: boolean }): number
  readonly contentType: 'application/x-ndjson' | 'application/json' | 'text/csv'
  readonly csv?: CsvDialect
  /** What makes events of what is no format of the interface. */
  readonly conversion?: Conversion
}

/** How a table of text is told apart from the CSV that everyone takes. */
export interface CsvDialect {
  /** One character of ASCII; a comma when it is left out. */
  readonly delimiter?: string
  /** The names of the columns, where the first line does not hold them. */
  readonly fields?: readonly string[]
}
