import { isUtf8 } from 'node:buffer'
import type { Batch, SourceRecord, UnsendableEvent } from '../../../../input/batch.js'
import { headLength } from '../../../../input/events.js'
import { sourcesOf } from '../../../../input/locate.js'
import { LOG_FORMATS, type LogFormat } from '../../../../input/log/log-format.js'
import { isJsonObject } from '../../../../wire/json/json-object.js'
import type { BatchOutcome, FailedEvents } from '../send/outcome.js'

/** An event that was not stored, as a rejects file tells it; the README lists its members. */
export interface Reject {
  readonly file: string
  readonly line?: number
  /** Bytes of the file before the event, after decompression. */
  readonly offset: number
  readonly field?: string
  readonly reason: string
  readonly requestId?: string
  /** Whether it may be stored all the same. */
  readonly unconfirmed?: true
  /** Where the service does not tell which: so many of the next `among` events of the file. */
  readonly events?: number
  readonly among?: number
  /** The header that the event's fields are named by, in CSV. */
  readonly header?: string
  /** What stands between the fields, when it is no comma. */
  readonly delimiter?: string
  /** How the event is to be read, when it is a line of a log. */
  readonly format?: LogFormat
  /** As it was written. */
  readonly event?: string
  /** Instead of `event`, when its bytes are not UTF-8. */
  readonly eventBase64?: string
}

/** What events have in common that can go out one after the other: no header, or the same one. */
export type Heading = Pick<Reject, 'header' | 'delimiter' | 'format'>

/** The rejects of a batch, one after the other: its bytes are looked at only while this runs. */
export function* rejectsOf(outcome: BatchOutcome): Generator<Reject> {
  const { batch, rejected, unsent, unconfirmed } = outcome
  const source = sourcesOf(batch)
  const heading = headingOf(batch)
  for (const shortfall of [...rejected, ...unsent]) {
    yield* eventRejects(shortfall, { batch, source, heading })
  }
  for (const shortfall of unconfirmed) {
    for (const reject of eventRejects(shortfall, { batch, source, heading })) {
      yield { ...reject, unconfirmed: true }
    }
  }
}

/** The reject of an event that could not be sent; its text is there unless it was too long to be kept. */
export function unsendableReject(event: UnsendableEvent): Reject {
  const { input, start, hasLines, reason, text, format } = event
  const place = { ...(hasLines && { line: start.line }), offset: start.offset }
  return { file: input, ...place, reason, ...(format && { format }), ...textOf(text) }
}

/** A reject as a line of a rejects file. */
export function encodeReject(reject: Reject): string {
  const { file, line, offset, field, reason, requestId, unconfirmed, ...rest } = reject
  const { events, among, header, delimiter, format, event, eventBase64 } = rest
  const place = { file, line, offset, field, reason, requestId, unconfirmed }
  const heading = { header, delimiter, format }
  return `${JSON.stringify({ ...place, events, among, ...heading, event, eventBase64 })}\n`
}

/** What a rejects file says of the reason. */
export function reasonFields({
  field,
  reason,
  requestId,
}: FailedEvents): Pick<Reject, 'field' | 'reason' | 'requestId'> {
  return {
    ...(field !== undefined && { field }),
    reason,
    ...(requestId !== undefined && { requestId }),
  }
}

/** Reads a line of a rejects file; nothing when it is none. */
export function parseReject(line: Buffer): Reject | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'))
    return isReject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isReject(value: unknown): value is Reject {
  if (!isJsonObject(value)) return false
  const { file, reason, ...texts } = value
  const { event, eventBase64, header, delimiter, format } = texts
  const isText = (member: unknown) => member === undefined || typeof member === 'string'
  if (format !== undefined && !LOG_FORMATS.some((known) => known === format)) return false
  if (![event, eventBase64, header, delimiter].every(isText)) return false
  return typeof file === 'string' && typeof reason === 'string'
}

interface RejectSource {
  readonly batch: Batch
  readonly source: (index: number) => SourceRecord | undefined
  readonly heading: Heading
}

function* eventRejects(
  shortfall: FailedEvents,
  { batch, source, heading }: RejectSource,
): Generator<Reject> {
  const { range: among, events } = shortfall
  const why = reasonFields(shortfall)
  const file = batch.input
  if (events < among.events) {
    // Which of them it is can't be told, and a guess would be an invention.
    yield { file, ...placeOf(source(among.first), batch), ...why, events, among: among.events }
    return
  }
  for (let index = among.first; index < among.first + among.events; index++) {
    const found = source(index)
    yield { file, ...placeOf(found, batch), ...why, ...heading, ...textOf(found?.text) }
  }
}

function placeOf(found: SourceRecord | undefined, batch: Batch): Pick<Reject, 'line' | 'offset'> {
  if (found === undefined) return { offset: batch.start.offset }
  return { ...(found.line !== undefined && { line: found.line }), offset: found.offset }
}

function textOf(text: Buffer | undefined): Pick<Reject, 'event' | 'eventBase64'> {
  if (text === undefined) return {}
  return isUtf8(text) ? { event: text.toString('utf8') } : { eventBase64: text.toString('base64') }
}

/** CSV rows mean nothing without their header, and lines of a log nothing to who takes them for JSON. */
function headingOf(batch: Batch): Heading {
  if (batch.format !== undefined) return { format: batch.format }
  if (batch.contentType !== 'text/csv' || batch.source !== undefined) return {}
  const { fields, delimiter = ',' } = batch.csv ?? {}
  const line = batch.body.toString('utf8', 0, headLength(batch))
  const header = fields?.join(delimiter) ?? line.replace(/\r?\n$/, '')
  return { header, ...(delimiter !== ',' && { delimiter }) }
}
