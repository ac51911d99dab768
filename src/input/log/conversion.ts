import { isUtf8 } from 'node:buffer'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import type { Batch, SourceRecord, UnsendableEvent } from '../batch.js'
import { isSpace } from '../ndjson.js'
import { EventText, ensureUtf8 } from './event-text.js'
import type { Conversion, RecordExtent } from './log-format.js'

/** The position of a record in the batch; `line` counts from 0. */
interface RecordPosition extends RecordExtent {
  readonly line: number
}

/**
 * Converts a batch of log records to one of JSON objects, one per line. First yields the records that do not match the
 * format.
 */
export function* convertBatch(
  batch: Batch,
  { format, find, read }: Conversion,
): Generator<Batch | UnsendableEvent> {
  const text = batch.body.toString('latin1')
  const isClean = isUtf8(batch.body)
  const event = new EventText()
  const places: RecordPosition[] = []
  // Writing bytes at once avoids intermediate strings, whose collection would take most of the time.
  const body = new ByteWriter(batch.body.length * 2)
  let line = 0
  let records = 0
  for (let at = 0; at < text.length; ) {
    const { from, to, next } = find(text, at)
    if (!isBlank(text, from, to)) {
      const record = text.slice(from, to)
      const reason = read(isClean ? record : ensureUtf8(record), event)
      const json = event.take()
      if (reason === undefined) {
        places.push({ from, to, next, line })
        body.addLatin1(json)
        body.addLineFeed()
      } else {
        yield { ...unsendable(batch, { from, to, line, records, reason }), format }
      }
      records += 1
    }
    line += lineEnds(text, at, next)
    at = next
  }
  if (places.length === 0) {
    batch.release()
    return
  }
  yield {
    ...batch,
    contentType: 'application/x-ndjson',
    format,
    body: body.written,
    events: places.length,
    source: (index) => source(batch, places[index]),
  }
}

interface UnreadableRecord extends Pick<RecordPosition, 'from' | 'to' | 'line'> {
  /** Number of records of the batch in front of it. */
  readonly records: number
  readonly reason: string
}

function unsendable({ input, start, body }: Batch, misfit: UnreadableRecord): UnsendableEvent {
  const { from, to, line, records, reason } = misfit
  return {
    kind: 'unsendable',
    input,
    start: { line: start.line + line, event: start.event + records, offset: start.offset + from },
    hasLines: true,
    reason,
    text: Buffer.from(body.subarray(from, to)),
  }
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
