import { type EventText, ensureUtf8 } from '../event-text.js'
import { normalLevel } from '../level.js'
import type { LineReader } from '../log-format.js'
import { patternRegExp } from './compile-regex.js'
import { fieldJson } from './field-json.js'
import type { FieldType, LinePattern } from './line-pattern.js'
import { type FieldTimes, timeField } from './pattern-times.js'

interface PatternReaderOptions {
  /** Reads the time of the event; without it, the time is a field like other fields. */
  readonly times?: FieldTimes | undefined
  /** The name of the patterns, for messages. */
  readonly name?: string
}

/** The maximum number of characters of a record that are matched, which bounds the time for a record. */
const MAX_MATCHED = 64 * 1024
const MESSAGE = 'message'

/**
 * Returns the reader of records with the first of the patterns that matches. If the match does not cover the record, the
 * record is also kept as `message`. If only the first line of a record matches, the further lines are appended to the
 * `message` of the pattern.
 */
export function patternReader(
  patterns: readonly LinePattern[],
  { times, name = 'the pattern' }: PatternReaderOptions = {},
): LineReader {
  const readers = patterns.map((pattern) => new RecordReader(pattern, times))
  const reason = `it does not match ${name}`
  return (record, event) => (readers.some((one) => one.read(record, event)) ? undefined : reason)
}

/** A field, and the groups that may have its value. */
interface FieldGroups {
  readonly name: string
  readonly type: FieldType
  readonly groups: readonly number[]
}

class RecordReader {
  private readonly scan: RegExp
  private readonly fields: readonly FieldGroups[]
  private readonly hasMessage: boolean
  private readonly times: FieldTimes | undefined
  private readonly timeName: string | undefined

  constructor(pattern: LinePattern, times: FieldTimes | undefined) {
    this.scan = patternRegExp(pattern.source)
    this.fields = fieldGroups(pattern)
    this.hasMessage = pattern.fields.some(({ name }) => name === MESSAGE)
    this.times = times
    this.timeName = times && timeField(pattern)
  }

  /** Adds the fields of a record to an event; returns false when the record does not match. */
  read(record: string, event: EventText): boolean {
    const whole = record.length <= MAX_MATCHED ? this.scan.exec(record) : null
    const head = whole === null ? headOf(record) : record
    const match = whole ?? (head === undefined ? null : this.scan.exec(head))
    if (match === null) return false
    this.write({ record, match, rest: record.slice(head!.length) }, event)
    return true
  }

  private write({ record, match, rest }: RecordMatch, event: EventText): void {
    const end = match.index + match[0].length
    const last = rest === '' ? undefined : this.restField(match, end)
    let written = 0
    for (const field of this.fields) {
      const value = groupValue(match, field.groups)
      if (value === undefined) continue
      written += 1
      if (typeof value !== 'string') writeAll(field, value, event)
      else this.writeField(field, field === last ? value + rest : value, event)
    }
    if (this.hasMessage) return
    const isCovered =
      record.slice(0, match.index).trim() === '' &&
      record.slice(end, record.length - rest.length).trim() === ''
    if (!isCovered || written === 0 || (rest !== '' && last === undefined)) {
      event.text(MESSAGE, record)
    }
  }

  /** Returns the field that gets the rest of a record: the message, or the field up to the end of the match. */
  private restField(match: RegExpExecArray, end: number): FieldGroups | undefined {
    if (this.hasMessage) return this.fields.find(({ name }) => name === MESSAGE)
    const { indices } = new RegExp(this.scan.source, 'd').exec(match.input) ?? {}
    return this.fields.find(({ groups }) => groups.some((group) => indices?.[group]?.[1] === end))
  }

  private writeField({ name, type }: FieldGroups, value: string, event: EventText): void {
    if (name === this.timeName) this.writeTime(name, value, event)
    else if (name === 'level' && type === 'string') writeLevel(value, event)
    else event.json(name, fieldJson(ensureUtf8(value), type))
  }

  private writeTime(name: string, value: string, event: EventText): void {
    const found = this.times!.read(value)
    if (found !== undefined) event.setTime(found.time)
    // A `_time` that is not a time would be rejected.
    if (!found?.isWhole) event.text(name === '_time' ? 'time' : name, ensureUtf8(value))
  }
}

interface RecordMatch {
  readonly record: string
  readonly match: RegExpExecArray
  /** The rest of the record, after the part to which the pattern was applied. */
  readonly rest: string
}

/** Returns each field once, with its name in latin1 like the text of events. */
function fieldGroups({ fields }: LinePattern): readonly FieldGroups[] {
  const names = [...new Set(fields.map(({ name }) => name))]
  return names.map((name) => ({
    name: Buffer.from(name).toString('latin1'),
    type: fields.find((field) => field.name === name)!.type,
    groups: fields.flatMap((field, i) => (field.name === name ? [i + 1] : [])),
  }))
}

/** Returns the value of the only group that is not empty, or the values of several such groups; undefined when all are empty. */
function groupValue(
  match: RegExpExecArray,
  groups: readonly number[],
): string | readonly string[] | undefined {
  if (groups.length === 1) return match[groups[0]!] || undefined
  const values = groups.map((group) => match[group] ?? '').filter((value) => value !== '')
  return values.length > 1 ? values : values[0]
}

function writeAll({ name, type }: FieldGroups, values: readonly string[], event: EventText): void {
  event.json(name, `[${values.map((value) => fieldJson(ensureUtf8(value), type)).join(',')}]`)
}

/** Returns the first line of a record with several lines, or the beginning of a long record; undefined for other records. */
function headOf(record: string): string | undefined {
  const newline = record.indexOf('\n')
  if (newline !== -1 && newline <= MAX_MATCHED) {
    return record.slice(0, record[newline - 1] === '\r' ? newline - 1 : newline)
  }
  return record.length > MAX_MATCHED ? record.slice(0, MAX_MATCHED) : undefined
}

/** Writes the normalized level, and `severity_text` if the level was written as another word. */
function writeLevel(value: string, event: EventText): void {
  const level = normalLevel(value)
  event.text('level', level ?? ensureUtf8(value))
  if (level !== undefined && level !== value.toLowerCase()) event.text('severity_text', value)
}
