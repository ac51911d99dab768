import type { CsvShape } from './csv.js'
import type { Conversion } from './log/conversion.js'

/**
 * Finds where events end in bytes that arrive piece by piece. It keeps its place between calls, so a
 * piece may end anywhere: in a character, a string, an escape.
 */
export interface Scanner {
  /** Looks at `bytes` from `from` to `to`, and stops early after `most` events. */
  scan(bytes: Buffer, range: ScanRange): Found
  /** What the bytes after the last event's end are, when no more will come. */
  finish(): Ending
}

export interface ScanRange {
  readonly from: number
  readonly to: number
  readonly most: number
}

export interface Found {
  /** How far it looked. */
  readonly next: number
  /** Just past the last event that ended, its separator included; -1 when none did. */
  readonly end: number
  /** How many events ended; a stretch that holds only white space can end without an event. */
  readonly events: number
  /** Line ends before `end` that were not reported before. */
  readonly lines: number
}

export interface Ending {
  /** Whether those bytes are an event that only lacks its separator. */
  readonly isEvent: boolean
  /** What is wrong with how the input ends. */
  readonly problem?: string
}

/** How a format's events lie in an input and in the body of a request. */
export interface Layout {
  readonly scanner: Scanner
  /** The same for reading on between two events; `previous` is the byte before, where there is one. */
  again(previous: number | undefined): Layout
  /** What each body begins with: a CSV header, the `[` of an array, or nothing. */
  readonly head: Buffer
  /** Lines of the head that the service counts before the first event. */
  readonly headLines: number
  /** Whether an event begins on a line of its own. */
  readonly hasLines: boolean
  /** Finishes a body in place and returns its length; a tail has no separator after its last event. */
  close(body: Buffer, end: { readonly at: number; readonly isTail: boolean }): number
  readonly contentType: 'application/x-ndjson' | 'application/json' | 'text/csv'
  readonly csv?: CsvShape
  /** What makes events of what is no format of the interface. */
  readonly conversion?: Conversion
}
