import { isUtf8 } from 'node:buffer'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import type { Batch, SourceRecord, UnmatchedRecords } from '../batch.js'
import type { SpareBuffers } from '../buffer-pool.js'
import { batchRecords } from './batch-records.js'
import { escapedBytes } from './escaped-bytes.js'
import { EventText, ensureUtf8 } from './event-text.js'
import type { Conversion } from './log-format.js'

const LINE_FEED = 0x0a

/** The length of the text that is written at once: many short writes take longer, long texts are copied by the collector. */
const WRITTEN_AT_ONCE = 16 * 1024

/**
 * Converts a batch of log records to one of JSON objects, one per line. A record that does not match the format becomes
 * a `message`, with its time if that could be read. Returns undefined when the batch has only blank lines. The body is
 * a buffer of `spare`, to which it is given back when the batch is released.
 */
export function convertBatch(
  batch: Batch,
  conversion: Conversion,
  spare: SpareBuffers,
): Batch | undefined {
  const { format, name, read } = conversion
  const found = batchRecords(batch, conversion.find)
  const isClean = isUtf8(batch.body)
  const event = new EventText()
  const body = new ByteWriter(spare.take(batch.body.length * 2))
  const escapes = escapedBytes(batch.body)
  let nextEscape = 0
  /** The start and the end of each record. */
  const records: number[] = []
  let unmatched: UnmatchedRecords | undefined
  let joined = 0
  for (let written = found.next(); written !== undefined; written = found.next()) {
    const { from, to } = found
    while (escapes[nextEscape]! < from) nextEscape += 1
    event.isPlain = !(escapes[nextEscape]! < to)
    const hasLines = !event.isPlain && written.includes('\n')
    const lines = hasLines ? written.replaceAll('\r\n', '\n') : written
    const record = isClean ? lines : ensureUtf8(lines)
    const reason = read(record, event)
    if (reason !== undefined) {
      event.discard()
      event.text('message', record)
      if (unmatched === undefined) {
        const line = batch.start.line + lineFeeds(batch.body.toString('latin1', 0, from), 0, from)
        unmatched = { events: 1, first: { line, reason, text: record } }
      } else unmatched = { ...unmatched, events: unmatched.events + 1 }
    }
    records.push(from, to)
    if (hasLines) joined += 1
    if (event.endLine() > WRITTEN_AT_ONCE) body.addLatin1(event.takeLines())
  }
  if (records.length === 0) {
    spare.give(body.bytes)
    batch.release()
    return undefined
  }
  body.addLatin1(event.takeLines())
  const lineTime = conversion.lineTime?.()
  const fields = conversion.fields?.()
  const { written } = body
  return {
    ...batch,
    contentType: 'application/x-ndjson',
    format,
    ...(name !== undefined && { formatName: name }),
    ...(fields && { formatFields: fields }),
    joined,
    body: written,
    events: records.length / 2,
    source: sources(batch, { records, written }),
    release() {
      spare.give(body.bytes)
      batch.release()
    },
    ...(lineTime && { lineTime }),
    ...(unmatched && { unmatched: shown(unmatched) }),
  }
}

const MAX_SHOWN = 200

/** Decodes the start of the first record, which may be as long as the batch. */
function shown({ events, first }: UnmatchedRecords): UnmatchedRecords {
  const text = Buffer.from(first.text.slice(0, MAX_SHOWN), 'latin1').toString('utf8')
  return { events, first: { ...first, text } }
}

/** The records of a batch, each with its start and its end, and their events. */
interface Converted {
  readonly records: readonly number[]
  readonly written: Buffer
}

/** Returns a function that returns the record of each event. Lines are counted when the first one is needed. */
function sources(
  { body, start }: Batch,
  { records, written }: Converted,
): (index: number) => SourceRecord {
  let places: readonly RecordPlace[] | undefined
  return (index) => {
    places ??= recordPlaces(body, { records, written })
    const [from = 0, to = 0] = records.slice(index * 2, index * 2 + 2)
    const { line, event } = places[index] ?? { line: 0, event: written.subarray(0, 0) }
    return {
      text: body.subarray(from, to),
      offset: start.offset + from,
      line: start.line + line,
      event,
    }
  }
}

/** The line of a record in the batch, from 0, and its event. */
interface RecordPlace {
  readonly line: number
  readonly event: Buffer
}

function recordPlaces(body: Buffer, { records, written }: Converted): readonly RecordPlace[] {
  const text = body.toString('latin1')
  const places: RecordPlace[] = []
  let line = 0
  let eventFrom = 0
  for (let at = 0; at < records.length; at += 2) {
    line += lineFeeds(text, records[at - 2] ?? 0, records[at]!)
    const eventTo = written.indexOf(LINE_FEED, eventFrom)
    places.push({ line, event: written.subarray(eventFrom, eventTo) })
    eventFrom = eventTo + 1
  }
  return places
}
