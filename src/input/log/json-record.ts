import { parseEventTime } from '../../wire/event/event-time.js'
import { isJsonObject, parseJson } from '../../wire/json/json-object.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { mappingRewriter } from '../mapping/detect-mapping.js'
import { editedText } from '../mapping/edit.js'
import { fieldFinder } from '../mapping/epoch.js'
import type { EventMapping } from '../mapping/event-mapping.js'
import type { Conversion, LineReader } from './log-format.js'
import { ANY_LINE, type EventStart } from './multiline/event-start.js'
import type { EventTimeReading } from './time/line-layout.js'

const OPENING = /^\s*\{/
/** The beginning of an object as loggers write it; other text may begin with a brace. */
const OBJECT = /^\s*\{\s*["}]/

export function beginsObject(line: string): boolean {
  return OBJECT.test(line)
}

/** The keys that rewriting an object may add. */
const REWRITTEN = ['_time', 'level', 'severity_text']

interface JsonOptions extends EventTimeReading {
  readonly mapping: EventMapping
  /** True when a malformed object is sent unchanged, for the service to reject. */
  readonly rejectsBroken?: boolean
}

/** Extends a conversion of lines by JSON objects between the lines; each object is an event, with its time and its level. */
export function withJsonRecords(inner: Conversion, options: JsonOptions): Conversion {
  const readObject = objectReader(options)
  return {
    ...inner,
    // The objects have their times in fields.
    lineTime: () => {
      const time = inner.lineTime?.()
      return time?.kind === 'none' ? undefined : time
    },
    start: startWithObjects(inner.start ?? ANY_LINE),
    read: (record, event) => {
      if (!OPENING.test(record)) return inner.read(record, event)
      const reason = readObject(record, event)
      if (reason === undefined) return undefined
      if (options.rejectsBroken && OBJECT.test(record) && !record.includes('\n')) {
        event.raw(record)
        return undefined
      }
      return inner.read(record, event)
    },
  }
}

function startWithObjects(start: EventStart): EventStart {
  return {
    ...start,
    isStart: (line, previous, first) =>
      OBJECT.test(line) || OBJECT.test(previous) || start.isStart(line, previous, first),
  }
}

/** Returns the reader of JSON objects, in latin1. */
export function objectReader({
  mapping,
  now,
  times = {},
  findsTime,
}: Omit<JsonOptions, 'rejectsBroken'>): LineReader {
  const { timestampField, timeLayout, ...level } = mapping
  const rewrite = mappingRewriter(findsTime ? mapping : level, { now: () => now, times })
  const isField = findsTime && timeLayout === undefined
  const findTime = isField ? fieldFinder(timestampField ?? '_time') : undefined
  let bytes = Buffer.alloc(0)
  return (written, event) => {
    // Line ends, which objects in wrapped lines may have, are white space outside strings, and invalid inside strings.
    const record = written.includes('\n') ? written.replaceAll(/[\r\n]/g, ' ') : written
    const object = parseJson(record)
    if (!isJsonObject(object)) return 'it is not a JSON object'
    if (bytes.length < record.length) bytes = Buffer.allocUnsafe(record.length * 2)
    const whole = { from: 0, to: bytes.write(record, 'latin1') }
    const member = findTime?.(bytes, whole)
    const time = member && timeText(record.slice(member.from, member.to))
    if (time !== undefined) {
      if (timestampField !== undefined) event.setTime(time)
      // The object keeps its time as a member; lines without a time behind it get the same time.
      else event.time ??= { text: time, isJson: false }
    }
    const keys = Object.keys(object)
    if (rewrite === undefined) event.members(record, keys)
    else {
      const edits = rewrite(bytes.subarray(0, whole.to))(whole, 0)
      event.members(editedText(record, edits), [...keys, ...REWRITTEN])
    }
    return undefined
  }
}

/** The JSON of most times in UTC, and its fraction without the zeros at its end. Later days of a month may not exist. */
const UTC =
  /^"((?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d)(?:(\.\d{0,8}[1-9])0{0,8}|\.0{1,9})?Z"$/

function timeText(json: string): string | undefined {
  // Parsing and formatting would take a fifth of the time of an object.
  const [, second, fraction = ''] = UTC.exec(json) ?? []
  if (second !== undefined) return `${second}${fraction}Z`
  const value: unknown = json.startsWith('"') ? JSON.parse(json) : json
  const time = parseEventTime(String(value))
  return time === undefined ? undefined : formatTimestamp(time)
}
