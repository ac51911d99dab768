import type { Batch } from '../../batch.js'
import type { BufferPool } from '../../buffer-pool.js'
import { convertedBatch, GROWTH } from '../conversion.js'
import { type ConvertedRecords, convertRecordsAfter } from '../convert-records.js'
import { escapedBytes } from '../escaped-bytes.js'
import type { LastTime } from '../last-time.js'
import type { Conversion } from '../log-format.js'
import type { ConversionThread } from './conversion-thread.js'
import type { ConversionThreads } from './conversion-threads.js'
import type { ThreadBatch, ThreadResult } from './messages.js'

/**
 * With so many batches at each thread, the next one is converted here: this thread would only wait for them. Several threads are faster
 * than it reads, and do not have so many.
 */
const FULL_LOAD = 2

/** The events of a batch and its bytes, which may have been transferred to a thread and back. */
interface Result extends ConvertedRecords {
  readonly body: Buffer
}

/** A conversion that another thread can continue. */
type MovableConversion = Conversion & Required<Pick<Conversion, 'origin' | 'state'>>

/** True when another thread can continue a conversion. */
export function isMovable(conversion: Conversion): conversion is MovableConversion {
  return conversion.origin !== undefined && conversion.state !== undefined
}

/**
 * True when batches can be converted at the same time: how one is read depends on earlier ones only by the time that events without
 * one get. If the year of the first time is set, the years of other times depend on earlier times.
 */
function isParallel({ origin, state, lineTime }: MovableConversion): boolean {
  const found = lineTime?.()
  const hasTimes = state.last.time !== undefined && (found === undefined || found.kind === 'found')
  return hasTimes && origin.year === undefined
}

/** A conversion that continues on other threads, at least one of which is ready, and that is not used otherwise from then on. */
export class RemoteConversion {
  private readonly conversion: MovableConversion
  private readonly threads: ConversionThreads
  private readonly pool: BufferPool
  private readonly id: number
  private readonly isParallel: boolean
  private readonly first: ConversionThread
  private readonly used = new Set<ConversionThread>()
  private bytes = 0
  /** The time in front of the next batch. */
  private last: Promise<LastTime>

  constructor(conversion: MovableConversion, threads: ConversionThreads, pool: BufferPool) {
    this.conversion = conversion
    this.threads = threads
    this.pool = pool
    this.id = threads.nextId()
    this.isParallel = isParallel(conversion)
    this.first = threads.ready[0]!
    this.last = Promise.resolve({ ...conversion.state.last })
  }

  /** The number of batches that keep the threads busy. */
  get capacity(): number {
    return this.readyThreads().length + (this.isParallel ? 2 : 1)
  }

  /** Resolves with the batch of events; undefined when it has none. The calls are in the order of the batches. */
  async convert(batch: Batch): Promise<Batch | undefined> {
    this.bytes += batch.body.length
    const before = this.last
    const result = this.converted(batch, before)
    const after = result.then(async (found) => found.last ?? (await before))
    after.catch(() => {})
    this.last = after
    const { body, ...events } = await result
    const converted = { ...events, timeBefore: (await before).time, last: await after }
    const release = () => {
      this.threads.spare.give(events.output)
      this.pool.give(Buffer.from(body.buffer))
    }
    return convertedBatch({ ...batch, body }, { conversion: this.conversion, converted, release })
  }

  end(): void {
    for (const thread of this.used) thread.send({ kind: 'end', id: this.id })
  }

  private readyThreads(): readonly ConversionThread[] {
    if (!this.isParallel) return [this.first]
    this.threads.start(1 + Math.floor(this.bytes / this.threads.after))
    return this.threads.ready
  }

  private leastBusy(): ConversionThread {
    // When all threads have failed, the first one rejects.
    const [thread = this.first] = this.readyThreads().toSorted((a, b) => a.load - b.load)
    const { origin, state } = this.conversion
    if (!this.used.has(thread)) thread.send({ kind: 'continue', id: this.id, origin, state })
    this.used.add(thread)
    return thread
  }

  /** Converts a batch; one that begins with an event that needs the time in front of it waits for this time. */
  private async converted(batch: Batch, before: Promise<LastTime>): Promise<Result> {
    // The body has no length any more when its memory has been transferred.
    const { length } = batch.body
    const thread = this.leastBusy()
    const output = this.threads.spare.take(length * GROWTH)
    if (this.isParallel && thread.load >= FULL_LOAD) {
      const here = { batch, output }
      return this.convertedHere('unknown', here) ?? this.convertedHere(await before, here)!
    }
    const response = await thread.convert(this.request(batch, output))
    const body = Buffer.from(response.body, 0, length)
    if (response.kind === 'converted') return this.resultOf(response, body)
    const here = { batch: { ...batch, body }, output: Buffer.from(response.output) }
    return this.convertedHere(await before, here)!
  }

  private request({ body, start, extents = [] }: Batch, output: Buffer): ThreadBatch {
    return {
      id: this.id,
      length: body.length,
      line: start.line,
      lastWritten: this.conversion.lastWritten?.(),
      body: body.buffer as ArrayBuffer,
      extents: new Int32Array(extents),
      escapes: escapedBytes(body, extents),
      output: output.buffer as ArrayBuffer,
      isParallel: this.isParallel,
    }
  }

  private resultOf({ found, ...result }: ThreadResult, body: Buffer): Result {
    const { state, fields } = this.conversion
    for (const field of found) state.fields.add(field)
    return { ...result, body, output: Buffer.from(result.output), fields: fields?.() }
  }

  /** Returns undefined when the time in front of the batch is unknown and an event needs it. */
  private convertedHere(
    before: LastTime | 'unknown',
    {
      batch: { body, start, extents = [] },
      output,
    }: { readonly batch: Batch; readonly output: Buffer },
  ): Result | undefined {
    const records = { body, extents, line: start.line }
    const events = convertRecordsAfter(before, { records, conversion: this.conversion, output })
    return events && { ...events, body }
  }
}
