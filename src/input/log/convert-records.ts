import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { lineFeeds } from '../../wire/bytes/line-feeds.js'
import type { UnmatchedRecords } from '../batch.js'
import { EventText, type EventTimeText } from './event-text.js'
import { type LastTime, setLastTime, timeInFront } from './last-time.js'
import { messageLevel } from './line-level.js'
import type { Conversion, LineReader } from './log-format.js'
import { RecordTexts } from './record-texts.js'
import type { LineTime } from './time/line-layout.js'

/** The events of a batch of records, as plain data. */
export interface ConvertedRecords {
  /** JSON objects, one per line, in the first `length` bytes. */
  readonly output: Buffer
  readonly length: number
  /** The start and the end of each record, alternating. */
  readonly records: ArrayLike<number>
  /** The number of events that have several lines. */
  readonly joined: number
  readonly unmatched: UnmatchedRecords | undefined
  /** The times found so far. */
  readonly lineTime: LineTime | undefined
  /** The fields of the format of text found so far. */
  readonly fields: readonly string[] | undefined
  /** The time of the event in front of the batch, which events without a time get. */
  readonly timeBefore: EventTimeText | undefined
  /** The time of the last event; undefined when no event has one and the time in front of the batch is unknown. */
  readonly last: LastTime | undefined
}

/** Records that begin in line `line` of their input. */
interface Records {
  readonly body: Buffer
  /** The start and the end of each record, alternating. */
  readonly extents: ArrayLike<number>
  readonly line: number
  /** As `escapedBytes` returns them, if they are known. */
  readonly escapes?: Int32Array | undefined
}

/** The functions that find and read records, and describe what was found. */
type RecordConversion = Pick<
  Conversion,
  'read' | 'writeOther' | 'expand' | 'skip' | 'lineTime' | 'fields' | 'state' | 'lastWritten'
>

interface ConversionInput {
  readonly records: Records
  readonly conversion: RecordConversion
  readonly output: Buffer
}

/** The length of text that is written at once: many short writes are slow, and the garbage collector copies long texts. */
const WRITTEN_AT_ONCE = 16 * 1024

/**
 * Converts the records of a batch, which begins in line `line` of its input. A record that does not match the format becomes
 * a `message`, with its time if it could be read. An event without a time gets the time of the event in front of it. The events
 * are written to `output`, or to a larger buffer.
 */
export function convertRecords(
  records: Records,
  conversion: RecordConversion,
  output: Buffer,
): ConvertedRecords {
  // The time in front of the batch is known, so that there is a result.
  return convertRecordsAfter(conversion.state?.last, { records, conversion, output })!
}

/**
 * Converts like `convertRecords`, after an event with the time `before`. Returns undefined when this time is unknown and an event
 * needs it.
 */
export function convertRecordsAfter(
  before: LastTime | 'unknown' | undefined,
  { records: { line, body, extents, escapes }, conversion, output }: ConversionInput,
): ConvertedRecords | undefined {
  const { read, writeOther = writeMessage, expand, skip, state, lastWritten } = conversion
  const known = before === 'unknown' ? undefined : before
  const last: LastTime = { time: known?.time, isLive: known?.isLive === true }
  const timeBefore = last.time
  let lastTime = timeBefore
  let time = timeInFront(last, lastWritten)
  const texts = new RecordTexts(body, extents, escapes)
  const event = new EventText()
  const writer = new ByteWriter(output)
  const records: number[] = []
  let unmatched: UnmatchedRecords | undefined
  let joined = 0
  /** The end of the last record. */
  let end = 0
  for (let index = 0; index < extents.length; index += 2) {
    const from = extents[index]!
    const to = extents[index + 1]!
    // Directives may be between records.
    if (skip !== undefined && from > end + 2) skip(body.subarray(end, from))
    end = to
    if (expand !== undefined) writer.addLatin1(event.takeLines())
    const expanded = expand?.(body.subarray(from, to), writer)
    if (typeof expanded === 'number') {
      for (let i = 0; i < expanded; i++) records.push(from, to)
      continue
    }
    const record = texts.read(from, to)
    event.isPlain = texts.isPlain
    const reason = expanded ?? readRecord(read, record, event)
    if (reason !== undefined) {
      writeOther(record, event)
      const { events, first } = unmatched ?? { events: 0, first: undefined }
      const place = first ?? { line: line + linesBefore(body, from), reason, text: shown(record) }
      unmatched = { events: events + 1, first: place }
    }
    if (event.time !== undefined) {
      if (state !== undefined) time = lastTime = event.time
    } else if (time !== undefined) event.inheritTime(time)
    else if (before === 'unknown') return undefined
    records.push(from, to)
    if (texts.hasLines) joined += 1
    if (event.endLine() > WRITTEN_AT_ONCE) writer.addLatin1(event.takeLines())
  }
  writer.addLatin1(event.takeLines())
  skip?.(body.subarray(end))
  setLastTime(last, lastTime, lastWritten)
  if (state !== undefined) Object.assign(state.last, last)
  return {
    output: writer.bytes,
    length: writer.size,
    records,
    joined,
    unmatched,
    timeBefore,
    lineTime: conversion.lineTime?.(),
    fields: conversion.fields?.(),
    last: before === 'unknown' && lastTime === undefined ? undefined : last,
  }
}

/** Reads a record. Regular expressions run out of memory for some values of tens of megabytes. */
function readRecord(read: LineReader, record: string, event: EventText): string | undefined {
  try {
    return read(record, event)
  } catch (error) {
    if (error instanceof RangeError) return 'it is too long'
    throw error
  }
}

/** Writes a record that does not match the format; keeps the time that was read. */
function writeMessage(record: string, event: EventText): void {
  event.discard()
  const level = messageLevel(record)
  if (level !== undefined) event.text('level', level)
  event.text('message', record)
}

function linesBefore(body: Buffer, at: number): number {
  return lineFeeds(body.toString('latin1', 0, at), 0, at)
}

const MAX_SHOWN = 200

/** Decodes the start of the first line of a record, which may be as long as the batch. */
function shown(record: string): string {
  const [line = ''] = record.slice(0, MAX_SHOWN).split('\n', 1)
  return Buffer.from(line, 'latin1').toString('utf8')
}
