import type { Framing } from './framing.js'
import type { TextLayout } from './log/text-layout.js'
import type { ReadOptions } from './read-options.js'
import type { RecordsStart } from './records-start.js'

/** An input whose first event is looked for, and the options for reading it. */
export interface DetectionContext extends ReadOptions {
  /** The length of the byte order mark and of a note in front of a table. */
  readonly mark: number
  readonly name: string
  /** Returns the latest possible time of an event. */
  readonly lastWritten: () => bigint
}

/** The first event of an input, and the framing from there on. */
export interface EventsStart {
  readonly framing: Framing
  /** Bytes in front of the first event. */
  readonly skip: number
  /** The columns that the header of a table names. */
  readonly columns?: readonly string[]
  /** The delimiter of a table that is neither its default nor asked for. */
  readonly delimiter?: string
  readonly layout?: TextLayout
  /** The array in a document whose elements are the events. */
  readonly records?: Pick<RecordsStart, 'path' | 'outer'>
}
