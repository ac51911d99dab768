import type { IngestParameters } from '../../../client/ingest.js'
import type { Batch } from '../../../input/batch.js'
import { type EventExtent, headLength } from '../../../input/events.js'
import { csvLines } from '../../../wire/csv/csv.js'
import { CsvError } from '../../../wire/csv/csv-row.js'
import { type EventOptions, timePaths } from '../../../wire/event/event-options.js'
import { parseEventTime } from '../../../wire/event/event-time.js'
import { pathKey } from '../../../wire/json/field-path.js'
import { LineError, readLeaves } from '../../../wire/json/json-line.js'
import { parseTimeFormat, timeFormatError } from '../../../wire/time/time-format.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { UsageError } from '../../error/usage-error.js'
import type { ReadingFlags } from './reading-flags.js'

/** The maximum length of an event that is parsed for its time. */
const MAX_EVENT_LENGTH = 1024 * 1024

/** The field of the event time, and its format if `--timestamp-format` sets one. */
export interface TimeOptions {
  readonly field: string
  readonly format: string | undefined
}

/** Returns the time of an event: in RFC 3339 if it can be parsed, otherwise as written; `undefined` for an event without a time. */
export function eventTime(
  batch: Batch,
  { from, to }: Pick<EventExtent, 'from' | 'to'>,
  { field, format }: TimeOptions,
): string | undefined {
  if (to - from > MAX_EVENT_LENGTH) return undefined
  const text = timeText(batch, { from, to }, batch.timestampField ?? field)
  if (text === undefined) return undefined
  const time = parseEventTime(text, format === undefined ? undefined : parseTimeFormat(format))
  return time === undefined ? text : formatTimestamp(time)
}

/** Returns the JSON of an event as the service reads it, without its line end. */
export function jsonText(batch: Batch, { from, to }: { from: number; to: number }): string {
  const event = batch.body.subarray(from, to)
  if (batch.contentType !== 'text/csv') return event.toString('utf8')
  const rows = Buffer.concat([batch.body.subarray(0, headLength(batch)), event])
  return csvLines(rows, { delimiter: ',', ...batch.csv }).lines.toString('utf8')
}

/** Returns the string or number in the field of the time; `undefined` without it, or when the event is malformed. */
function timeText(
  batch: Batch,
  extent: Pick<EventExtent, 'from' | 'to'>,
  field: string,
): string | undefined {
  try {
    const leaves = readLeaves(jsonText(batch, extent))
    const found = timePaths(field)
      .map((path) => leaves.find((leaf) => pathKey(leaf.path) === pathKey(path)))
      .find((leaf) => leaf !== undefined && leaf.form !== 'null')
    return found?.form === 'string' || found?.form === 'number' ? found.text : undefined
  } catch (error) {
    // The service reports malformed events.
    if (error instanceof LineError || error instanceof CsvError) return undefined
    throw error
  }
}

/** Returns the field that `--timestamp-field` names; `undefined` for `auto`, `none` and two fields. */
export function namedTimeField({
  timestampField,
}: Pick<ReadingFlags, 'timestampField'>): string | undefined {
  if (timestampField === 'none' || timestampField?.includes(',')) return undefined
  return timestampField
}

/** Returns the fields with the date and the time that `--timestamp-field Date,Time` names. */
export function dateAndTimeFields({
  timestampField = '',
}: Pick<ReadingFlags, 'timestampField'>): readonly [date: string, time: string] | undefined {
  const [date = '', time, ...others] = timestampField.split(',').map((name) => name.trim())
  if (time === undefined) return undefined
  if (date !== '' && time !== '' && others.length === 0) return [date, time]
  throw new UsageError(
    `\`--timestamp-field\` takes one field, or two as in \`Date,Time\`, not \`${timestampField}\`.`,
  )
}

export function parametersOf(options: ReadingFlags): IngestParameters {
  const { timestampFormat, label } = options
  return { timestampField: namedTimeField(options), timestampFormat, labels: label }
}

/** Parses `--timestamp-format` as the local service does. Throws a `UsageError` when it is invalid. */
export function timeFormat({
  timestampFormat,
}: Pick<ReadingFlags, 'timestampFormat'>): Pick<EventOptions, 'timeFormat'> {
  if (timestampFormat === undefined) return {}
  const timeFormat = parseTimeFormat(timestampFormat)
  if (timeFormat !== undefined) return { timeFormat }
  throw new UsageError(`\`--timestamp-format\` is ${timeFormatError(timestampFormat)}`)
}
