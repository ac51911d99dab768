import type { Batch } from '../../input/batch.js'
import type { IngestOptions } from './options.js'
import { isNamed, sampleOf } from './sample.js'

/** Tells, at the first events that have no time where it is looked for, where it may be. */
export class TimeHint {
  private readonly options: IngestOptions
  private readonly note: (text: string) => void
  private hasTold = false

  constructor(options: IngestOptions, note: (text: string) => void) {
    this.options = options
    this.note = note
  }

  /** Told once: files that are sent together tend to be alike. */
  async look(batch: Batch): Promise<void> {
    const { timestampField, label, retry } = this.options
    const field = timestampField ?? '_time'
    if (this.hasTold || retry !== undefined) return
    if (batch.start.event > 0 || batch.format === 'text') return
    const sample = sampleOf(batch)
    if (sample === undefined || isNamed(field, sample) || Object.hasOwn(label ?? {}, field)) return
    const { timeAdvice } = await import('./time-advice.js')
    const advice = timeAdvice(sample, timestampField)
    if (advice === undefined) return
    this.hasTold = true
    this.note(advice)
  }
}
