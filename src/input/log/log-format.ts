import type { ByteWriter } from '../../wire/bytes/byte-writer.js'
import type { ConversionState } from './conversion-state.js'
import type { EventText } from './event-text.js'
import type { EventStart } from './multiline/event-start.js'
import type { TextLayout } from './text-layout.js'
import type { LineTime } from './time/line-layout.js'

/** Formats whose records are converted to JSON objects. */
export const LOG_FORMATS = [
  'logfmt',
  'ltsv',
  'clf',
  'syslog',
  'w3c',
  'table',
  'cri',
  'docker',
  'otlp-json',
  'text',
] as const

/** A format whose records are converted to JSON before they are sent. */
export type LogFormat = (typeof LOG_FORMATS)[number]

export function isLogFormat(format: string): format is LogFormat {
  return (LOG_FORMATS as readonly string[]).includes(format)
}

/** The functions that find and read the records of a format. */
export interface Conversion {
  readonly format: LogFormat
  /**
   * The data from which, together with `state`, another thread can continue the conversion. `state` is missing where
   * directives between records change how records are read, and in tables, whose rows get no time of other rows.
   */
  readonly origin?: ConversionOrigin
  readonly state?: ConversionState
  /** Returns the time of the last write to the input, in nanoseconds since 1970; missing when it is unknown. */
  readonly lastWritten?: (() => bigint) | undefined
  /** The name of the format of text, if it has one. */
  readonly name?: string
  /** Returns the fields of the format of text that were found so far, except the time and the message. */
  fields?(): readonly string[]
  readonly read: LineReader
  /** Writes a record that does not match the format; by default as a message with its level. */
  writeOther?(record: string, event: EventText): void
  /** Used in place of `read` for records that hold any number of events. */
  readonly expand?: RecordExpander
  /** Decides which lines begin an event; missing when each line is an event. */
  readonly start?: EventStart | undefined
  /** Reads directives in bytes that hold no events to convert; a call may end in the middle of a line. */
  skip?(bytes: Buffer): void
  /** Returns the times found so far. */
  lineTime?(): LineTime | undefined
}

/** The format, the layout and the options that a conversion was made from, as plain data. */
export interface ConversionOrigin {
  readonly format: LogFormat
  readonly layout: TextLayout
  /** Nanoseconds since 1970. */
  readonly now: bigint
  readonly findsTime: boolean
  readonly timeFormat: RegExp | undefined
  readonly multiline: 'auto' | 'off' | RegExp | undefined
  /** The name of the zone of times without one. */
  readonly zone: string | undefined
  readonly year: number | undefined
  readonly head: readonly string[] | undefined
}

/** Adds the fields of a line to an event; returns the reason when the line does not match the format. */
export type LineReader = (line: string, event: EventText) => string | undefined

/** Writes the events of a record, one per line, and returns their number, or the reason if the record does not match the format. */
export type RecordExpander = (record: Buffer, events: ByteWriter) => number | string
