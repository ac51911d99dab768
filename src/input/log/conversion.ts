import { isUtf8 } from 'node:buffer'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import type { Batch, SourceRecord, UnmatchedRecords } from '../batch.js'
import { isSpace } from '../ndjson.js'
import { EventText, ensureUtf8 } from './event-text.js'
import type { Conversion, RecordExtent } from './log-format.js'

/** The position of a record in the batch; `line` counts from 0. */
interface RecordPosition extends RecordExtent {
  readonly line: number
  /** The end of its event in the body. */
  readonly eventEnd: number
}

/**
 * Converts a batch of log records to one of JSON objects, one per line. A record that does not match the format becomes
 * a `message`, with its time if that could be read. Returns undefined when the batch has only blank lines.
 */
export function convertBatch(batch: Batch, conversion: Conversion): Batch | undefined {
  const { format, name, find, read } = conversion
  const text = batch.body.toString('latin1')
  const isClean = isUtf8(batch.body)
  const event = new EventText()
  const places: RecordPosition[] = []
  let unmatched: UnmatchedRecords | undefined
  // Writing bytes at once avoids intermediate strings, whose collection would take most of the time.
  const body = new ByteWriter(batch.body.length * 2)
  let line = 0
  let joined = 0
  for (let at = 0; at < text.length; ) {
    const { from, to, next } = find(text, at)
    if (!isBlank(text, from, to)) {
      const written = recordText(text, from, to)
      const record = isClean ? written : ensureUtf8(written)
      const reason = read(record, event)
      if (reason !== undefined) {
        event.discard()
        event.text('message', record)
        unmatched ??= { events: 0, first: { line: batch.start.line + line, reason, text: record } }
        unmatched = { ...unmatched, events: unmatched.events + 1 }
      }
      body.addLatin1(event.take())
      places.push({ from, to, next, line, eventEnd: body.size })
      body.addLineFeed()
    }
    const ends = lineEnds(text, at, next)
    if (ends > 1 && text.lastIndexOf('\n', to - 1) > from) joined += 1
    line += ends
    at = next
  }
  if (places.length === 0) {
    batch.release()
    return undefined
  }
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
    events: places.length,
    source: (index) => ({
      ...source(batch, places[index]),
      event: written.subarray((places[index - 1]?.eventEnd ?? -1) + 1, places[index]?.eventEnd),
    }),
    ...(lineTime && { lineTime }),
    ...(unmatched && { unmatched: shown(unmatched) }),
  }
}

/** Returns a record with line feeds as line ends. */
function recordText(text: string, from: number, to: number): string {
  const record = text.slice(from, to)
  return record.includes('\r\n') ? record.replaceAll('\r\n', '\n') : record
}

const MAX_SHOWN = 200

/** Decodes the start of the first record, which may be as long as the batch. */
function shown({ events, first }: UnmatchedRecords): UnmatchedRecords {
  const text = Buffer.from(first.text.slice(0, MAX_SHOWN), 'latin1').toString('utf8')
  return { events, first: { ...first, text } }
}

function source({ body, start }: Batch, place: RecordPosition | undefined): SourceRecord {
  const { from = 0, to = 0, line = 0 } = place ?? {}
  return { text: body.subarray(from, to), offset: start.offset + from, line: start.line + line }
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isSpace(text.charCodeAt(at))) return false
  return true
}

function lineEnds(text: string, from: number, to: number): number {
  if (to === 0 || text[to - 1] !== '\n') return lineFeeds(text, from, to)
  return 1 + lineFeeds(text, from, to - 1)
}
