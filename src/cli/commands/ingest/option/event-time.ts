import type { IngestParameters } from '../../../../client/ingest.js'
import type { Batch } from '../../../../input/batch.js'
import { type EventExtent, headLength } from '../../../../input/events.js'
import { CsvLines } from '../../../../wire/csv/csv.js'
import type { EventOptions } from '../../../../wire/event/event-options.js'
import { readEventTime } from '../../../../wire/event/event-time.js'
import { JsonReader } from '../../../../wire/json/json-text.js'
import { parseTimeFormat, timeFormatError } from '../../../../wire/time/time-format.js'
import { formatTimestamp } from '../../../../wire/time/timestamp.js'
import { UsageError } from '../../../error/usage-error.js'
import type { IngestOptions } from './options.js'

/** Larger events are not parsed for their time. */
const MAX_EVENT_LENGTH = 1024 * 1024

/** The field of the event time, and its format if `--timestamp-format` sets one. */
export interface TimeOptions {
  readonly field: string
  readonly format: string | undefined
}

/** Returns the time of an event: in RFC 3339 if it can be parsed, otherwise as written; `undefined` when there is none. */
export function eventTime(
  batch: Batch,
  { from, to }: Pick<EventExtent, 'from' | 'to'>,
  { field, format }: TimeOptions,
): string | undefined {
  if (to - from > MAX_EVENT_LENGTH) return undefined
  const written = memberValue(batch, { from, to }, field)
  if (written === undefined || !/^["\d-]/.test(written)) return undefined
  const text = written.startsWith('"') ? String(JSON.parse(written)) : written
  const time = readEventTime(text, format === undefined ? undefined : parseTimeFormat(format))?.time
  return time === undefined ? text : formatTimestamp(time)
}

function jsonText(batch: Batch, { from, to }: { from: number; to: number }): string {
  const event = batch.body.subarray(from, to)
  if (batch.contentType !== 'text/csv') return event.toString('utf8')
  const lines = new CsvLines({ delimiter: ',', ...batch.csv })
  const head = batch.body.subarray(0, headLength(batch))
  return Buffer.concat([lines.push(head), lines.push(event), lines.end()]).toString('utf8')
}

/** Returns the JSON text of a member of an event; `undefined` when it has none or is malformed. */
function memberValue(
  batch: Batch,
  extent: Pick<EventExtent, 'from' | 'to'>,
  name: string,
): string | undefined {
  let found: string | undefined
  try {
    const reader = new JsonReader(jsonText(batch, extent))
    reader.object((key) => {
      const value = reader.raw()
      if (key === name) found = value
    })
  } catch {
    // The service reports malformed events.
    return undefined
  }
  return found
}

/** Returns the parameters of ingest requests that the flags set. */
export function parametersOf({
  timestampField,
  timestampFormat,
  label,
}: IngestOptions): IngestParameters {
  return { timestampField, timestampFormat, labels: label }
}

/** Parses `--timestamp-format` as the local service does. Throws a `UsageError` when it is invalid. */
export function timeFormat({
  timestampFormat,
}: Pick<IngestOptions, 'timestampFormat'>): Pick<EventOptions, 'timeFormat'> {
  if (timestampFormat === undefined) return {}
  const timeFormat = parseTimeFormat(timestampFormat)
  if (timeFormat !== undefined) return { timeFormat }
  throw new UsageError(`\`--timestamp-format\` is ${timeFormatError(timestampFormat)}`)
}
