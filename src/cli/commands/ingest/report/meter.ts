import type { Batch, UnsendableEvent } from '../../../../input/batch.js'
import type { Input } from '../../../../input/input.js'
import type { OpenInput } from '../../../../input/open.js'
import { formatInteger } from '../../../../text/integer.js'
import { width as textWidth } from '../../../../text/width.js'
import { counted, shortBytes, shortDuration } from '../../../option/quantity.js'
import { type Account, eventsIn, type Outcome, type Restored } from './account.js'
import type { Workload } from './workload.js'

interface MeterOptions {
  readonly dataset: string
  readonly workload: Workload
  /** Milliseconds, of a clock that never goes back. */
  now(): number
}

/** How long a pause may be until it is told. */
const SILENCE_MS = 3000
/** What counts as lately. */
const WINDOW_MS = 10_000
/** A share or an end that is foretold from less is a guess. */
const LEAST_SHARE = 0.001

/** A part of the line; where there is no room for all, those with the highest rank go first. */
interface LinePart {
  readonly text: string
  readonly rank: number
}

/** The account that moves: what has become of the events so far, how fast, and how long it may take. */
export class Meter implements Account {
  private readonly options: MeterOptions
  private readonly rate = new MovingRate(WINDOW_MS)
  private readonly pace = new MovingRate(WINDOW_MS)
  private stored = 0
  private rejected = 0
  /** Bytes of batches that were taken from the inputs, and of those that came to their end. */
  private taken = 0
  private settledBytes = 0
  private input = ''
  private notice: { readonly text: string; readonly until: number } | undefined
  private lastNews: number

  constructor(options: MeterOptions) {
    this.options = options
    this.lastNews = options.now()
  }

  /** An input begins, which is to be read by what is returned. */
  opened(opened: OpenInput): OpenInput {
    this.input = opened.name
    return { ...opened, bytes: this.options.workload.packed(opened.bytes) }
  }

  /** It turned out to be events of a kind, and is to be read by what is returned. */
  begun(input: Input): Input {
    return { ...input, bytes: this.options.workload.unpacked(input.bytes) }
  }

  /** A batch was taken from the input. */
  take({ bytes }: Batch): void {
    // Nobody owed an answer before.
    if (!this.isOwed) this.lastNews = this.options.now()
    this.taken += bytes
  }

  /** Shows something else for a time. */
  announce(text: string, forMs: number): void {
    this.notice = { text, until: this.options.now() + forMs }
  }

  async settled({ batch, accepted, rejected }: Outcome): Promise<void> {
    this.stored += accepted
    this.rejected += eventsIn(rejected)
    this.settledBytes += batch.bytes
    this.lastNews = this.options.now()
  }

  /** What earlier runs have settled is done too. */
  async restored({ bytes }: Restored): Promise<void> {
    this.taken += bytes
    this.settledBytes += bytes
  }

  async unsendable(_event: UnsendableEvent): Promise<void> {
    this.rejected += 1
  }

  /** What there is to tell now, in so many columns. */
  line(width: number): string {
    const { now } = this.options
    if (this.notice !== undefined && now() < this.notice.until) return this.notice.text
    this.rate.add(now(), this.stored)
    this.pace.add(now(), this.done)
    const parts = [...this.parts()]
    while (parts.length > 1 && textWidth(joined(parts)) > width) {
      const highest = Math.max(...parts.map(({ rank }) => rank))
      parts.splice(
        parts.findIndex(({ rank }) => rank === highest),
        1,
      )
    }
    return joined(parts)
  }

  private *parts(): Generator<LinePart> {
    const { dataset, workload, now } = this.options
    if (this.taken === 0) {
      yield { text: `${dataset}: waiting for events`, rank: 0 }
      return
    }
    yield { text: `${dataset}: ${counted(this.stored, 'event')} stored`, rank: 0 }
    if (this.rejected > 0) {
      yield { text: `${formatInteger(this.rejected)} rejected`, rank: 1 }
    }
    const share = this.share()
    if (share !== undefined) yield { text: `${Math.floor(share * 100)}%`, rank: 2 }
    const silence = now() - this.lastNews
    if (!this.isOwed || silence < SILENCE_MS) yield* this.speed()
    else yield { text: `no answer for ${shortDuration(silence)}`, rank: 3 }
    yield { text: shortBytes(this.settledBytes), rank: 5 }
    if (workload.files > 1) {
      yield { text: `${this.input} (${workload.current} of ${workload.files})`, rank: 6 }
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

  /** Whether a batch is under way. */
  private get isOwed(): boolean {
    return this.taken > this.settledBytes
  }

  /** Bytes on the disk whose events have come to their end: reading is ahead of that. */
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
    if (total === undefined || share === undefined || share < LEAST_SHARE) return undefined
    if (pace === undefined || pace <= 0) return undefined
    return Math.max(0, total - this.done) / pace
  }
}

function joined(parts: readonly LinePart[]): string {
  return parts.map(({ text }) => text).join(', ')
}

/** How fast something grows lately, and not since its beginning: a slow start or a pause is forgotten. */
export class MovingRate {
  private readonly windowMs: number
  private readonly samples: { readonly at: number; readonly amount: number }[] = []

  constructor(windowMs: number) {
    this.windowMs = windowMs
  }

  /** Notes an amount at a time in milliseconds; neither ever goes back. */
  add(at: number, amount: number): void {
    this.samples.push({ at, amount })
    // One sample older than the window stays, or a window would begin at the first news in it.
    while (this.samples.length > 2 && this.samples[1]!.at <= at - this.windowMs)
      this.samples.shift()
  }

  /** A second; undefined while too little time has passed to tell. */
  perSecond(): number | undefined {
    const first = this.samples[0]
    const last = this.samples.at(-1)
    if (first === undefined || last === undefined || last.at - first.at < LEAST_MS) return undefined
    return ((last.amount - first.amount) / (last.at - first.at)) * 1000
  }
}

const LEAST_MS = 200
