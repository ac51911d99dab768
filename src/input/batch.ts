import type { CsvDialect, Framing } from './framing.js'
import type { EventTimeText } from './log/event-text.js'
import type { LogFormat } from './log/log-format.js'
import type { LineTime } from './log/time/line-layout.js'
import type { EventMapping } from './mapping/event-mapping.js'

/** A range of an input's events, ready to be the body of one request. */
export interface Batch {
  readonly kind: 'batch'
  /** The name of the input, for messages. */
  readonly input: string
  readonly contentType: Framing['contentType']
  readonly csv?: CsvDialect
  /** The content type in the input, if the events were rewritten as NDJSON. */
  readonly sourceType?: Framing['contentType'] | Framing['sourceType']
  /** The format the events were converted from; missing when they are sent as they were read. */
  readonly format?: LogFormat
  /** The name of the format of text, if it has one. */
  readonly formatName?: string
  /** The fields of the format of text that were found so far, except the time and the message. */
  readonly formatFields?: readonly string[]
  /** The start and the end of each event in the body, alternating; missing where lines are events. */
  readonly extents?: readonly number[]
  /** The number of lines that do not begin like an object of NDJSON; missing when it is 0. */
  readonly strays?: number
  /** The number of events that have several lines; missing when the records were not converted. */
  readonly joined?: number
  readonly body: Buffer
  readonly events: number
  /** The number of bytes of the input in the batch; a repeated header is not counted. */
  readonly bytes: number
  /** The position of the first event in the input. */
  readonly start: Position
  /** The number of line ends of the input in the batch. */
  readonly lines: number
  /** Lines of the body in front of its first event. */
  readonly headLines: number
  /** True when the last event is complete only because the input ended there. */
  readonly isTail?: boolean
  /** Returns the original record of an event; missing where the body holds the bytes of the input. */
  readonly source?: (index: number) => SourceRecord
  /** The records that do not match the format and became a `message`; missing when all match. */
  readonly unmatched?: UnmatchedRecords
  /** The rows of a table that do not match its header; missing when all match. */
  readonly refused?: RefusedRows | undefined
  /** The times at the beginning of lines; missing where they are not looked for. */
  readonly lineTime?: LineTime
  /** The time of the last event of a log. */
  readonly lastTime?: EventTimeText | undefined
  /** The meaning of the fields. */
  readonly mapping?: EventMapping
  /** The field with the event time, for the service to read, if it was detected or written by the mapping. */
  readonly timestampField?: string | undefined
  /** Events whose fields have another text than a time, when the mapping writes the times; missing when there are no such events. */
  readonly untimed?: { readonly events: number; readonly first: number } | undefined
  /** Returns the body's memory to the pool; the body must not be used afterwards. */
  release(): void
}

/** An event as it was in its input. */
export interface SourceRecord {
  readonly text: Buffer
  /** The JSON object that it was converted to; missing when it is sent as it was read. */
  readonly event?: Buffer
  /** Offset in the input, in bytes. */
  readonly offset: number
  /** From 1; missing where the format has no lines. */
  readonly line?: number
}

/** Records of a log that do not match its format. */
export interface UnmatchedRecords {
  readonly events: number
  /** The first record; its text may be cut. */
  readonly first: { readonly line: number; readonly reason: string; readonly text: string }
}

/** Rows that became strings when their table was rewritten as JSON objects, so that the service rejects them. */
export interface RefusedRows {
  /** The reasons by the index of the event. */
  readonly reasons: ReadonlyMap<number, string>
  /** The header as it is in the input. */
  readonly head: string
  readonly csv: CsvDialect | undefined
}

/** An event that cannot be sent. */
export interface UnsendableEvent {
  readonly kind: 'unsendable'
  readonly input: string
  readonly start: Position
  /** True when the event is located by its line; in an array, by its index. */
  readonly hasLines: boolean
  readonly reason: string
}

export interface InputEnd {
  readonly kind: 'end'
  readonly input: string
  /** The position after the last event, or after what could be read. */
  readonly position: Position
  /** True when the whole input was read: neither interrupted nor failed. */
  readonly isWhole: boolean
}

/** A batch, an event that can't be sent, or the end of an input. */
export type InputItem = Batch | UnsendableEvent | InputEnd

/** A position in an input, after decompression. */
export interface Position {
  /** From 1. */
  readonly line: number
  /** Index of the event in the input, from 0. */
  readonly event: number
  /** Offset in bytes. */
  readonly offset: number
  /** The time of the last event in front of it, which events of a log without a time get; missing if there is none. */
  readonly time?: EventTimeText | undefined
}
