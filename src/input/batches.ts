import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { BODY_BYTES } from '../wire/limits.js'
import type { Batch, InputItem } from './batch.js'
import { BatchBuilder } from './batch-builder.js'
import { type BufferPool, SpareBuffers } from './buffer-pool.js'
import { type ByteSource, isReadyWithin } from './byte-source.js'
import type { Input } from './input.js'
import { convertedBatches } from './log/converted-batches.js'
import type { ConversionThreads } from './log/thread/conversion-threads.js'
import { rewriteBatch } from './mapping/rewrite.js'
import { withSourceFields } from './mapping/source-fields.js'
import { inputError } from './open.js'

/** Limits of a batch, and the time after which an incomplete one is sent. */
export interface BatchOptions {
  readonly pool: BufferPool
  readonly maxEvents: number
  /** The longest time that an event waits for further events of its batch. */
  readonly flushMs: number
  /** Aborting stops reading; complete events that were read are still yielded. */
  readonly signal?: AbortSignal
  readonly maxEventBytes?: number
  /** True when an input that ends early is read again after the last event that was yielded. */
  readonly isResumable?: boolean
  /** True when a last event that only the end of the input completes becomes a batch of its own. */
  readonly isTailApart?: boolean
  /** The threads that convert long logs; without them, this thread converts all logs. */
  readonly threads?: ConversionThreads | undefined
}

/** The time to wait at the end of a pipe: a Ctrl-C that ended its writer may arrive here a little later. */
const INTERRUPT_GRACE_MS = 50

/**
 * Yields the batches of an input, then an `InputEnd`. Batches are read on demand, so memory does not grow with the input.
 * Throws `InputError` after the `InputEnd` when the input cannot be read.
 */
export async function* batches(input: Input, options: BatchOptions): AsyncGenerator<InputItem> {
  const { conversion } = input.framing
  const raw = rawBatches(input, options)
  const items =
    conversion === undefined
      ? raw
      : convertedBatches(raw, {
          ...options,
          conversion,
          isWaiting: () => input.bytes.ready() !== undefined,
        })
  const spare = new SpareBuffers()
  for await (const item of items) {
    if (item.kind !== 'batch') yield item
    else {
      const batch = mapped(input.strayLines?.read(item) ?? item, input, spare)
      yield input.hasSourceFields ? withSourceFields(batch, spare) : batch
    }
  }
}

/** Applies the mapping of the input to a batch. */
function mapped(batch: Batch, { mapping, rewrite }: Input, spare: SpareBuffers): Batch {
  const { timestampField, timeLayout } = mapping
  if (timestampField === undefined && rewrite === undefined) return batch
  return {
    ...(rewrite === undefined ? batch : rewriteBatch(batch, rewrite, spare)),
    mapping,
    timestampField: timeLayout === undefined ? timestampField : '_time',
  }
}

/** Yields the batches before conversion, with the bytes of the input. */
async function* rawBatches(input: Input, options: BatchOptions): AsyncGenerator<InputItem> {
  const { name, bytes, framing, start, isLive } = input
  const { signal, maxEventBytes = BODY_BYTES, isResumable = !isLive } = options
  const builder = new BatchBuilder({ ...options, input: name, framing, start, maxEventBytes })
  const clock = new FlushClock(options.flushMs)
  let isWhole = false
  try {
    while (!signal?.aborted) {
      const ready = bytes.ready()
      if (ready !== undefined && (await clock.runsOut(ready))) {
        clock.stop()
        const isSilent = clock.isSilent && !(await haveArrived(bytes))
        yield* isSilent ? builder.settle() : builder.flush()
        if (builder.hasOpenEvent && !isSilent) clock.startSilence()
        continue
      }
      const length = await bytes.read(builder.space())
      isWhole = length === 0
      if (isWhole) break
      let hasSent = false
      for (const item of builder.take(length)) {
        hasSent = true
        yield item
      }
      if (hasSent) clock.stop()
      clock.arrived()
      if (builder.hasEvents || builder.hasOpenEvent) clock.start()
    }
  } catch (error) {
    if (!isResumable) yield* builder.settle({ isLast: true })
    yield* builder.finish({ tail: false })
    yield { kind: 'end', input: name, position: builder.position, isWhole: false }
    throw inputError(name, error)
  }
  if (isLive && builder.hasPartialLine) await sleep(INTERRUPT_GRACE_MS)
  // An interrupted writer leaves half a line.
  isWhole &&= !signal?.aborted
  if (!isWhole && !isResumable) yield* builder.settle({ isLast: true })
  if (options.isTailApart) yield* builder.flush()
  yield* builder.finish({ tail: isWhole })
  yield { kind: 'end', input: name, position: builder.position, isWhole }
}

/**
 * True when bytes have arrived that were not reported yet: in a process that was suspended or busy, timers run before
 * the arrival of input is reported.
 */
async function haveArrived(bytes: ByteSource): Promise<boolean> {
  await nextTurn()
  return bytes.ready() === undefined
}

/** After this time without bytes, no further lines of an event are expected. */
const SILENCE_MS = 1000
/** A timer may fire this much too early. */
const TIMER_ERROR_MS = 1

/** Measures the time since the first event of a batch. */
class FlushClock {
  private readonly flushMs: number
  private due = Number.POSITIVE_INFINITY
  private lastArrival = 0

  constructor(flushMs: number) {
    this.flushMs = flushMs
  }

  /** Starts the clock, unless it is running. */
  start(): void {
    this.due = Math.min(this.due, performance.now() + this.flushMs)
  }

  /** Sets the clock to the time when the silence will be long enough. */
  startSilence(): void {
    this.due = this.lastArrival + SILENCE_MS
  }

  /** Records the arrival of bytes. */
  arrived(): void {
    this.lastArrival = performance.now()
  }

  /** True when no bytes have arrived for a while. */
  get isSilent(): boolean {
    return performance.now() >= this.lastArrival + SILENCE_MS - TIMER_ERROR_MS
  }

  stop(): void {
    this.due = Number.POSITIVE_INFINITY
  }

  /** Waits for `ready`; resolves with true when the time is up first. */
  async runsOut(ready: Promise<void>): Promise<boolean> {
    if (this.due === Number.POSITIVE_INFINITY) {
      await ready
      return false
    }
    return !(await isReadyWithin(ready, this.due - performance.now()))
  }
}
