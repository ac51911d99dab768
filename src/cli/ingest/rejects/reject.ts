import { isUtf8 } from 'node:buffer'
import type { Batch, RefusedRows, SourceRecord, UnsendableEvent } from '../../../input/batch.js'
import { headLength } from '../../../input/events.js'
import { sourcesOf } from '../../../input/locate.js'
import { isJsonObject, parseJson } from '../../../wire/json/json-object.js'
import type { BatchOutcome, FailedEvents } from '../send/outcome.js'

/** A record of a rejects file: an event that was not stored. `evq help input` lists the members. */
export interface Reject {
  readonly file: string
  readonly line?: number
  /** The offset of the event in the file, after decompression. */
  readonly offset: number
  readonly field?: string
  readonly reason: string
  readonly requestId?: string
  /** Present when the event may be stored. */
  readonly unconfirmed?: true
  /** The number of rejected events among the next `among` events of the file, when the service does not name them. */
  readonly events?: number
  readonly among?: number
  readonly header?: string
  /** The CSV delimiter, unless it is a comma. */
  readonly delimiter?: string
  /** The detected field of the event time. */
  readonly timestampField?: string
  /** The event as written, or, for a log line, as JSON. */
  readonly event?: string
  /** The event in base64, instead of `event`, when it is not UTF-8. */
  readonly eventBase64?: string
}

/** The part of a record that must be equal for events that are read together. */
export type Heading = Pick<Reject, 'header' | 'delimiter' | 'timestampField'>

/** Yields the records of a batch; reads the bytes of the batch while it runs. */
export function* rejectsOf(outcome: BatchOutcome): Generator<Reject> {
  const { batch, rejected, unsent, unconfirmed } = outcome
  const source = sourcesOf(batch)
  const heading = headingOf(batch)
  const { refused } = batch

  function* rejects(failed: FailedEvents): Generator<Reject> {
    const { range, events } = failed
    const why = reasonFields(failed)
    const file = batch.input
    if (events < range.events) {
      // The service did not report which of the events failed.
      yield { file, ...placeOf(source(range.first), batch), ...why, events, among: range.events }
      return
    }
    for (let index = range.first; index < range.first + range.events; index++) {
      const found = source(index)
      const isRow = refused?.reasons.has(index) === true
      const text = textOf(isRow ? found?.text : (found?.event ?? found?.text))
      const read = isRow ? csvHeading(refused) : heading
      yield { file, ...placeOf(found, batch), ...why, ...read, ...text }
    }
  }

  for (const failed of [...rejected, ...unsent]) yield* rejects(failed)
  for (const failed of unconfirmed) {
    for (const reject of rejects(failed)) yield { ...reject, unconfirmed: true }
  }
}

/** Returns the record of an event that could not be sent, without its text. */
export function unsendableReject(event: UnsendableEvent): Reject {
  const { input, start, hasLines, reason } = event
  const place = { ...(hasLines && { line: start.line }), offset: start.offset }
  return { file: input, ...place, reason }
}

/** Encodes a record as a line of a rejects file. */
export function encodeReject(reject: Reject): string {
  const { file, line, offset, field, reason, requestId, unconfirmed, ...rest } = reject
  const { events, among, header, delimiter, timestampField, event, eventBase64 } = rest
  const place = { file, line, offset, field, reason, requestId, unconfirmed }
  const heading = { header, delimiter, timestampField }
  return `${JSON.stringify({ ...place, events, among, ...heading, event, eventBase64 })}\n`
}

export function reasonFields(failed: FailedEvents): Pick<Reject, 'field' | 'reason' | 'requestId'> {
  const { field, reason, requestId } = failed
  return { field, reason, requestId }
}

/** Parses a line of a rejects file; returns `undefined` when the line is not a record. */
export function parseReject(line: Buffer): Reject | undefined {
  const value = parseJson(line.toString('utf8'))
  return isReject(value) ? value : undefined
}

function isReject(value: unknown): value is Reject {
  if (!isJsonObject(value)) return false
  const { file, reason, ...texts } = value
  const { event, eventBase64, header, delimiter, timestampField } = texts
  const isText = (member: unknown) => member === undefined || typeof member === 'string'
  if (![event, eventBase64, header, delimiter, timestampField].every(isText)) return false
  return typeof file === 'string' && typeof reason === 'string'
}

function placeOf(found: SourceRecord | undefined, batch: Batch): Pick<Reject, 'line' | 'offset'> {
  if (found === undefined) return { offset: batch.start.offset }
  return { line: found.line, offset: found.offset }
}

function textOf(text: Buffer | undefined): Pick<Reject, 'event' | 'eventBase64'> {
  if (text === undefined) return {}
  return isUtf8(text) ? { event: text.toString('utf8') } : { eventBase64: text.toString('base64') }
}

/** Returns the information that is needed to read events again: the header of CSV rows, and the field of the time. */
function headingOf(batch: Batch): Heading {
  const { timestampField, contentType, csv, body, source } = batch
  if (contentType !== 'text/csv' || source !== undefined) return { timestampField }
  const head = body.toString('utf8', 0, headLength(batch))
  return { ...csvHeading({ head, csv }), timestampField }
}

function csvHeading({ head, csv = {} }: Pick<RefusedRows, 'head' | 'csv'>): Heading {
  const { fields, delimiter = ',' } = csv
  const header = fields?.join(delimiter) ?? head.replace(/\r?\n$/, '')
  return { header, ...(delimiter !== ',' && { delimiter }) }
}
