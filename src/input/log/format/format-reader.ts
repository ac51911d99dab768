import type { EventText } from '../event-text.js'
import { normalLevel } from '../level.js'
import type { LineReader } from '../log-format.js'
import type { LinePattern } from '../pattern/line-pattern.js'
import { type CompiledFormat, fieldOf, matchPattern } from './compiled-format.js'

/** Reads times in the layout of an input; returns undefined for other text. */
interface EventTimes {
  read(text: string): string | undefined
}

/** Writes the value of a field; returns the reason when it can't be read. */
type FieldWriter = (value: string, event: EventText) => string | undefined

/**
 * Returns the reader of a format. An event that no pattern matches keeps its time; the reader returns the reason. `times`
 * reads the times; without it they stay fields as they are written.
 */
export function formatReader(
  { patterns, start }: CompiledFormat,
  { name, times }: { readonly name: string; readonly times: EventTimes | undefined },
): LineReader {
  const readers = patterns.map((pattern) => ({
    pattern,
    writers: pattern.fields.map((field) => fieldWriter(field, times)),
  }))
  return (record, event) => {
    for (const { pattern, writers } of readers) {
      const match = matchPattern(pattern, record)
      if (match !== null) return writeFields(match, writers, event)
    }
    const match = start && matchPattern(start, record)
    const written = match && fieldOf(start, match, '_time')
    const time = written && times?.read(written)
    if (time) event.time(JSON.stringify(time))
    return `it does not match \`${name}\``
  }
}

function writeFields(
  match: RegExpExecArray,
  writers: readonly FieldWriter[],
  event: EventText,
): string | undefined {
  for (let at = 0; at < writers.length; at++) {
    const value = match[at + 1]
    if (value === undefined || value === '') continue
    const reason = writers[at]!(value, event)
    if (reason !== undefined) return reason
  }
  return undefined
}

function fieldWriter(
  { name, type }: LinePattern['fields'][number],
  times: EventTimes | undefined,
): FieldWriter {
  if (name === '_time') return timeWriter(times)
  if (name === 'level') return writeLevel
  return (value, event) => {
    if (type === 'string') event.text(name, value)
    else event.plain(name, value)
    return undefined
  }
}

function timeWriter(times: EventTimes | undefined): FieldWriter {
  return (value, event) => {
    if (times === undefined) {
      event.text('time', value)
      return undefined
    }
    const time = times.read(value)
    if (time === undefined) return `\`${value.slice(0, 60)}\` is not a time`
    event.time(JSON.stringify(time))
    return undefined
  }
}

/** Writes the level as a word, and as it was written unless that is the same word. */
function writeLevel(value: string, event: EventText): undefined {
  const level = normalLevel(value)
  event.text('level', level ?? value)
  if (level !== undefined && level !== value.trim().toLowerCase())
    event.text('severity_text', value)
}
