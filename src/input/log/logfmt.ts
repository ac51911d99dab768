import { QUOTE, SPACE } from '../../text/bytes.js'
import { matchAt } from '../../text/match-at.js'
import { ownValue } from '../../text/own-value.js'
import { cellValue } from '../../wire/csv/csv-cell.js'
import { parseEventTime } from '../../wire/event/event-time.js'
import { parseJson } from '../../wire/json/json-object.js'
import { ZONE_HOURS } from '../../wire/time/time-pattern.js'
import { instantOfClock, type TimeZone } from '../../wire/time/time-zone.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { type EventText, ensureUtf8 } from './event-text.js'
import { normalLevel } from './level.js'
import type { LineReader } from './log-format.js'
import { beginsException } from './multiline/crash.js'
import { ANY_LINE, type EventStart } from './multiline/event-start.js'
import { closingQuote, decodeEscapes } from './quoted.js'
import { KEY, QUOTED, separatedPairs } from './separated-pairs.js'
import type { EventTimeReading } from './time/line-layout.js'
import { hasWrittenZone } from './time/line-zone.js'

const EQUALS = 0x3d
/** The keys whose value may be the time of an event. */
export const TIME_KEYS: readonly string[] = ['ts', 'time', 'timestamp']
/** The date and the clock at the beginning of the lines of devices of Fortinet and Sophos, and their zone, which may be a name. */
const DEVICE_TIME =
  /^(?:device="\w{1,20}" )?date=(\d{4}-\d\d-\d\d) time=(\d\d:\d\d:\d\d(?:\.\d{1,9})?) (?:.{0,2000}?\b(?:tz|timezone)="(?:([+-]\d\d)(\d\d)?|([A-Z]{3,4}))")?/
/** A date and a clock without quotes around them, as formatters of Python write them. */
const SPACED_TIME =
  /\d{4}[-/]\d\d[-/]\d\d \d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z| ?[+-]\d\d:?\d\d)?(?= |$)/y
/** The keys of messages, to which the lines of a stack trace are added. */
const MESSAGE_KEYS: readonly string[] = ['msg', 'message']

const LEVEL_KEY = 'level'
/** Keys of levels of InfluxDB and log15, and of Heroku. */
const LEVEL_KEYS: readonly string[] = ['lvl', 'at']

const PAIR = /^\s{0,16}[A-Za-z_@][\w.@/-]{0,128}=/
/** A pair with which most loggers begin a line, unlike a line of another format. */
const USUAL_PAIR = /^(?:time|ts|t|timestamp|date|level|lvl|severity|msg|at|_time)=[^\s=]/

/** True for a line that begins with a pair of a complete time; `time` may also be a duration. */
export function beginsWithTimePair(line: string): boolean {
  return /^(?:ts|time|timestamp)=["']?(?:\d{4}-\d\d-\d\d[T ]|1\d{9})/.test(line)
}

/** True for a line that begins with a pair of a time, a level or a message. */
export function beginsWithUsualPair(line: string): boolean {
  return USUAL_PAIR.test(line)
}

/**
 * Returns a line of pairs that a comma, a semicolon, a bar or a tab separates, as FortiGate's `a=1,b="c d",e=f g`, with spaces
 * between the pairs, and a line with a message of several words with quotes around it; other lines unchanged.
 */
export function normalizedPairs(line: string): string {
  const isElement = line.endsWith(',') && ENDS_ELEMENT.test(line)
  return separatedPairs(line) ?? withQuotedMessage(isElement ? line.slice(0, -1) : line)
}

/** The end of an element of a list: a comma after a pair, but not in a message of several words or a value with other commas. */
const ENDS_ELEMENT = /(?:["']|=[^\s",=]{1,100}),$/

/** The key of a message without quotes, whose second word is not another pair. */
const MESSAGE_KEY = new RegExp(
  `(?<=^|[\\s,;|])(?:msg|message)=(?=[^\\s"'[{(]\\S*\\s+(?!${KEY}=)\\S)`,
)
const PAIR_OR_WORD = new RegExp(`\\s*(?:(${KEY}=(?:${QUOTED}|[^\\s"]*)(?!\\S))|\\S+)`, 'g')
const OUTSIDE_QUOTES = new RegExp(`^(?:[^"]|${QUOTED})*$`)

/**
 * Patterns of Java and Python end with `message=%m`: returns such a line with quotes around the message, without the pairs at
 * the end of the line; other lines unchanged.
 */
function withQuotedMessage(line: string): string {
  const key = MESSAGE_KEY.exec(line)
  if (key === null) return line
  const start = key.index + key[0].length
  const head = line.slice(0, start)
  if (!OUTSIDE_QUOTES.test(head)) return line
  const words = Array.from(line.slice(start).matchAll(PAIR_OR_WORD))
  const last = words.findLast(([, pair]) => pair === undefined)!
  const end = start + last.index + last[0].length
  const message = JSON.stringify(line.slice(start, end))
  return `${separatedPairs(head) ?? head}${message}${line.slice(end)}`
}

/** The first lines of crashes that do not look like continuations: Go, Java and Rust. */
const CRASH = /^(?:panic: |fatal error: |Exception in thread |thread ')/

/** A line with a pair begins an event, and the stack trace after it continues the event; other lines are events of their own. */
export const LOGFMT_START: EventStart = {
  isStart: (line, previous) =>
    PAIR.test(line) ||
    (ANY_LINE.isStart(line, previous) &&
      !(PAIR.test(previous) && (CRASH.test(line) || beginsException(line)))),
}

/**
 * Reads `level=info msg="it works" took=12 cached`; single quotes are like double quotes, and a key without a value is true. The first of `ts`, `time` and
 * `timestamp` that holds a time becomes `_time`, unless `findsTime` is false. A time without a zone is in the zone of `times`.
 * Further lines are added to the message.
 */
export function logfmtReader({
  findsTime,
  times: { zone } = {},
}: Pick<EventTimeReading, 'findsTime' | 'times'>): LineReader {
  const inZone = (json: string) => (zone === undefined ? json : timeIn(zone, json))
  return (record, event) => {
    const newline = record.indexOf('\n')
    const line = normalizedPairs(newline === -1 ? record : record.slice(0, newline))
    let trace = newline === -1 ? '' : record.slice(newline)
    let at = 0
    let pairs = 0
    let needsTime = findsTime && !line.includes('_time=')
    const deviceTime = needsTime ? deviceTimeOf(line) : undefined
    if (deviceTime !== undefined) {
      event.writeTime({ text: inZone(deviceTime), isJson: true })
      needsTime = false
    }
    while (at < line.length) {
      if (line.charCodeAt(at) <= SPACE) {
        at += 1
        continue
      }
      const start = at
      at = keyEnd(line, at)
      const key = line.slice(start, at)
      if (key === '') return `\`${line[at]}\` found where a key is expected`
      if (line.charCodeAt(at) === QUOTE) return 'a key contains a quote'
      if (line.charCodeAt(at) !== EQUALS) {
        event.json(key, 'true')
        continue
      }
      const single = singleQuoted(line, at + 1)
      const isQuoted = single !== undefined || line.charCodeAt(at + 1) === QUOTE
      const end =
        single !== undefined
          ? at + 1 + single.length
          : isQuoted
            ? closingQuote(line, at + 2) + 1
            : bareEnd(line, at + 1, key)
      if (end === 0) return `the quote after \`${key}=\` is never closed`
      if (line.charCodeAt(end) > SPACE)
        return `the value of \`${key}\` has text after its closing quote`
      const value = line.slice(at + 1, end)
      const isTime = needsTime && TIME_KEYS.includes(key) && isLikelyTime(value)
      if (isTime) needsTime = false
      const json = isQuoted ? quotedValue(value) : cellValue(value)
      if (trace !== '' && MESSAGE_KEYS.includes(key)) {
        event.json(key, withTrace(json, trace))
        trace = ''
      } else if (key === LEVEL_KEY && !line.includes('severity_text='))
        writeLevel(isQuoted ? value.slice(1, -1) : value, json, event)
      else if (isTime) event.writeTime({ text: inZone(json), isJson: true })
      else event.json(key, json)
      if (LEVEL_KEYS.includes(key) && !line.includes('level=')) addLevel(json, event)
      pairs += 1
      at = end
    }
    if (trace !== '') event.text('message', trace.trim())
    return pairs > 0 ? undefined : 'it has no `key=value` pair'
  }
}

/** Returns the end of a value without quotes: of a date and a clock, or of a list. */
function bareEnd(line: string, start: number, key: string): number {
  const time = TIME_KEYS.includes(key) ? matchAt(SPACED_TIME, line, start) : null
  return time ? SPACED_TIME.lastIndex : listEnd(line, start)
}

/** Writes a normalized level, and `severity_text` if it was written as another word; another value is kept. */
export function writeLevel(text: string, json: string, event: EventText): void {
  // A single letter may be anything.
  const level = text.length > 1 ? normalLevel(text) : undefined
  if (level === undefined) {
    event.json(LEVEL_KEY, json)
    return
  }
  event.text(LEVEL_KEY, level)
  if (level !== text.toLowerCase()) event.json('severity_text', json)
}

/** Adds the normalized level that a value of another field means. */
function addLevel(json: string, event: EventText): void {
  const text = String(JSON.parse(json))
  const level = text.length > 1 ? normalLevel(text) : undefined
  if (level !== undefined) event.text(LEVEL_KEY, level)
}

/** Returns the JSON of a value with the lines that follow it. */
function withTrace(json: string, trace: string): string {
  const value: unknown = JSON.parse(json)
  return JSON.stringify(`${typeof value === 'string' ? value : json}${trace}`)
}

/** Returns the time of a line of a device of Fortinet or Sophos as JSON; undefined for other lines. */
function deviceTimeOf(line: string): string | undefined {
  const [whole, date, clock, hours, minutes = '00', zone = ''] = DEVICE_TIME.exec(line) ?? []
  if (whole === undefined) return undefined
  return `"${date}T${clock}${hours === undefined ? offsetOf(zone) : `${hours}:${minutes}`}"`
}

/** Returns the offset of an abbreviation of a zone; an empty string for an unknown one. */
function offsetOf(zone: string): string {
  const hours = ownValue(ZONE_HOURS, zone)
  if (hours === undefined) return ''
  return `${hours < 0 ? '-' : '+'}${String(Math.abs(hours)).padStart(2, '0')}:00`
}

function keyEnd(line: string, from: number): number {
  let at = from
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code <= SPACE || code === EQUALS || code === QUOTE) break
  }
  return at
}

const SINGLE_QUOTE = 0x27
const SINGLE_QUOTED = /'(?:[^'\\]|\\.)*'(?=\s|$)/y

/** Returns the value in single quotes at a position, as structlog writes them; undefined for another value. */
function singleQuoted(line: string, at: number): string | undefined {
  if (line.charCodeAt(at) !== SINGLE_QUOTE) return undefined
  return matchAt(SINGLE_QUOTED, line, at)?.[0]
}

/** Returns the end of a value; the lists and dictionaries of Python may contain spaces. */
function listEnd(line: string, from: number): number {
  const end = wordEnd(line, from)
  if (!'[{('.includes(line.charAt(from)) || from === end) return end
  let depth = 0
  for (let at = from; at < line.length; at++) {
    const character = line.charAt(at)
    if ('[{('.includes(character)) depth += 1
    else if (']})'.includes(character)) depth -= 1
    if (depth === 0)
      return at + 1 === line.length || line.charCodeAt(at + 1) <= SPACE ? at + 1 : end
  }
  return end
}

function wordEnd(line: string, from: number): number {
  let at = from
  while (at < line.length && line.charCodeAt(at) > SPACE) at += 1
  return at
}

/** Returns the JSON of a quoted value. Most values are valid JSON and stay unchanged. */
function quotedValue(quoted: string): string {
  if (!quoted.includes('\\')) return JSON.stringify(quoted.slice(1, -1))
  if (parseJson(quoted) !== undefined) return quoted
  // Go writes bytes as `\x1b`, and control characters unescaped.
  return JSON.stringify(ensureUtf8(decodeEscapes(quoted.slice(1, -1))))
}

/** Returns a time without a zone as JSON in RFC 3339; other times unchanged. */
export function timeIn(zone: TimeZone, json: string): string {
  const text = String(JSON.parse(json))
  const time = hasWrittenZone(text) ? undefined : parseEventTime(text)
  return time === undefined ? json : JSON.stringify(formatTimestamp(instantOfClock(time, zone)))
}

/** A time as most loggers write it, on a day that each month has. */
const USUAL_TIME =
  /^"?20\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)"?$/

/** True for a point in time; `time` often holds a duration. */
export function isLikelyTime(value: string): boolean {
  // Parsing other times takes ten times as long.
  if (USUAL_TIME.test(value)) return true
  const text = value.replace(/^["']|["']$/g, '')
  const isNumber = /^[\d.]+$/.test(text)
  return (!isNumber || /^\d{9,}/.test(text)) && parseEventTime(text) !== undefined
}
