import { QUOTE } from '../../text/bytes.js'
import { findLayout, inferTimes, type TimeDefaults } from '../log/time/line-layout.js'
import { LineTimes } from '../log/time/line-times.js'
import { insertion, type Rewriter } from './edit.js'
import { epochReader, fieldFinder } from './epoch.js'
import type { EventMapping } from './event-mapping.js'
import type { Sample } from './sample.js'
import type { TimeOptions } from './time-field.js'

// Tables often have the date and the time of an event in two columns.

/** The share of the events whose fields must form a time. */
const LEAST_SHARE = 0.9

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
  { now, format }: TimeOptions,
): EventMapping | undefined {
  const texts = events.flatMap((leaves) => {
    const parts = fields.flatMap(
      (name) => leaves.find(({ path }) => path.length === 1 && path[0] === name) ?? [],
    )
    return parts.length === fields.length ? [parts.map(({ text }) => text).join(' ')] : []
  })
  if (texts.length < events.length * LEAST_SHARE || texts.length === 0) return undefined
  if (typeof format?.reads === 'number') return undefined
  const inferred = inferTimes(texts, { now, timeFormat: format?.reads.matches })
  // The time begins with the date: the second field alone may be a whole time.
  if (inferred?.kind !== 'found' || !inferred.layout.id.startsWith('start:')) return undefined
  const { layout } = inferred
  const times = new LineTimes(layout, now)
  const read = texts.filter((text) => times.read(text) !== undefined)
  if (read.length < texts.length * LEAST_SHARE) return undefined
  return { timestampField: fields.join(','), timeLayout: layout.id }
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
  const known = findLayout(layout, typeof reads === 'object' ? reads.matches : undefined)
  if (known === undefined) return undefined
  const reader = new LineTimes(known, now, times)
  return (text) => reader.read(text)
}

/** Returns a rewriter that adds the time in fields to an event, in front of its other members. */
export function timeRewriter(fields: readonly string[], read: TextReader): Rewriter {
  const finders = fields.map(fieldFinder)
  return (bytes) => (event) => {
    const texts = finders.map((find) => {
      const member = find(bytes, event)
      // Nanoseconds may be missing.
      if (member === undefined) return ''
      const quote = bytes[member.from] === QUOTE ? 1 : 0
      return bytes.toString('latin1', member.from + quote, member.to - quote)
    })
    const time = read(texts.join(' '))
    return time === undefined ? [] : insertion(bytes, event, `"_time":${JSON.stringify(time)}`)
  }
}
