import { LINE_FEED } from '../../text/bytes.js'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { findPath } from '../../wire/json/members.js'
import type { Batch, UnmatchedRecords } from '../batch.js'
import { latin1Paths } from '../mapping/epoch.js'
import type { EventMapping } from '../mapping/event-mapping.js'
import { afterZeros, withoutZeroRuns } from '../zeros.js'
import { withoutColors } from './colors.js'
import { sources } from './conversion.js'
import { EventText, type EventTimeText, ensureUtf8 } from './event-text.js'
import { type LastTime, setLastTime, timeInFront } from './last-time.js'
import { lineLevel } from './line-level.js'
import { traceLevel } from './multiline/crash.js'
import { EventLines, isBlankIn, lineIn } from './multiline/event-lines.js'
import { ANY_LINE } from './multiline/event-start.js'

/** The estimated size of what is added to a line: the keys of the event. */
const ADDED_BYTES = 64
const MAX_SHOWN = 200
/** The first object is looked for in this many bytes. */
const MAX_HEAD = 64 * 1024
const REASON = 'it is not a JSON object'

/** An event of a batch: an object, or other lines. */
interface Extent {
  readonly from: number
  /** The end of its content. */
  to: number
  /** The line in the batch, from 0. */
  readonly line: number
  readonly isObject: boolean
  /** The number of lines of the event. */
  lines: number
}

interface StrayOptions {
  /** The meaning of the fields of the objects. */
  readonly mapping: EventMapping
  /** Returns the time of the last write to the input, in nanoseconds since 1970. */
  lastWritten(): bigint
}

/**
 * Reads batches of NDJSON in which lines that do not begin like an object are events with a `message`: banners, and the
 * stack traces of a crash, whose lines are joined. They get the time of the object in front of them, or of the first one.
 * Objects, even if malformed, stay unchanged.
 */
export class StrayLines {
  readonly last: LastTime
  /** The path of the time of the objects. */
  private readonly path: readonly string[]
  private readonly lastWritten: () => bigint

  /** `head` is the beginning of the input. */
  constructor(head: Buffer, { mapping: { timestampField = '_time' }, lastWritten }: StrayOptions) {
    const [first = ''] = /^[ \t]*\{.*/m.exec(head.toString('latin1', 0, MAX_HEAD)) ?? []
    const paths = latin1Paths(timestampField)
    this.path = paths.find((path) => findPath(first, path) !== undefined) ?? paths.at(-1)!
    this.last = { time: timeAt(this.path, first), isLive: false }
    this.lastWritten = lastWritten
  }

  read(batch: Batch): Batch {
    const { path, last, lastWritten } = this
    const timeBefore = last.time
    const found =
      batch.strays === undefined
        ? { batch, time: last.time && lastTimeIn(batch.body, path) }
        : withMessages(batch, { path, time: timeInFront(last, lastWritten) })
    setLastTime(last, found.time ?? timeBefore, lastWritten)
    return { ...found.batch, start: { ...batch.start, time: timeBefore }, lastTime: last.time }
  }
}

/** Returns the time of an object as it is written; undefined when there is none. */
function timeAt(path: readonly string[], object: string): EventTimeText | undefined {
  const { from, to } = findPath(object, path) ?? { from: 0, to: 0 }
  const text = object.slice(from, to)
  return text === '' || text === 'null' ? undefined : { text, isJson: true }
}

/** Returns the time of the last object that has one. */
function lastTimeIn(body: Buffer, path: readonly string[]): EventTimeText | undefined {
  for (let end = body.length; end > 0; ) {
    const start = body.lastIndexOf(LINE_FEED, end - 1) + 1
    const time = timeAt(path, body.toString('latin1', start, end))
    if (time !== undefined) return time
    end = start - 1
  }
  return undefined
}

/** Returns a batch in which the lines that are not objects are events, and the time of the last object. */
function withMessages(
  batch: Batch,
  { path, time }: { readonly path: readonly string[]; readonly time: EventTimeText | undefined },
): { readonly batch: Batch; readonly time: EventTimeText | undefined } {
  const text = batch.body.toString('latin1')
  const extents = extentsIn(text)
  const event = new EventText()
  const body = new ByteWriter(text.length + extents.length * ADDED_BYTES)
  let lastTime: EventTimeText | undefined
  for (const { from, to, isObject } of extents) {
    const record = withoutColors(text.slice(afterZeros(text, from), to))
    if (isObject) {
      body.addLatin1(record)
      lastTime = timeAt(path, record) ?? lastTime
    } else {
      const message = ensureUtf8(withoutZeroRuns(record).replaceAll('\r\n', '\n'))
      body.addLatin1(messageEvent(message, { event, path, time: lastTime ?? time }))
    }
    body.addLineFeed()
  }
  const { written } = body
  const strays = extents.filter(({ isObject }) => !isObject)
  return {
    time: lastTime,
    batch: {
      ...batch,
      body: written,
      events: extents.length,
      joined: strays.filter(({ lines }) => lines > 1).length,
      unmatched: unmatchedIn(text, strays, batch),
      source: sources(batch, { records: extents.flatMap(({ from, to }) => [from, to]), written }),
    },
  }
}

/** Returns the extents of the events in a text. */
function extentsIn(text: string): readonly Extent[] {
  const lines = new EventLines(ANY_LINE)
  const found: Extent[] = []
  let at = 0
  for (let line = 0; at < text.length; line++) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    const to = text[end - 1] === '\r' ? end - 1 : end
    const isObject = beginsObject(text, afterZeros(text, at), end)
    if (isObject) lines.end()
    const assignment = isObject
      ? 'starts'
      : lines.add(lineIn(text, { from: at, to: end, hasTail: false }))
    const last = found.at(-1)
    if (assignment === 'starts') found.push({ from: at, to, line, isObject, lines: 1 })
    else if (assignment === 'continues' && last && !isBlankIn(text, at, to)) {
      last.to = to
      last.lines = line - last.line + 1
    }
    if (isObject) lines.end()
    at = end + 1
  }
  return found
}

function beginsObject(text: string, from: number, to: number): boolean {
  const head = text.slice(from, Math.min(to, from + MAX_SHOWN))
  return withoutColors(head).trimStart().startsWith('{')
}

interface MessageOptions {
  readonly event: EventText
  /** The path of the time in objects, and the time of the object in front. */
  readonly path: readonly string[]
  readonly time: EventTimeText | undefined
}

function messageEvent(record: string, { event, path, time }: MessageOptions): string {
  const level = traceLevel(record) ?? lineLevel(record)
  if (level !== undefined) event.text('level', level)
  event.text('message', record)
  const [name = '', ...keys] = path
  if (time !== undefined && name !== 'level' && name !== 'message') {
    const value = time.isJson ? time.text : JSON.stringify(time.text)
    event.json(
      name,
      keys.reduceRight((inner, key) => `{${JSON.stringify(key)}:${inner}}`, value),
    )
  }
  return event.take()
}

function unmatchedIn(
  text: string,
  strays: readonly Extent[],
  { start }: Batch,
): UnmatchedRecords | undefined {
  const [first] = strays
  if (first === undefined) return undefined
  const { from, line } = first
  const shown = Buffer.from(text.slice(from, from + MAX_SHOWN), 'latin1').toString('utf8')
  return {
    events: strays.length,
    first: {
      line: start.line + line,
      reason: REASON,
      text: withoutColors(shown.split('\n', 1)[0]!),
    },
  }
}
