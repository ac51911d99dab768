import { CARRIAGE_RETURN, isSpace, LINE_FEED, OPEN_BRACE } from '../../text/bytes.js'
import { parseEventTime } from '../../wire/event/event-time.js'
import { findPath, whole } from '../../wire/json/json-bytes.js'
import type { TimeFormat } from '../../wire/time/time-format.js'
import type { Batch } from '../batch.js'
import { SpareBuffers } from '../buffer-pool.js'
import { latin1Paths } from '../mapping/epoch.js'
import type { EventMapping } from '../mapping/event-mapping.js'
import { afterZeros } from '../zeros.js'
import { mayHaveColors, withoutColors } from './colors.js'
import { convertBatch } from './conversion.js'
import type { EventText, EventTimeText } from './event-text.js'
import { type LastTime, setLastTime, timeInFront, unquoted } from './last-time.js'
import { lineLevel } from './line-level.js'
import type { Conversion } from './log-format.js'
import { tracebackLevel, traceLevel } from './multiline/crash.js'
import { ANY_LINE, type EventStart } from './multiline/event-start.js'
import { MultilineScanner } from './multiline/multiline-scanner.js'
import { recordExtents } from './record-texts.js'

const REASON = 'it is not a JSON object'
/** The first object is looked for in this many bytes. */
const MAX_HEAD = 64 * 1024

interface StrayOptions {
  /** The meaning of the fields of the objects. */
  readonly mapping: EventMapping
  /** The format of their times, if it was set. */
  readonly timeFormat: TimeFormat | undefined
  /** Returns the time of the last write to the input, in nanoseconds since 1970. */
  lastWritten(): bigint
}

/** Each object is an event, and other lines are events like lines of text. */
const START: EventStart = {
  isStart: (line, previous) =>
    beginsObject(line) || beginsObject(previous) || ANY_LINE.isStart(line, previous),
}

function beginsObject(line: string): boolean {
  return /^\s*\{/.test(line)
}

/** The time of objects. */
interface ObjectTime {
  readonly path: readonly string[]
  /** True when the first object has it, with any value. */
  readonly isThere: boolean
  /** Returns true for a time with which an event is stored. */
  isTime(time: EventTimeText): boolean
}

/**
 * Reads batches of NDJSON in which lines that do not begin like an object are events with a `message`: banners, and the
 * stack traces of a crash, whose lines are joined. They get the time of the object in front of them, or of the first one.
 * Objects, even if malformed, stay unchanged.
 */
export class StrayLines {
  readonly last: LastTime
  private readonly objectTime: ObjectTime
  private readonly lastWritten: () => bigint
  private readonly spare = new SpareBuffers()

  /** `head` is the beginning of the input. */
  constructor(head: Buffer, { mapping, timeFormat, lastWritten }: StrayOptions) {
    const { timestampField = '_time', timeLayout } = mapping
    const [line = ''] = /^[ \t]*\{.*/m.exec(head.toString('latin1', 0, MAX_HEAD)) ?? []
    const first = Buffer.from(line, 'latin1')
    const paths = latin1Paths(timestampField)
    const found = paths.find((path) => findPath(first, path, whole(first)) !== undefined)
    this.objectTime = {
      path: found ?? paths.at(-1)!,
      isThere: found !== undefined,
      // A time with a layout is rewritten later.
      isTime: (time) =>
        timeLayout !== undefined || parseEventTime(unquoted(time), timeFormat) !== undefined,
    }
    this.last = { time: timeAt(this.objectTime, first), isLive: false }
    this.lastWritten = lastWritten
  }

  read(batch: Batch): Batch {
    const { objectTime, last, lastWritten } = this
    const timeBefore = last.time
    const found =
      batch.strays === undefined
        ? { batch, time: objectTime.isThere ? lastTimeIn(batch.body, objectTime) : undefined }
        : this.withMessages(batch)
    setLastTime(last, found.time ?? timeBefore, lastWritten)
    return { ...found.batch, start: { ...batch.start, time: timeBefore }, lastTime: last.time }
  }

  /** Returns a batch in which the lines that are not objects are events, and the time of the last object. */
  private withMessages(batch: Batch) {
    const { objectTime, last, lastWritten } = this
    const { body } = batch
    const hasColors = mayHaveColors(body)
    let time: EventTimeText | undefined
    /** The objects whose times are not read yet: only the last one is needed. */
    let from = 0
    let to = 0
    const readTime = (): void => {
      time = lastTimeIn(body.subarray(from, to), objectTime) ?? time
      from = to
    }
    const inFront = timeInFront(last, lastWritten)
    const conversion: Conversion = {
      format: 'text',
      expand(record, events) {
        if (!hasColors && record[0] === OPEN_BRACE && !record.includes(LINE_FEED)) {
          events.addBytes(record)
          events.addLineFeed()
          to = record.byteOffset + record.length - body.byteOffset
          return 1
        }
        readTime()
        from = to = record.byteOffset + record.length - body.byteOffset
        const text = record.toString('latin1')
        const object = withoutColors(text.slice(afterZeros(text, 0)))
        if (!beginsObject(object) || object.includes('\n')) return REASON
        events.addLatin1(object)
        events.addLineFeed()
        time = timeAt(objectTime, Buffer.from(object, 'latin1')) ?? time
        return 1
      },
      read: () => REASON,
      writeOther: (record, event) =>
        writeMessage(record, event, { path: objectTime.path, time: time ?? inFront }),
    }
    const converted = convertBatch({ ...batch, extents: extentsIn(body) }, conversion, this.spare)!
    readTime()
    return { batch: { ...converted, format: undefined, extents: undefined }, time }
  }
}

/** Writes other lines, with the time of the object in front at the place where objects have it. */
function writeMessage(
  record: string,
  event: EventText,
  { path, time }: { readonly path: readonly string[]; readonly time: EventTimeText | undefined },
): void {
  const level = traceLevel(record) ?? lineLevel(record) ?? tracebackLevel(record)
  if (level !== undefined) event.text('level', level)
  event.text('message', record)
  const [name = '', ...keys] = path
  if (time === undefined || name === 'level' || name === 'message') return
  const value = time.isJson ? time.text : JSON.stringify(time.text)
  event.json(
    name,
    keys.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, value),
  )
}

/** Returns the start and the end of each record, alternating: a line that begins with a brace, or an event among other lines. */
function extentsIn(body: Buffer): readonly number[] {
  const extents: number[] = []
  /** The start of the lines since the last object. */
  let others = 0
  const addOthers = (to: number): void => {
    if (others === to) return
    const found = recordExtents(body.subarray(others, to), new MultilineScanner(START))
    for (const [index, at] of found.entries())
      extents.push(index % 2 === 0 ? others + at : contentEnd(body, others + at))
  }
  for (let at = 0; at < body.length; ) {
    const feed = body.indexOf(LINE_FEED, at)
    const end = feed === -1 ? body.length : feed
    if (body[at] === OPEN_BRACE) {
      addOthers(at)
      extents.push(at, body[end - 1] === CARRIAGE_RETURN ? end - 1 : end)
      others = Math.min(end + 1, body.length)
    }
    at = end + 1
  }
  addOthers(body.length)
  return extents
}

/** Returns the end of a record without the blank lines at its end. */
function contentEnd(body: Buffer, to: number): number {
  let at = to
  while (isSpace(body[at - 1] ?? 0)) at -= 1
  const feed = body.subarray(at, to).indexOf(LINE_FEED)
  if (feed === -1) return to
  return body[at + feed - 1] === CARRIAGE_RETURN ? at + feed - 1 : at + feed
}

/** Returns the time of an object as it is written; undefined when there is none that can be read. */
function timeAt(
  { path, isTime }: ObjectTime,
  bytes: Buffer,
  object = whole(bytes),
): EventTimeText | undefined {
  const { from, to } = findPath(bytes, path, object) ?? { from: 0, to: 0 }
  const time = { text: bytes.toString('latin1', from, to), isJson: true }
  return time.text === '' || time.text === 'null' || !isTime(time) ? undefined : time
}

/** Returns the time of the last object that has one. */
function lastTimeIn(body: Buffer, objectTime: ObjectTime): EventTimeText | undefined {
  for (let end = body.length; end > 0; ) {
    const start = body.lastIndexOf(LINE_FEED, end - 1) + 1
    const time = timeAt(objectTime, body, { from: start, to: end })
    if (time !== undefined) return time
    end = start - 1
  }
  return undefined
}
