import type { Batch } from '../../../../input/batch.js'
import { inputLabel } from '../../../../input/error.js'
import { eventExtents } from '../../../../input/events.js'
import { fieldFacts } from '../../../../input/inspect/field-facts.js'
import { Inspection } from '../../../../input/inspect/inspection.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { closest } from '../../../../text/suggest.js'
import { UsageError } from '../../../error/usage-error.js'
import type { IngestOptions } from '../option/options.js'

/** Numbers that are no times are read as some in 1970. */
const EARLIEST_GUESS = '2000'

/**
 * What to say when none of some events has its time where it is looked for, though the sender named the
 * field, or another one seems to hold it; undefined when they are as they should be.
 */
export function timeAdvice(sample: Batch, timestampField?: string): string | undefined {
  const inspection = new Inspection({ timestampField: timestampField ?? '_time' })
  inspection.add(fresh(sample))
  const { times, withoutTime } = inspection.endInput(sample.input)
  if (times !== undefined || withoutTime === 0) return undefined
  const fields = fieldFacts(inspection.tree).map(({ field }) => field)
  if (timestampField !== undefined) {
    const near = closest(timestampField, fields)
    const help = near === undefined ? '' : ` \`${escapeControls(near)}\` is close.`
    return `${untimed(sample, timestampField)}${help}`
  }
  const other = fields.find((field) => isNameOfTime(field) && holdsTimes(field, sample))
  if (other === undefined) return undefined
  const name = escapeControls(other)
  return `${untimed(sample, '_time')} If \`${name}\` is their time: \`--timestamp-field ${name}\`.`
}

/** Whether none of some events has a `_time`. */
export function isTimeless(sample: Batch): boolean {
  const inspection = new Inspection({ timestampField: '_time' })
  inspection.add(fresh(sample))
  const { events, withoutTime } = inspection.endInput(sample.input)
  return events > 0 && withoutTime === events
}

function untimed({ input }: Batch, field: string): string {
  return `${escapeControls(input)}: there is no \`${escapeControls(field)}\` in its first events, and what has none gets the time of its arrival.`
}

function holdsTimes(timestampField: string, sample: Batch): boolean {
  const inspection = new Inspection({ timestampField })
  inspection.add(fresh(sample))
  const { rejected: refused, times } = inspection.endInput(sample.input)
  return refused === 0 && times !== undefined && times.first > EARLIEST_GUESS
}

/** Looking at events changes their bytes. */
function fresh(sample: Batch): Batch {
  return { ...sample, body: Buffer.from(sample.body) }
}

const WHOLE = /^(?:@?timestamp|ts|time|date|datetime|__REALTIME_TIMESTAMP)$/i

const LAST_PART = /[._](?:at|on|ts|time|timestamp|date|datetime)$|[a-z](?:At|Time|Timestamp|Date)$/

/** Whether events tend to carry their time under this name. */
export function isNameOfTime(field: string): boolean {
  return WHOLE.test(field) || LAST_PART.test(field)
}

const MOST_BYTES = 16 * 1024

const NEWLINE = 0x0a

/** The first events of a batch, few enough to be looked at closely; undefined when not even one is that short. */
export function sampleOf(batch: Batch): Batch | undefined {
  const { body, contentType } = batch
  if (body.length <= MOST_BYTES) return batch
  const head = { ...batch, body: body.subarray(0, MOST_BYTES) }
  return contentType === 'application/json' ? wholeElements(head) : wholeLines(head)
}

/** What is left of an array that was cut: its last element may lack its end. */
function wholeElements(batch: Batch): Batch | undefined {
  const last = eventExtents(batch).at(-2)
  if (last === undefined) return undefined
  return { ...batch, body: Buffer.concat([batch.body.subarray(0, last.to), Buffer.from(']')]) }
}

function wholeLines(batch: Batch): Batch | undefined {
  const end = batch.body.lastIndexOf(NEWLINE) + 1
  return end === 0 ? undefined : { ...batch, body: batch.body.subarray(0, end) }
}

/** Whether a field is named in the events, as it is in JSON, or in the header of CSV. */
export function isNamed(field: string, { body, contentType }: Batch): boolean {
  return body.includes(contentType === 'text/csv' ? field : `"${field}"`)
}

/** Reports, for the first events that lack the field of their time, which field may hold it. */
export class TimeHint {
  private readonly options: IngestOptions
  private readonly note: (text: string) => void
  private hasTold = false

  constructor(options: IngestOptions, note: (text: string) => void) {
    this.options = options
    this.note = note
  }

  /**
   * Looks at the first batch of an input. Reports once, because files that are sent together tend to be alike. Throws a
   * `UsageError` when a format is given for a time that the events do not have.
   */
  async look(batch: Batch): Promise<void> {
    const { timestampField, timestampFormat, label, retry } = this.options
    const field = timestampField ?? '_time'
    if (retry !== undefined || batch.start.event > 0) return
    const isFormatUnused = timestampFormat !== undefined && timestampField === undefined
    if (!isFormatUnused && (this.hasTold || batch.format === 'text')) return
    const sample = sampleOf(batch)
    if (sample === undefined || isNamed(field, sample) || Object.hasOwn(label ?? {}, field)) return
    if (isFormatUnused && isTimeless(sample)) {
      throw new UsageError(
        `${inputLabel(batch.input)}: \`--timestamp-format\` has no effect, because the first events have no \`_time\`. \`--timestamp-field\` names the field that it applies to.`,
      )
    }
    if (this.hasTold || batch.format === 'text') return
    const advice = timeAdvice(sample, timestampField)
    if (advice === undefined) return
    this.hasTold = true
    this.note(advice)
  }
}
