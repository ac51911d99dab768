import { LINE_FEED } from '../../text/bytes.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import type { Batch, SourceRecord } from '../batch.js'
import type { SpareBuffers } from '../buffer-pool.js'
import { type ConvertedRecords, convertRecords } from './convert-records.js'
import type { Conversion } from './log-format.js'

/** The size of the buffer for events, as a multiple of the length of the records. */
export const GROWTH = 2

/**
 * Converts a batch of log records to one of JSON objects, one per line. Returns undefined when the batch has only blank
 * lines. The body is taken from `spare`, and given back when the batch is released.
 */
export function convertBatch(
  batch: Batch,
  conversion: Conversion,
  spare: SpareBuffers,
): Batch | undefined {
  const records = { body: batch.body, extents: batch.extents ?? [], line: batch.start.line }
  const output = spare.take(batch.body.length * GROWTH)
  const converted = convertRecords(records, conversion, output)
  return convertedBatch(batch, {
    conversion,
    converted,
    release() {
      spare.give(converted.output)
      batch.release()
    },
  })
}

/** Returns the batch with the events of its records. When there are no events, releases the batch and returns undefined. */
export function convertedBatch(
  batch: Batch,
  {
    conversion: { format, name },
    converted,
    release,
  }: {
    conversion: Pick<Conversion, 'format' | 'name'>
    converted: ConvertedRecords
    release(): void
  },
): Batch | undefined {
  const { output, length, records, joined, fields, lineTime, unmatched, timeBefore, last } =
    converted
  if (records.length === 0) {
    release()
    return undefined
  }
  const body = output.subarray(0, length)
  return {
    ...batch,
    start: { ...batch.start, time: timeBefore },
    lastTime: last?.time,
    contentType: 'application/x-ndjson',
    format,
    formatName: name,
    formatFields: fields,
    joined,
    body,
    events: records.length / 2,
    source: sources(batch, { records, written: body }),
    release,
    lineTime,
    unmatched,
  }
}

/** The records of a batch, each with its start and its end, and their events. */
interface Converted {
  readonly records: ArrayLike<number>
  readonly written: Buffer
}

/** Returns a function that returns the record of an event. Lines are counted at the first call. */
function sources(
  { body, start }: Batch,
  { records, written }: Converted,
): (index: number) => SourceRecord {
  let places: readonly RecordPlace[] | undefined
  return (index) => {
    places ??= recordPlaces(body, { records, written })
    const { [index * 2]: from = 0, [index * 2 + 1]: to = 0 } = records
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
