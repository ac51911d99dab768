import { isUtf8 } from 'node:buffer'
import { cellValue } from '../../wire/csv/csv-cell.js'

/** The end of what was written: of an event, of a value, or of a text whose quote is still open. */
const EVENT = 0
const VALUE = 1
const OPEN_TEXT = 2
type Place = typeof EVENT | typeof VALUE | typeof OPEN_TEXT

const SEPARATORS = ['{', ',', '",'] as const
const ENDS = ['{}', '}', '"}'] as const
const LINE_ENDS = ['{}\n', '}\n', '"}\n'] as const

/**
 * Builds the JSON of events. All text is latin1, one character per byte: the delimiters of logs and of JSON are ASCII,
 * and the bytes between them are not changed. Concatenations take most of the time, so the quote after a text is written
 * with the key that follows.
 */
export class EventText {
  /** True while no text of the event needs an escape, because the record that it is made of needs none. */
  isPlain = false
  private written = ''
  private place: Place = EVENT
  /** The lines of the events before the current one. */
  private lines = ''
  private timeJson = ''
  private timeText = ''

  /** Adds a member whose value is JSON. */
  json(key: string, value: string): void {
    this.written += prefixes(key).json[this.place] + value
    this.place = VALUE
  }

  text(key: string, value: string): void {
    this.written += prefixes(key).text[this.place] + (this.isPlain ? value : escaped(value))
    this.place = OPEN_TEXT
  }

  /** Adds the members of an object, which is JSON. */
  members(object: string): void {
    const members = object.slice(object.indexOf('{') + 1, object.lastIndexOf('}'))
    if (members.trim() === '') return
    this.written += SEPARATORS[this.place] + members
    this.place = VALUE
  }

  /** Adds `_time`, in RFC 3339; `discard` keeps it. */
  time(time: string): void {
    this.text('_time', time)
    this.timeText = time
  }

  /** Adds `_time`, whose value is JSON; `discard` keeps it. */
  jsonTime(value: string): void {
    this.json('_time', value)
    this.timeJson = value
  }

  /** Removes all members but `_time`. */
  discard(): void {
    this.written = this.lines
    this.place = EVENT
    if (this.timeText !== '') this.text('_time', this.timeText)
    else if (this.timeJson !== '') this.json('_time', this.timeJson)
  }

  /** Adds a number or a boolean if the text is one without doubt, as in CSV; a string otherwise. */
  plain(key: string, value: string): void {
    this.json(key, cellValue(value))
  }

  /** Returns the JSON and starts the next event. */
  take(): string {
    const text = this.written + ENDS[this.place]
    this.start('')
    return text
  }

  /** Ends the line of the event and starts the next one. Returns the length of the lines since `takeLines`. */
  endLine(): number {
    this.start(this.written + LINE_ENDS[this.place])
    return this.lines.length
  }

  takeLines(): string {
    const { lines } = this
    this.start('')
    return lines
  }

  private start(lines: string): void {
    this.written = this.lines = lines
    this.place = EVENT
    this.timeJson = this.timeText = ''
  }
}

/** Writes the time of a line, in RFC 3339. */
export type TimeWriter = (time: string, event: EventText) => void

/** Returns the writer of `_time`, or, when another field is the event time, of the field `time`. */
export function timeWriter({ findsTime }: { readonly findsTime: boolean }): TimeWriter {
  return findsTime ? (time, event) => event.time(time) : (time, event) => event.text('time', time)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters.
const ESCAPED = /["\\\u0000-\u001f]/

/** Returns latin1 text as JSON without its quotes. Searching is faster than encoding, and few values need it. */
function escaped(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

/** The texts in front of a value, each by the end of what was written before. */
interface Prefixes {
  readonly json: readonly [string, string, string]
  readonly text: readonly [string, string, string]
}

/** Logs have few keys; the limit bounds memory for hostile ones. */
const MAX_KEYS = 1000
const PREFIXES = new Map<string, Prefixes>()

function prefixes(key: string): Prefixes {
  const known = PREFIXES.get(key)
  if (known !== undefined) return known
  const name = JSON.stringify(key)
  const [first, afterValue, afterText] = SEPARATORS
  const found: Prefixes = {
    json: [`${first}${name}:`, `${afterValue}${name}:`, `${afterText}${name}:`],
    text: [`${first}${name}:"`, `${afterValue}${name}:"`, `${afterText}${name}:"`],
  }
  if (PREFIXES.size < MAX_KEYS) PREFIXES.set(key, found)
  return found
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII = /^[\u0000-\u007f]*$/

/**
 * Returns latin1 text whose bytes are valid UTF-8: unchanged if they are, else each byte encoded as a character of
 * latin1.
 */
export function ensureUtf8(text: string): string {
  if (ASCII.test(text) || isUtf8(Buffer.from(text, 'latin1'))) return text
  return Buffer.from(text).toString('latin1')
}
