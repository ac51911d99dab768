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
/** The window of the moving rates. */
const WINDOW_MS = 10_000
/** The share of the work from which the remaining time is estimated. */
const MIN_SHARE = 0.001

/** The progress line of a run: the number of stored events, the rate, and the remaining time. */
export type Meter = ReturnType<typeof ingestMeter>

export function ingestMeter({ dataset, workload }: { dataset: string; workload: Workload }) {
  const now = () => performance.now()
  const { total } = workload
  const rate = movingRate(WINDOW_MS)
  const pace = movingRate(WINDOW_MS)
  let stored = 0
  let rejectedEvents = 0
  /** The bytes of batches read from the inputs, and of batches with an outcome. */
  let takenBytes = 0
  let settledBytes = 0
  let input = ''
  let notice: { readonly text: string; readonly until: number } | undefined
  let lastProgressAt = now()

  /** True while a batch is in flight. */
  const isWaiting = () => takenBytes > settledBytes

  /** Returns the number of bytes on disk whose events have an outcome. More bytes may already have been read. */
  const done = () => workload.done(settledBytes)

  /** Yields the parts of the line. When there is no room for all of them, the last ones are left out. */
  function* parts(): Generator<string> {
    if (takenBytes === 0) return yield `${dataset}: waiting for events`
    yield `${dataset}: ${counted(stored, 'event')} stored`
    if (rejectedEvents > 0) yield `${formatInteger(rejectedEvents)} rejected`
    const share = total ? Math.min(1, done() / total) : undefined
    if (share !== undefined) yield `${Math.floor(share * 100)}%`
    const silence = now() - lastProgressAt
    if (!isWaiting() || silence < SILENCE_THRESHOLD_MS) yield* speed(share)
    else yield `no response for ${shortDuration(silence)}`
    yield shortBytes(settledBytes)
    if (workload.files > 1) yield `${input} (${workload.current()} of ${workload.files})`
  }

  function* speed(share = 0): Generator<string> {
    const bytesPerSecond = pace.perSecond() ?? 0
    if (total !== undefined && share >= MIN_SHARE && bytesPerSecond > 0) {
      const seconds = Math.max(0, total - done()) / bytesPerSecond
      yield `${shortDuration(seconds * 1000)} left`
    }
    const perSecond = rate.perSecond()
    if (perSecond !== undefined) yield `${formatInteger(Math.round(perSecond))}/s`
  }

  return {
    /** Notes the start of an input. Returns the input to read instead, which counts its bytes. */
    countCompressed(opened: OpenInput): OpenInput {
      input = opened.name
      return { ...opened, bytes: workload.countCompressed(opened.bytes) }
    },
    countDecompressed: (found: Input): Input => ({
      ...found,
      bytes: workload.countDecompressed(found.bytes),
    }),
    /** Notes a batch read from the input. */
    addBatch({ bytes }: Batch): void {
      // When no batch was waiting for a response, the wait begins now.
      if (!isWaiting()) lastProgressAt = now()
      takenBytes += bytes
    },
    /** Shows a notice in place of the progress for `forMs` milliseconds. */
    announce(text: string, forMs: number): void {
      notice = { text, until: now() + forMs }
    },
    async settled({ batch, accepted, rejected }: BatchOutcome): Promise<void> {
      stored += accepted
      rejectedEvents += countEvents(rejected)
      settledBytes += batch.bytes
      lastProgressAt = now()
    },
    /** Counts the bytes that earlier runs sent as done. */
    async restored({ bytes }: EarlierProgress): Promise<void> {
      takenBytes += bytes
      settledBytes += bytes
    },
    async unsendable(): Promise<void> {
      rejectedEvents += 1
    },
    /** Returns the current line, at most `width` columns wide where possible. */
    line(width: number): string {
      if (notice !== undefined && now() < notice.until) return notice.text
      rate.add(now(), stored)
      pace.add(now(), done())
      const shown = [...parts()]
      while (shown.length > 1 && textWidth(shown.join(', ')) > width) shown.pop()
      return shown.join(', ')
    },
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
