import { QUOTE } from '../../text/bytes.js'
import type { Member } from '../../wire/json/json-bytes.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { findLayout, inferTimes, type TimeDefaults } from '../log/time/line-layout.js'
import { LineTimes } from '../log/time/line-times.js'
import { insertion, type Rewriter } from './edit.js'
import { epochReader, fieldFinder, latin1Paths } from './epoch.js'
import type { EventMapping } from './event-mapping.js'
import { isNoText, isShort, timeMember } from './line-rewriter.js'
import type { Sample } from './sample.js'
import { isRecent, type TimeOptions } from './time-field.js'

// Tables often have the date and the time of an event in two columns.

/** The share of the events whose fields must form a time. */
const LEAST_SHARE = 0.9
/** In front of the layout of a time with a date only, which is read as the beginning of the day. */
const DAY_LAYOUT = 'day '
const MIDNIGHT = ' 00:00:00'
/** The number of dates that are remembered: those of 27 years. */
const MAX_DAYS = 10_000

/**
 * Returns the fields whose names differ only in `date` and `time`, or are both in another language, and whose values form a time;
 * undefined when there are none.
 */
export function dateAndTimeOf(sample: Sample, options: TimeOptions): EventMapping | undefined {
  const paths = [...sample.fields.values()].map(([{ path }]) => path)
  const names = paths.flatMap((path) => (path.length === 1 ? path : []))
  for (const date of names) {
    if (!isDate(date)) continue
    const time = names.find((name) => isPair(date, name))
    const found = time && layoutOf(sample, [date, time], options)
    if (found) return found
  }
  return undefined
}

/** The names of a column with a date in other languages, and of the column with the time next to it, in lower case. */
const LOCAL_TIMES = new Map(
  [
    'datum uhrzeit zeit tijd tid čas',
    'dato tid',
    'date heure',
    'fecha hora',
    'data ora hora godzina czas',
    'tarih saat',
    'дата время',
    '日期 时间 時間',
    '日付 時刻 時間',
    '날짜 시간',
  ].map((names) => {
    const [date = '', ...times] = names.split(' ')
    return [date, times]
  }),
)

function isDate(name: string): boolean {
  return /(?<![a-z])date(?![a-z])|Date|date$/.test(name) || LOCAL_TIMES.has(name.toLowerCase())
}

function isPair(date: string, time: string): boolean {
  if (LOCAL_TIMES.get(date.toLowerCase())?.includes(time.toLowerCase())) return true
  return (
    time !== date && /time/i.test(time) && date.replace(/date/i, '') === time.replace(/time/i, '')
  )
}

/**
 * Returns the mapping of one or two fields, with the layout of the text that their values form, with a space between them;
 * undefined when they do not form a time.
 */
export function layoutOf(
  { events }: Sample,
  fields: readonly string[],
  options: TimeOptions,
): EventMapping | undefined {
  const texts = textsOf(events, fields)
  const found = timesIn(texts, events.length, options)
  return found && { timestampField: fields.join(','), timeLayout: found.layout }
}

/** Returns the mapping of a field with different dates of the past; undefined when its values are no such dates. */
export function dayLayoutOf(
  { events }: Sample,
  field: string,
  options: TimeOptions,
): EventMapping | undefined {
  const texts = textsOf(events, [field])
  const found = timesIn(
    texts.map((text) => text + MIDNIGHT),
    events.length,
    options,
  )
  const days = new Set(found?.times)
  // A date that all events share is not their time.
  if (found === undefined || (days.size === 1 && events.length > 1)) return undefined
  const areRecent = [...days].every((day) => isRecent(parseTimestamp(day) ?? 0n, options.now))
  return areRecent ? { timestampField: field, timeLayout: DAY_LAYOUT + found.layout } : undefined
}

/** Returns the texts that fields form in the events that have all of them. */
function textsOf(events: Sample['events'], fields: readonly string[]): readonly string[] {
  return events.flatMap((leaves) => {
    const parts = fields.flatMap((name) => leaves.find(({ path }) => path.join('.') === name) ?? [])
    return parts.length === fields.length ? [parts.map(({ text }) => text).join(' ')] : []
  })
}

/** Returns the layout of the texts of so many events, and their times in RFC 3339; undefined when too few are times. */
function timesIn(
  texts: readonly string[],
  events: number,
  { now, format }: TimeOptions,
): { readonly layout: string; readonly times: readonly string[] } | undefined {
  if (texts.length < events * LEAST_SHARE || texts.length === 0) return undefined
  if (typeof format?.reads === 'number') return undefined
  const inferred = inferTimes(texts, { now, timeFormat: format?.reads.matches })
  // The time begins with the date: the second field alone may be a whole time.
  if (inferred?.kind !== 'found' || !inferred.layout.id.startsWith('start:')) return undefined
  const { layout } = inferred
  const lines = new LineTimes(layout, now)
  const times = texts.flatMap((text) => lines.read(text) ?? [])
  return times.length < texts.length * LEAST_SHARE ? undefined : { layout: layout.id, times }
}

/** Reads a text as a time in RFC 3339; returns undefined for another text. */
type TextReader = (text: string) => string | undefined

/** Returns the reader of texts in a layout, or of counts from an epoch; undefined for an unknown layout. */
export function readerOf(
  layout: string,
  { now, format, times }: TimeOptions & { readonly times?: TimeDefaults | undefined },
): TextReader | undefined {
  const readEpoch = epochReader(layout)
  if (readEpoch !== undefined) return readEpoch
  const reads = format?.reads
  const isDay = layout.startsWith(DAY_LAYOUT)
  const id = isDay ? layout.slice(DAY_LAYOUT.length) : layout
  const known = findLayout(id, typeof reads === 'object' ? reads.matches : undefined)
  if (known === undefined) return undefined
  const reader = new LineTimes(known, now, times)
  return isDay ? dayReader(reader) : (text) => reader.read(text)
}

/** Returns a reader that reads each date once: a table has few different ones, and reading all takes as long as the rest. */
function dayReader(reader: LineTimes): TextReader {
  const days = new Map<string, string | undefined>()
  return (text) => {
    if (days.has(text)) return days.get(text)
    const day = reader.read(text + MIDNIGHT)
    if (days.size < MAX_DAYS) days.set(text, day)
    return day
  }
}

/** Returns a rewriter that adds the time in fields to an event, in front of its other members. */
export function timeRewriter(fields: readonly string[], read: TextReader): Rewriter {
  let invalid = 0
  const finders = fields.map(fieldFinder)
  const editor = (bytes: Buffer) => (event: Member) => {
    const texts = finders.map((find) => {
      const found = find(bytes, event)
      // Nanoseconds may be missing.
      if (found === undefined) return ''
      const quote = bytes[found.from] === QUOTE ? 1 : 0
      return bytes.toString('latin1', found.from + quote, found.to - quote)
    })
    const text = texts.join(' ')
    const time = read(text)
    if (time === undefined && !isNoText(text)) invalid++
    return time === undefined ? [] : insertion(bytes, event, timeMember(time))
  }
  const paths = fields.flatMap(latin1Paths)
  const time = { fields: paths.flat(), read }
  const isPlain = paths.length === fields.length && time.fields.length === fields.length
  const rule = isPlain && isShort(time) ? { time } : undefined
  return Object.assign(editor, { rule, invalidTimes: () => invalid })
}
