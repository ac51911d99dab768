import { isUtf8 } from 'node:buffer'
import { isBareCell } from '../../wire/csv/csv-cell.js'

/** The position after the text written last: after an event, after a value, or in a string whose closing quote is not written. */
const EVENT = 0
const VALUE = 1
const OPEN_TEXT = 2
type Place = typeof EVENT | typeof VALUE | typeof OPEN_TEXT

/** A position in an event; members written after it can be removed. */
interface EventMark {
  readonly written: string
  readonly place: Place
  /** The number of keys in front of the mark. */
  readonly keys: number
  readonly time: EventTimeText | undefined
}

const START: EventMark = { written: '', place: EVENT, keys: 0, time: undefined }

/** The time of an event, in RFC 3339 or as JSON. */
export interface EventTimeText {
  readonly text: string
  readonly isJson: boolean
}

const SEPARATORS = ['{', ',', '",'] as const
const ENDS = ['{}', '}', '"}'] as const
const LINE_ENDS = ['{}\n', '}\n', '"}\n'] as const

/**
 * Builds the JSON of events. All text is latin1, one character per byte: the delimiters of logs and of JSON are ASCII,
 * and the bytes between them are not changed. Concatenations take most of the time, so the closing quote of a string is
 * written with the next key.
 */
export class EventText {
  /** True when the record has no characters that JSON escapes, so that the texts of the event need no escapes. */
  isPlain = false
  /** The current event. */
  private written = ''
  private place: Place = EVENT
  /**
   * The keys of its members, and keys that it may have: the first `keyCount` ones. The others are of earlier events, which tend to
   * have the same keys in the same order.
   */
  private readonly keys: string[] = []
  private readonly lastPrefixes: Prefixes[] = []
  private keyCount = 0
  /** True after a call of `members`, whose keys need not all be keys of the event. */
  private hasMembers = false
  /** The lines of the events before the current one; apart from it, because searching a text that was concatenated copies it. */
  private lines = ''
  /** The whole event, if it was set by `raw`. */
  private rawText: string | undefined
  /** The time of the event; undefined while it has none. */
  time: EventTimeText | undefined
  /** The position in `written` of the part of the event that is being read, such as the message of a line of syslog. */
  private partStart = 0

  /** Adds a member whose value is JSON. */
  json(key: string, value: string): void {
    this.written += this.add(key).json[this.place] + value
    this.place = VALUE
  }

  text(key: string, value: string): void {
    this.written += this.add(key).text[this.place] + (this.isPlain ? value : escaped(value))
    this.place = OPEN_TEXT
  }

  /** Adds the members of a JSON object. `keys` are the keys of the members; further keys do no harm. */
  members(object: string, keys: readonly string[]): void {
    const members = object.slice(object.indexOf('{') + 1, object.lastIndexOf('}'))
    if (members.trim() === '') return
    for (const key of keys) this.keys[this.keyCount++] = key
    this.written += SEPARATORS[this.place] + members
    this.hasMembers = true
    this.place = VALUE
  }

  /** Adds `_time`, in RFC 3339; `discard` keeps it. */
  setTime(text: string): void {
    this.writeTime({ text, isJson: false })
  }

  /** Like `setTime`, for a time in either form. */
  writeTime(time: EventTimeText): void {
    if (time.isJson) this.json('_time', time.text)
    else this.text('_time', time.text)
    this.time = time
  }

  /** Adds the time of another event, unless the event has one. */
  inheritTime(time: EventTimeText): void {
    if (this.rawText !== undefined || this.has('_time')) return
    this.writeTime(time)
  }

  /** Removes all members but `_time`. */
  discard(): void {
    this.clear()
    if (this.time !== undefined) this.writeTime(this.time)
  }

  mark(): EventMark {
    const { written, place, time, keyCount } = this
    return { written, place, time, keys: keyCount }
  }

  /** Removes all members that were written after a mark. */
  rollback({ written, place, time, keys }: EventMark): void {
    this.written = written
    this.place = place
    this.time = time
    this.keyCount = keys
  }

  /**
   * Renames members before a mark whose keys were written again after it: of repeated keys, only the first would be stored.
   */
  renameRepeated(mark: EventMark, keys: readonly string[], nameOf: (key: string) => string): void {
    let head = mark.written
    for (const key of keys) {
      if (!this.hasSince(mark, key)) continue
      const { name } = prefixes(key)
      const at = memberAt(head, name, this.partStart)
      if (at === -1) continue
      head = `${head.slice(0, at)}${JSON.stringify(nameOf(key))}:${head.slice(at + name.length)}`
    }
    if (head !== mark.written) this.written = head + this.written.slice(mark.written.length)
  }

  /** Reads a part of the event with another reader, which does not rename members in front of the part. */
  readPart(
    read: (text: string, event: EventText) => string | undefined,
    text: string,
  ): string | undefined {
    const { partStart } = this
    this.partStart = this.written.length
    const reason = read(text, this)
    this.partStart = partStart
    return reason
  }

  has(key: string): boolean {
    return this.hasSince(START, key)
  }

  /** True when a member with a key was written after a mark. */
  hasSince({ written, keys }: EventMark, key: string): boolean {
    let at = keys
    // The members that follow from a priority of syslog are written with it.
    while (at < this.keyCount && this.keys[at] !== key && this.keys[at] !== 'priority') at += 1
    if (at === this.keyCount) return false
    // Searching a text that was concatenated copies it.
    if (!this.hasMembers && this.keys[at] === key) return true
    return memberAt(this.written.slice(written.length), prefixes(key).name) !== -1
  }

  /** Makes a text the whole event; it must not contain a line feed. */
  raw(text: string): void {
    this.discard()
    this.rawText = text
  }

  /** Adds a number or a boolean if the text is clearly one, as in CSV; otherwise a string. */
  plain(key: string, value: string): void {
    if (isBareCell(value)) this.json(key, value)
    else this.text(key, value)
  }

  /** Returns the JSON and starts the next event. */
  take(): string {
    const text = this.written + ENDS[this.place]
    this.start()
    return text
  }

  /** Ends the line of the event and starts the next one. Returns the length of the lines since `takeLines`. */
  endLine(): number {
    const { rawText, written, place } = this
    this.lines += rawText === undefined ? written + LINE_ENDS[place] : `${rawText}\n`
    this.start()
    return this.lines.length
  }

  takeLines(): string {
    const { lines } = this
    this.lines = ''
    return lines
  }

  private start(): void {
    this.clear()
    this.time = undefined
    this.rawText = undefined
  }

  private clear(): void {
    this.written = ''
    this.place = EVENT
    this.keyCount = 0
    this.hasMembers = false
  }

  /** Adds a key, and returns the texts that precede its value. */
  private add(key: string): Prefixes {
    const at = this.keyCount++
    this.keys[at] = key
    const last = this.lastPrefixes[at]
    if (last?.key === key) return last
    const found = prefixes(key)
    this.lastPrefixes[at] = found
    return found
  }
}

/** Returns the position of a member, given its key with the colon; -1 when there is none. */
function memberAt(text: string, name: string, from = 0): number {
  let at = text.indexOf(name, from)
  // Inside a string, the quotes of the key would be escaped.
  while (at !== -1 && !/[{,\s]/.test(text[at - 1] ?? '')) at = text.indexOf(name, at + 1)
  return at
}

/** Writes the time of a line, in RFC 3339. */
export type TimeWriter = (time: string, event: EventText) => void

/** Returns the writer of `_time`, or, when another field is the event time, of the field `time`. */
export function timeWriter({ findsTime }: { readonly findsTime: boolean }): TimeWriter {
  return findsTime
    ? (time, event) => event.setTime(time)
    : (time, event) => event.text('time', time)
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON escapes control characters.
const ESCAPED = /["\\\u0000-\u001f]/

/** Returns latin1 text as JSON without quotes. Searching is faster than encoding, and few values need escapes. */
function escaped(text: string): string {
  return ESCAPED.test(text) ? JSON.stringify(text).slice(1, -1) : text
}

/** The texts that precede a value, by the `Place` at which it is written. */
interface Prefixes {
  readonly key: string
  /** The key with the colon. */
  readonly name: string
  readonly json: readonly [string, string, string]
  readonly text: readonly [string, string, string]
}

/** Logs have few keys; the limit bounds memory for hostile logs. */
const MAX_KEYS = 1000
const PREFIXES = new Map<string, Prefixes>()

function prefixes(key: string): Prefixes {
  const known = PREFIXES.get(key)
  if (known !== undefined) return known
  const name = `${JSON.stringify(key)}:`
  const [first, afterValue, afterText] = SEPARATORS
  const found: Prefixes = {
    key,
    name,
    json: [`${first}${name}`, `${afterValue}${name}`, `${afterText}${name}`],
    text: [`${first}${name}"`, `${afterValue}${name}"`, `${afterText}${name}"`],
  }
  if (PREFIXES.size < MAX_KEYS) PREFIXES.set(key, found)
  return found
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant.
const ASCII = /^[\u0000-\u007f]*$/

/**
 * Returns latin1 text whose bytes are valid UTF-8: unchanged if its bytes are valid; otherwise each byte is encoded
 * as the latin1 character that it stands for.
 */
export function ensureUtf8(text: string): string {
  if (ASCII.test(text) || isUtf8(Buffer.from(text, 'latin1'))) return text
  return Buffer.from(text).toString('latin1')
}
