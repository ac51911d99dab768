import type { Batch } from '../../../input/batch.js'
import type { Input } from '../../../input/input.js'
import type { OpenInput } from '../../../input/open.js'
import { counted, formatInteger } from '../../../text/integer.js'
import { width as textWidth } from '../../../text/width.js'
import { shortBytes, shortDuration } from '../../option/quantity.js'
import { type BatchOutcome, countEvents } from '../send/outcome.js'
import type { EarlierProgress } from './reporter.js'
import type { Workload } from './workload.js'

/** The time without a response after which it is shown. */
const SILENCE_THRESHOLD_MS = 3000
const WINDOW_MS = 10_000
/** The share of the work from which the remaining time is estimated. */
const MIN_SHARE = 0.001

/** The progress line of a run: the number of stored events, the rate, and the remaining time. */
export class Meter {
  private readonly dataset: string
  private readonly workload: Workload
  private readonly rate = movingRate(WINDOW_MS)
  private readonly pace = movingRate(WINDOW_MS)
  private stored = 0
  private rejectedEvents = 0
  /** The bytes of batches read from the inputs, and of batches with an outcome. */
  private takenBytes = 0
  private settledBytes = 0
  private input = ''
  private notice = { text: '', until: Number.NEGATIVE_INFINITY }
  private lastProgressAt = performance.now()

  constructor({ dataset, workload }: { dataset: string; workload: Workload }) {
    this.dataset = dataset
    this.workload = workload
  }

  /** Notes the start of an input. Returns the input to read instead, which counts its bytes. */
  countCompressed(opened: OpenInput): OpenInput {
    this.input = opened.name
    return { ...opened, bytes: this.workload.countCompressed(opened.bytes) }
  }

  countDecompressed(found: Input): Input {
    return { ...found, bytes: this.workload.countDecompressed(found.bytes) }
  }

  /** Notes a batch read from the input. */
  addBatch({ bytes }: Batch): void {
    // When no batch was waiting for a response, the wait begins now.
    if (!this.isWaiting) this.lastProgressAt = performance.now()
    this.takenBytes += bytes
  }

  /** Shows a notice in place of the progress for `forMs` milliseconds. */
  announce(text: string, forMs: number): void {
    this.notice = { text, until: performance.now() + forMs }
  }

  async settled({ batch, accepted, rejected }: BatchOutcome): Promise<void> {
    this.stored += accepted
    this.rejectedEvents += countEvents(rejected)
    this.settledBytes += batch.bytes
    this.lastProgressAt = performance.now()
  }

  /** Counts the bytes that earlier runs sent as done. */
  async restored({ bytes }: EarlierProgress): Promise<void> {
    this.takenBytes += bytes
    this.settledBytes += bytes
  }

  async unsendable(): Promise<void> {
    this.rejectedEvents += 1
  }

  /** Returns the current line, at most `width` columns wide where possible. */
  line(width: number): string {
    const now = performance.now()
    if (now < this.notice.until) return this.notice.text
    this.rate.add(now, this.stored)
    this.pace.add(now, this.done)
    const shown = [...this.parts()]
    while (shown.length > 1 && textWidth(shown.join(', ')) > width) shown.pop()
    return shown.join(', ')
  }

  /** True while a batch is in flight. */
  private get isWaiting(): boolean {
    return this.takenBytes > this.settledBytes
  }

  /** The number of bytes on disk whose events have an outcome. More bytes may already have been read. */
  private get done(): number {
    return this.workload.done(this.settledBytes)
  }

  /** Yields the parts of the line. When there is no room for all of them, the last ones are left out. */
  private *parts(): Generator<string> {
    const { dataset, workload, rejectedEvents } = this
    if (this.takenBytes === 0) return yield `${dataset}: waiting for events`
    yield `${dataset}: ${counted(this.stored, 'event')} stored`
    if (rejectedEvents > 0) yield `${formatInteger(rejectedEvents)} rejected`
    const share = workload.total ? Math.min(1, this.done / workload.total) : undefined
    if (share !== undefined) yield `${Math.floor(share * 100)}%`
    const silence = performance.now() - this.lastProgressAt
    if (!this.isWaiting || silence < SILENCE_THRESHOLD_MS) yield* this.speed(share)
    else yield `no response for ${shortDuration(silence)}`
    yield shortBytes(this.settledBytes)
    if (workload.files > 1) yield `${this.input} (${workload.current()} of ${workload.files})`
  }

  private *speed(share = 0): Generator<string> {
    const { total } = this.workload
    const bytesPerSecond = this.pace.perSecond() ?? 0
    if (total !== undefined && share >= MIN_SHARE && bytesPerSecond > 0) {
      const seconds = Math.max(0, total - this.done) / bytesPerSecond
      yield `${shortDuration(seconds * 1000)} left`
    }
    const perSecond = this.rate.perSecond()
    if (perSecond !== undefined) yield `${formatInteger(Math.round(perSecond))}/s`
  }
}

const MIN_SAMPLE_MS = 200

/** Returns the rate of growth within a time window, which is not affected by an earlier slow start or pause. */
export function movingRate(windowMs: number) {
  const samples: { readonly at: number; readonly amount: number }[] = []
  return {
    /** Adds a sample: the amount at a time in milliseconds. Times and amounts must not decrease. */
    add(at: number, amount: number): void {
      samples.push({ at, amount })
      // One sample older than the window is kept, so that the samples span the window.
      while (samples.length > 2 && samples[1]!.at <= at - windowMs) samples.shift()
    },
    /** Returns the growth per second; `undefined` while the samples span too little time. */
    perSecond(): number | undefined {
      const [first, last] = [samples[0], samples.at(-1)]
      if (!first || !last || last.at - first.at < MIN_SAMPLE_MS) return undefined
      return ((last.amount - first.amount) / (last.at - first.at)) * 1000
    },
  }
}
