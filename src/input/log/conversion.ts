import { isUtf8 } from 'node:buffer'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import type { Batch, SourceRecord, UnmatchedRecords } from '../batch.js'
import { EventText, ensureUtf8 } from './event-text.js'
import type { Conversion, RecordExtent, RecordFinder } from './log-format.js'
import { isBlankIn } from './multiline/event-lines.js'

const LINE_FEED = 0x0a

/** The length of the text that is written at once: many short writes take longer, long texts are copied by the collector. */
const WRITTEN_AT_ONCE = 16 * 1024

/**
 * Converts a batch of log records to one of JSON objects, one per line. A record that does not match the format becomes
 * a `message`, with its time if that could be read. Returns undefined when the batch has only blank lines.
 */
export function convertBatch(batch: Batch, conversion: Conversion): Batch | undefined {
  const { format, name, find, read } = conversion
  const text = batch.body.toString('latin1')
  const isClean = isUtf8(batch.body)
  const event = new EventText()
  const body = new ByteWriter(batch.body.length * 2)
  let pending = ''
  let unmatched: UnmatchedRecords | undefined
  let events = 0
  let joined = 0
  for (let at = 0; at < text.length; ) {
    const { from, to, next } = find(text, at)
    at = next
    if (isBlankIn(text, from, to)) continue
    const written = text.slice(from, to)
    const hasLines = written.includes('\n')
    const lines = hasLines ? written.replaceAll('\r\n', '\n') : written
    const record = isClean ? lines : ensureUtf8(lines)
    const reason = read(record, event)
    if (reason !== undefined) {
      event.discard()
      event.text('message', record)
      if (unmatched === undefined) {
        const line = batch.start.line + lineFeeds(text, 0, from)
        unmatched = { events: 1, first: { line, reason, text: record } }
      } else unmatched = { ...unmatched, events: unmatched.events + 1 }
    }
    events += 1
    if (hasLines) joined += 1
    pending += `${event.take()}\n`
    if (pending.length > WRITTEN_AT_ONCE) {
      body.addLatin1(pending)
      pending = ''
    }
  }
  if (events === 0) {
    batch.release()
    return undefined
  }
  body.addLatin1(pending)
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
    events,
    source: sources(batch, { written, find }),
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

/** Returns a function that finds the record of each event. Positions are determined when the first one is needed. */
function sources(
  batch: Batch,
  { written, find }: { readonly written: Buffer; readonly find: RecordFinder },
): (index: number) => SourceRecord {
  let records: readonly RecordPosition[] | undefined
  return (index) => {
    records ??= recordPositions(batch.body.toString('latin1'), { written, find })
    const { from = 0, to = 0, line = 0, event } = records[index] ?? {}
    return {
      text: batch.body.subarray(from, to),
      offset: batch.start.offset + from,
      line: batch.start.line + line,
      event: written.subarray(event?.from, event?.to ?? 0),
    }
  }
}

/** The position of a record in the batch, and of its event in the body; `line` counts from 0. */
interface RecordPosition extends Pick<RecordExtent, 'from' | 'to'> {
  readonly line: number
  readonly event: Pick<RecordExtent, 'from' | 'to'>
}

function recordPositions(
  text: string,
  { written, find }: { readonly written: Buffer; readonly find: RecordFinder },
): readonly RecordPosition[] {
  const records: RecordPosition[] = []
  let line = 0
  let eventFrom = 0
  for (let at = 0; at < text.length; ) {
    const { from, to, next } = find(text, at)
    if (!isBlankIn(text, from, to)) {
      const eventTo = written.indexOf(LINE_FEED, eventFrom)
      records.push({ from, to, line, event: { from: eventFrom, to: eventTo } })
      eventFrom = eventTo + 1
    }
    line += lineFeeds(text, at, next)
    at = next
  }
  return records
}
