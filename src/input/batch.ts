import type { CsvDialect, Framing } from './framing.js'
import type { LogFormat } from './log/log-format.js'

/** Events that go out together: a stretch of an input, ready to be the body of a request. */
export interface Batch {
  readonly kind: 'batch'
  /** The input's name, as it may be shown. */
  readonly input: string
  readonly contentType: Framing['contentType']
  readonly csv?: CsvDialect
  /** What its events were made from, where they are not as they came. */
  readonly format?: LogFormat
  readonly body: Buffer
  readonly events: number
  /** The bytes of the input in it, so without a repeated header. */
  readonly bytes: number
  /** Where it begins in the input. */
  readonly start: Position
  /** Line ends of the input in it. */
  readonly lines: number
  /** Lines that the body has before its first event. */
  readonly headLines: number
  /** An event as it stood in the input, where the body does not hold the bytes of the input. */
  readonly source?: (index: number) => SourceRecord
  /** Gives the body's memory back; nobody may look at it afterwards. */
  release(): void
}

/** An event as it stood in its input. */
export interface SourceRecord {
  readonly text: Buffer
  /** Bytes of the input before it. */
  readonly offset: number
  /** From 1; missing where lines mean nothing. */
  readonly line?: number
}

/** An event that can't be sent at all. */
export interface UnsendableEvent {
  readonly kind: 'unsendable'
  readonly input: string
  readonly start: Position
  /** Whether its line tells where it stands; in an array, its place does. */
  readonly hasLines: boolean
  readonly reason: string
  /** As it stood in the input, where it is not too long for that. */
  readonly text?: Buffer
  /** What it should be, where that is no format of the interface. */
  readonly format?: LogFormat
}

/** Where reading an input came to its end. */
export interface InputEnd {
  readonly kind: 'end'
  readonly input: string
  /** Just past the last event, or past what could be read. */
  readonly position: Position
  /** Whether all of it was read, and not only up to an interruption or an error. */
  readonly isWhole: boolean
}

/** A place in an input, after decompression. */
export interface Position {
  /** From 1. */
  readonly line: number
  /** The event's place among the input's events, from 0. */
  readonly event: number
  /** Bytes before it. */
  readonly offset: number
}
