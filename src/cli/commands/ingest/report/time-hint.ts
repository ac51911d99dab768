import type { Batch } from '../../../../input/batch.js'
import { inputLabel } from '../../../../input/error.js'
import { UsageError } from '../../../error/usage-error.js'
import type { IngestOptions } from '../option/options.js'
import { isNamed, sampleOf } from './sample.js'

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
    const { isTimeless, timeAdvice } = await import('./time-advice.js')
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
