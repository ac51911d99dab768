import type { EventText } from './event-text.js'

/** Logs that are no JSON: each record becomes an object. */
export const LOG_FORMATS = ['logfmt', 'clf', 'syslog', 'text'] as const

/** A format whose lines become events in JSON before they are sent. */
export type LogFormat = (typeof LOG_FORMATS)[number]

/** How records of a log become events. */
export interface Conversion {
  readonly format: LogFormat
  readonly find: RecordFinder
  readonly read: LineReader
}

/** Where a record lies in a text: the next one begins at `next`. */
export interface RecordExtent {
  readonly from: number
  readonly to: number
  readonly next: number
}

/** Finds the record that begins at a place; it may hold nothing but white space. */
export type RecordFinder = (text: string, at: number) => RecordExtent

/** Adds the fields of a line to an event, or says why the line is not one of the format. */
export type LineReader = (line: string, event: EventText) => string | undefined
