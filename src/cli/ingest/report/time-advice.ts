import type { Batch } from '../../../input/batch.js'
import { inputLabel } from '../../../input/error.js'
import { fieldFacts } from '../../../input/inspect/field-facts.js'
import { Inspection } from '../../../input/inspect/inspection.js'
import { escapeControls } from '../../../render/escape-controls.js'
import { LINE_FEED } from '../../../text/bytes.js'
import { closest } from '../../../text/suggest.js'
import { parseTimeFormat, type TimeFormat } from '../../../wire/time/time-format.js'
import { UsageError } from '../../error/usage-error.js'
import { namedTimeField } from '../option/event-time.js'
import type { IngestOptions } from '../option/options.js'

/** The year before which a number is assumed not to be a time. */
const EARLIEST_GUESS = '2000'

/**
 * Returns a warning when no event has a time, although `--timestamp-field` names a field, or although another field has
 * times and a name like a time. Returns `undefined` when there is nothing to warn about.
 */
function timeAdvice(sample: Batch, timestampField?: string): string | undefined {
  const { times, withoutTime, fields, texts } = inspect(sample, timestampField)
  if (times !== undefined || withoutTime === 0) return undefined
  if (timestampField !== undefined) {
    const near = closest(timestampField, fields)
    const help = near === undefined ? '' : ` Did you mean \`${escapeControls(near)}\`?`
    return `${missingTime(sample, timestampField)}${help}`
  }
  const other = fields.find((field) => isTimeFieldName(field) && holdsTimes(field, sample))
  if (other !== undefined) return `${missingTime(sample, '_time')} ${fieldFlag(other)}.`
  const unread = texts.find((field) => EVENT_TIME.test(field))
  if (unread === undefined) return undefined
  return `${missingTime(sample, '_time')} ${fieldFlag(unread)}, with its layout in \`--timestamp-format\`.`
}

function fieldFlag(field: string): string {
  const name = escapeControls(field)
  return `To use \`${name}\`: \`--timestamp-field ${name}\``
}

/** Returns a warning when all times are in the first month of 1970: the field probably holds small numbers, such as a status. */
function earlyTimes(sample: Batch, field: string, timeFormat?: TimeFormat): string | undefined {
  const { times } = inspect(sample, field, timeFormat)
  if (!times?.first.startsWith('1970-01') || !times.last.startsWith('1970-01')) return undefined
  return `${escapeControls(sample.input)}: \`${escapeControls(field)}\` puts the first events into January 1970, the first one at ${times.first}.`
}

/** True when no event has a `_time`. */
function lacksTime(sample: Batch): boolean {
  const { events, withoutTime } = inspect(sample)
  return events > 0 && withoutTime === events
}

function missingTime({ input }: Batch, field: string): string {
  return `${escapeControls(input)}: the first events have no \`${escapeControls(field)}\`. Events without one get the time of arrival.`
}

function holdsTimes(timestampField: string, sample: Batch): boolean {
  const { rejected, times } = inspect(sample, timestampField)
  if (rejected > 0 || times === undefined || times.first < EARLIEST_GUESS) return false
  // A time that is the same in all events is not the event time, but for example the start of the server.
  return sample.events === 1 || times.first !== times.last
}

/** Returns the fields of the events of a batch, and facts about their times. */
export function inspect(sample: Batch, timestampField = '_time', timeFormat?: TimeFormat) {
  const inspection = new Inspection({ timestampField, ...(timeFormat && { timeFormat }) })
  inspection.add(sample)
  const found = inspection.endInput(sample.input)
  const facts = fieldFacts(inspection.fields)
  const texts = facts.filter(({ types: [first] }) => first?.type === 'string')
  return { ...found, fields: facts.map(nameOf), texts: texts.map(nameOf) }
}

function nameOf({ field }: { readonly field: string }): string {
  return field
}

/** The names of fields that hold the event time, if in an unknown layout. */
const EVENT_TIME = /^@?(?:date|datetime|time|timestamp|ts)$/i
const TIME_NAME = /[._](?:at|on|ts|time|timestamp|date|datetime)$|[a-z](?:At|Time|Timestamp|Date)$/

export function isTimeFieldName(field: string): boolean {
  return TIME_NAME.test(field)
}

const MAX_SAMPLE_BYTES = 16 * 1024

/** Returns the first events of a batch, up to 16 KiB; `undefined` when the first one is larger. */
export function sampleOf(batch: Batch): Batch | undefined {
  const { body } = batch
  if (body.length <= MAX_SAMPLE_BYTES) return batch
  const end = body.lastIndexOf(LINE_FEED, MAX_SAMPLE_BYTES - 1) + 1
  return end === 0 ? undefined : { ...batch, body: body.subarray(0, end) }
}

/** True when the events contain the field name, quoted as in JSON, or as in a CSV header. */
export function mentionsField(field: string, { body, contentType }: Batch): boolean {
  return body.includes(contentType === 'text/csv' ? field : `"${field}"`)
}

/**
 * Returns a check of batches that reports once which field may contain the time, when the first events of an input have no time:
 * files that are sent together tend to be alike. It throws a `UsageError` when a format is given for a time that the events do not
 * have.
 */
export function timeHint(
  options: Pick<IngestOptions, 'timestampField' | 'timestampFormat' | 'label' | 'retry'>,
  note: (text: string) => void,
): (batch: Batch) => void {
  const { timestampFormat, label, retry } = options
  const timestampField = namedTimeField(options)
  const timeFormat = timestampFormat === undefined ? undefined : parseTimeFormat(timestampFormat)
  const field = timestampField ?? '_time'
  const isFormatUnused = timestampFormat !== undefined && timestampField === undefined
  let hasReported = false
  return (batch) => {
    if (retry !== undefined || batch.start.event > 0 || batch.mapping?.timestampField !== undefined)
      return
    // Other advice about the times of lines comes from their layout.
    const isDone = hasReported || (batch.format === 'text' && timestampField === undefined)
    if (isDone && !isFormatUnused) return
    const sample = sampleOf(batch)
    if (sample === undefined || Object.hasOwn(label ?? {}, field)) return
    if (mentionsField(field, sample)) {
      const early =
        timestampField && !isDone ? earlyTimes(sample, timestampField, timeFormat) : undefined
      hasReported ||= early !== undefined
      if (early !== undefined) note(early)
      return
    }
    if (isFormatUnused && lacksTime(sample)) {
      throw new UsageError(
        `${inputLabel(batch.input)}: \`--timestamp-format\` has no effect, because the first events have no \`_time\`. \`--timestamp-field\` names the field that it applies to.`,
      )
    }
    if (isDone || options.timestampField === 'none') return
    const advice = timeAdvice(sample, timestampField)
    if (advice === undefined) return
    hasReported = true
    note(advice)
  }
}
