import { isUtf8 } from 'node:buffer'
import { cellValue } from '../../wire/csv/csv-cell.js'

/**
 * Builds the JSON of an event. All text is latin1, one character per byte: the delimiters of logs and of JSON are
 * ASCII, and the bytes between them are not changed.
 */
export class EventText {
  private written = ''
  private timeMember = ''

  /** Adds a member whose value is JSON. */
  json(key: string, value: string): void {
    this.written += (this.written === '' ? '' : ',') + keyText(key) + value
  }

  text(key: string, value: string): void {
    this.json(key, quoted(value))
  }

  /** Adds the members of an object, which is JSON. */
  members(object: string): void {
    const members = object.slice(object.indexOf('{') + 1, object.lastIndexOf('}'))
    if (members.trim() !== '') this.written += (this.written === '' ? '' : ',') + members
  }

  /** Adds `_time`, whose value is JSON; `discard` keeps it. */
  time(value: string): void {
    this.json('_time', value)
    this.timeMember = `"_time":${value}`
  }

  /** Removes all members but `_time`. */
  discard(): void {
    this.written = this.timeMember
  }

  /** Adds a number or a boolean if the text is one without doubt, as in CSV; a string otherwise. */
  plain(key: string, value: string): void {
    this.json(key, cellValue(value))
  }

  /** Returns the JSON and starts the next event. */
  take(): string {
    const { written } = this
    this.written = ''
    this.timeMember = ''
    return `{${written}}`
  }
}

/** Writes the time of a line, in RFC 3339. */
export type TimeWriter = (time: string, event: EventText) => void

/** Returns the writer of `_time`, or, when another field is the event time, of the field `time`. */
export function timeWriter({ findsTime }: { readonly findsTime: boolean }): TimeWriter {
  return findsTime
    ? (time, event) => event.time(quoted(time))
    : (time, event) => event.text('time', time)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters.
const ESCAPED = /["\\\u0000-\u001f]/

/** Returns latin1 text as a JSON string. Searching is faster than encoding, and few values need it. */
export function quoted(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** Logs have few keys; the limit bounds memory for hostile ones. */
const MAX_KEYS = 1000
const KEYS = new Map<string, string>()

function keyText(key: string): string {
  const known = KEYS.get(key)
  if (known !== undefined) return known
  const text = `${JSON.stringify(key)}:`
  if (KEYS.size < MAX_KEYS) KEYS.set(key, text)
  return text
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
