import type { EventText } from './event-text.js'
import { findLayout, inferLayout, inferPlace, type LineTime, LineTimes } from './line-layout.js'

/** Detection reads at most this much of an input, in bytes. */
const MAX_SAMPLE = 256 * 1024
const MAX_LINES = 1000
/** The time ends within this many characters. */
const MAX_HEAD = 512

/** Options for reading lines of text. */
export interface TextOptions {
  /** Nanoseconds since 1970; completes times without a year. */
  readonly now: bigint
  /** False when a field was named as the event time. */
  readonly findsTime: boolean
  /** The format of the times, if the user gave one. */
  readonly timeFormat?: RegExp
  /** The layout that an earlier run has found. */
  readonly layout?: string
}

/**
 * Reads lines as a `message` each, with the time at their beginning. The layout of the times is inferred from the first
 * lines of the input, in one or more batches, and does not change after that.
 */
export class TextReader {
  /** The times found so far; undefined when they are not looked for. */
  found: LineTime | undefined
  private readonly options: TextOptions
  private times: LineTimes | undefined
  private sampled = 0
  private readonly sample: string[] = []

  constructor(options: TextOptions) {
    this.options = options
    const { findsTime, layout, timeFormat, now } = options
    if (!findsTime) return
    this.found = { kind: 'none' }
    const known = layout === undefined ? undefined : findLayout(layout, timeFormat)
    if (known !== undefined) this.times = new LineTimes(known, now)
  }

  /** Infers the layout from the lines of a batch, if it is not known yet. */
  learn(text: string): void {
    const { findsTime, timeFormat, now } = this.options
    if (!findsTime || this.times !== undefined || this.sampled >= MAX_SAMPLE) return
    const piece = text.slice(0, MAX_SAMPLE - this.sampled)
    this.sampled += piece.length
    const lines = piece.split('\n', MAX_LINES - this.sample.length)
    this.sample.push(...lines.map((line) => line.slice(0, MAX_HEAD)))
    const found = timeFormat === undefined ? inferLayout(this.sample, now) : undefined
    if (found?.kind === 'ambiguous') this.found = found
    const layout =
      timeFormat !== undefined
        ? inferPlace(this.sample, timeFormat)
        : found?.kind === 'found'
          ? found.layout
          : undefined
    if (layout !== undefined) this.times = new LineTimes(layout, now)
  }

  readonly read = (line: string, event: EventText): undefined => {
    const time = this.times?.read(line)
    if (time !== undefined) {
      event.text('_time', time)
      if (this.found?.kind !== 'found') this.found = this.times!.describe(line)
    }
    event.text('message', line)
  }
}
