import type { Batch, UnsendableEvent } from '../../../input/batch.js'
import type { Input } from '../../../input/input.js'
import type { OpenInput } from '../../../input/open.js'
import { formatInteger } from '../../../text/integer.js'
import { width as textWidth } from '../../../text/width.js'
import { counted, shortBytes, shortDuration } from '../../option/quantity.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import type { EarlierProgress, Reporter } from './reporter.js'
import type { Workload } from './workload.js'

interface MeterOptions {
  readonly dataset: string
  readonly workload: Workload
  /** Returns the time of a monotonic clock in milliseconds. */
  now(): number
}

/** The time without a response after which it is shown. */
const SILENCE_THRESHOLD_MS = 3000
/** The window of the moving rates. */
const WINDOW_MS = 10_000
/** The share of the work from which the remaining time is estimated. */
const MIN_SHARE = 0.001

/** A part of the line. When there is no room for all parts, the parts with the highest rank are left out first. */
interface LinePart {
  readonly text: string
  readonly rank: number
}

/** The progress line of a run: the number of stored events, the rate, and the remaining time. */
export class Meter implements Reporter {
  private readonly options: MeterOptions
  private readonly rate = new MovingRate(WINDOW_MS)
  private readonly pace = new MovingRate(WINDOW_MS)
  private stored = 0
  private rejected = 0
  /** The bytes of batches read from the inputs, and of batches with an outcome. */
  private takenBytes = 0
  private settledBytes = 0
  private input = ''
  private notice: { readonly text: string; readonly until: number } | undefined
  private lastProgressAt: number

  constructor(options: MeterOptions) {
    this.options = options
    this.lastProgressAt = options.now()
  }

  /** Notes the start of an input. Returns the input to read instead, which counts its bytes. */
  countCompressed(opened: OpenInput): OpenInput {
    this.input = opened.name
    return { ...opened, bytes: this.options.workload.countCompressed(opened.bytes) }
  }

  /** Returns a decompressed input that counts its bytes. */
  countDecompressed(input: Input): Input {
    return { ...input, bytes: this.options.workload.countDecompressed(input.bytes) }
  }

  /** Notes a batch read from the input. */
  addBatch({ bytes }: Batch): void {
    // When no batch was waiting for a response, the wait begins now.
    if (!this.isWaiting) this.lastProgressAt = this.options.now()
    this.takenBytes += bytes
  }

  /** Shows a notice in place of the progress for `forMs` milliseconds. */
  announce(text: string, forMs: number): void {
    this.notice = { text, until: this.options.now() + forMs }
  }

  async settled({ batch, accepted, rejected }: BatchOutcome): Promise<void> {
    this.stored += accepted
    this.rejected += countEvents(rejected)
    this.settledBytes += batch.bytes
    this.lastProgressAt = this.options.now()
  }

  /** Counts the bytes that earlier runs sent as done. */
  async restored({ bytes }: EarlierProgress): Promise<void> {
    this.takenBytes += bytes
    this.settledBytes += bytes
  }

  async unsendable(_event: UnsendableEvent): Promise<void> {
    this.rejected += 1
  }

  /** Returns the current line, at most `width` columns wide where possible. */
  line(width: number): string {
    const { now } = this.options
    if (this.notice !== undefined && now() < this.notice.until) return this.notice.text
    this.rate.add(now(), this.stored)
    this.pace.add(now(), this.done)
    const parts = [...this.parts()]
    while (parts.length > 1 && textWidth(joinParts(parts)) > width) {
      const highest = Math.max(...parts.map(({ rank }) => rank))
      parts.splice(
        parts.findIndex(({ rank }) => rank === highest),
        1,
      )
    }
    return joinParts(parts)
  }

  private *parts(): Generator<LinePart> {
    const { dataset, workload, now } = this.options
    if (this.takenBytes === 0) {
      yield { text: `${dataset}: waiting for events`, rank: 0 }
      return
    }
    yield { text: `${dataset}: ${counted(this.stored, 'event')} stored`, rank: 0 }
    if (this.rejected > 0) {
      yield { text: `${formatInteger(this.rejected)} rejected`, rank: 1 }
    }
    const share = this.share()
    if (share !== undefined) yield { text: `${Math.floor(share * 100)}%`, rank: 2 }
    const silence = now() - this.lastProgressAt
    if (!this.isWaiting || silence < SILENCE_THRESHOLD_MS) yield* this.speed()
    else yield { text: `no response for ${shortDuration(silence)}`, rank: 3 }
    yield { text: shortBytes(this.settledBytes), rank: 5 }
    if (workload.files > 1) {
      yield { text: `${this.input} (${workload.current()} of ${workload.files})`, rank: 6 }
    }
  }

  private *speed(): Generator<LinePart> {
    const left = this.secondsLeft()
    if (left !== undefined) yield { text: `${shortDuration(left * 1000)} left`, rank: 3 }
    const rate = this.rate.perSecond()
    if (rate !== undefined) {
      yield { text: `${formatInteger(Math.round(rate))}/s`, rank: 4 }
    }
  }

  /** True while a batch is in flight. */
  private get isWaiting(): boolean {
    return this.takenBytes > this.settledBytes
  }

  /** The number of bytes on disk whose events have an outcome. More bytes may already have been read. */
  private get done(): number {
    return this.options.workload.done(this.settledBytes)
  }

  private share(): number | undefined {
    const { total } = this.options.workload
    if (total === undefined || total === 0) return undefined
    return Math.min(1, this.done / total)
  }

  private secondsLeft(): number | undefined {
    const { total } = this.options.workload
    const pace = this.pace.perSecond()
    const share = this.share()
    if (total === undefined || share === undefined || share < MIN_SHARE) return undefined
    if (pace === undefined || pace <= 0) return undefined
    return Math.max(0, total - this.done) / pace
  }
}

function joinParts(parts: readonly LinePart[]): string {
  return parts.map(({ text }) => text).join(', ')
}

/** The rate of growth within a time window, which is not affected by an earlier slow start or pause. */
export class MovingRate {
  private readonly windowMs: number
  private readonly samples: { readonly at: number; readonly amount: number }[] = []

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  /** Adds a sample: the amount at a time in milliseconds. Times and amounts must not decrease. */
  add(at: number, amount: number): void {
    this.samples.push({ at, amount })
    // One sample older than the window is kept, so that the samples span the window.
    while (this.samples.length > 2 && this.samples[1]!.at <= at - this.windowMs)
      this.samples.shift()
  }

  /** Returns the growth per second; `undefined` while the samples span too little time. */
  perSecond(): number | undefined {
    const first = this.samples[0]
    const last = this.samples.at(-1)
    if (first === undefined || last === undefined || last.at - first.at < MIN_SAMPLE_MS)
      return undefined
    return ((last.amount - first.amount) / (last.at - first.at)) * 1000
  }
}

const MIN_SAMPLE_MS = 200
