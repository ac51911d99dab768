import { QUOTE, SPACE } from '../../text/bytes.js'
import { cellValue } from '../../wire/csv/csv-cell.js'
import { parseEventTime } from '../../wire/event/event-time.js'
import { instantOfClock, type TimeZone } from '../../wire/time/time-zone.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { ensureUtf8 } from './event-text.js'
import type { LineReader } from './log-format.js'
import { closingQuote, decodeEscapes } from './quoted.js'
import type { TimeDefaults } from './time/line-layout.js'
import { hasWrittenZone } from './time/line-zone.js'

const EQUALS = 0x3d
const TIME_KEYS: readonly string[] = ['ts', 'time', 'timestamp']

/**
 * Reads `level=info msg="it works" took=12 cached`; a key without a value is true. The first of `ts`, `time` and
 * `timestamp` that holds a time becomes `_time`, unless `findsTime` is false. One that names no zone is in that of `times`.
 */
export function logfmtReader({
  findsTime,
  times: { zone } = {},
}: {
  readonly findsTime: boolean
  readonly times?: TimeDefaults | undefined
}): LineReader {
  return (line, event) => {
    let at = 0
    let pairs = 0
    let needsTime = findsTime && !line.includes('_time=')
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
      const isQuoted = line.charCodeAt(at + 1) === QUOTE
      const end = isQuoted ? closingQuote(line, at + 2) + 1 : wordEnd(line, at + 1)
      if (end === 0) return `the quote after \`${key}=\` is never closed`
      if (line.charCodeAt(end) > SPACE)
        return `the value of \`${key}\` has text after its closing quote`
      const value = line.slice(at + 1, end)
      const isTime = needsTime && TIME_KEYS.includes(key) && isLikelyTime(value)
      if (isTime) needsTime = false
      const json = isQuoted ? quotedValue(value) : cellValue(value)
      if (isTime) event.setJsonTime(zone === undefined ? json : timeIn(zone, json))
      else event.json(key, json)
      pairs += 1
      at = end
    }
    return pairs > 0 ? undefined : 'it has no `key=value` pair'
  }
}

function keyEnd(line: string, from: number): number {
  let at = from
  for (; at < line.length; at++) {
    const code = line.charCodeAt(at)
    if (code <= SPACE || code === EQUALS || code === QUOTE) break
  }
  return at
}

function wordEnd(line: string, from: number): number {
  let at = from
  while (at < line.length && line.charCodeAt(at) > SPACE) at += 1
  return at
}

/** Returns the JSON of a quoted value. Most are valid JSON and stay unchanged. */
function quotedValue(quoted: string): string {
  if (!quoted.includes('\\')) return JSON.stringify(quoted.slice(1, -1))
  try {
    JSON.parse(quoted)
    return quoted
  } catch {
    // Go writes bytes as `\x1b`, and control characters unescaped.
    return JSON.stringify(ensureUtf8(decodeEscapes(quoted.slice(1, -1))))
  }
}

/** Returns the JSON of a time in RFC 3339 if it names no zone, and unchanged otherwise. */
function timeIn(zone: TimeZone, json: string): string {
  const text = String(JSON.parse(json))
  const time = hasWrittenZone(text) ? undefined : parseEventTime(text)
  return time === undefined ? json : JSON.stringify(formatTimestamp(instantOfClock(time, zone)))
}

/** True for a point in time; `time` often holds a duration. */
function isLikelyTime(value: string): boolean {
  const text = value.replace(/^"|"$/g, '')
  const isNumber = /^[\d.]+$/.test(text)
  return (!isNumber || /^\d{9,}/.test(text)) && parseEventTime(text) !== undefined
}
