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

/** An event that is longer is not looked into. */
const MAX_EVENT_LENGTH = 1024 * 1024

/** Where events have their time, and how it is written when that is told. */
export interface TimeOptions {
  readonly field: string
  readonly format: string | undefined
}

/** The time that an event of a batch names: in RFC 3339 where it is understood, else as it is written. */
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

/** The text of a member of an event; nothing where there is none, or no event. */
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
    // What is wrong with the event, the service says.
    return undefined
  }
  return found
}

/** How the command line says that the service is to read the events. */
export function parametersOf({
  timestampField,
  timestampFormat,
  label,
}: IngestOptions): IngestParameters {
  return { timestampField, timestampFormat, labels: label }
}

/** The format of `--timestamp-format`, as the local service understands it. */
export function timeFormat({
  timestampFormat,
}: Pick<IngestOptions, 'timestampFormat'>): Pick<EventOptions, 'timeFormat'> {
  if (timestampFormat === undefined) return {}
  const timeFormat = parseTimeFormat(timestampFormat)
  if (timeFormat !== undefined) return { timeFormat }
  throw new UsageError(`\`--timestamp-format\` is ${timeFormatError(timestampFormat)}`)
}
