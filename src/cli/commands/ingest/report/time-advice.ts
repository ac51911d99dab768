import type { Batch } from '../../../../input/batch.js'
import { fieldFacts } from '../../../../input/inspect/field-facts.js'
import { Inspection } from '../../../../input/inspect/inspection.js'
import { escapeControls } from '../../../../render/escape-controls.js'
import { closest } from '../../../../text/suggest.js'
import { isNameOfTime } from './time-name.js'

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
