import { threadFile } from '../../../wire/bytes/worker-thread.js'
import type { Batch } from '../../batch.js'
import { type BufferPool, SpareBuffers } from '../../buffer-pool.js'
import { convertedBatch, GROWTH } from '../conversion.js'
import { type ConvertedRecords, convertRecordsAfter } from '../convert-records.js'
import { escapedBytes } from '../escaped-bytes.js'
import type { LastTime } from '../last-time.js'
import type { Conversion } from '../log-format.js'
import { ConversionThread } from './conversion-thread.js'
import type { ThreadResult } from './messages.js'

/** Continues a conversion on other threads. */
export interface RemoteConversion {
  /** The number of batches that keep the threads busy. */
  readonly capacity: number
  /** Resolves with the batch of events; undefined when it has none. The calls are in the order of the batches. */
  convert(batch: Batch): Promise<Batch | undefined>
  end(): void
}

/**
 * Each thread starts after so many bytes more: its start, and compiling the code once more for it, take as much CPU time as converting
 * 30 MB.
 */
const START_AFTER = 8 * 1024 * 1024
/** The thread that stores events is as fast as so many threads that convert them. */
const MAX_THREADS = 3

/**
 * With so many batches at each thread, the next one is converted here: this thread would only wait for them. Several threads are faster
 * than it reads, and do not have so many.
 */
const FULL_LOAD = 2

/** The events of a batch and its bytes, which may have been transferred to a thread and back. */
interface Result extends ConvertedRecords {
  readonly body: Buffer
}

/** Returns the module that a thread runs; undefined when the program runs from TypeScript. */
export function conversionWorkerFile(): URL | undefined {
  return threadFile('conversion-worker', import.meta.url)
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

/** The threads that convert the records of all inputs of a run. They start when they are first needed. */
export class ConversionThreads {
  /** Each thread starts after this many bytes more that arrived as fast as they were converted. */
  readonly after: number
  private readonly file: URL
  private readonly most: number
  private readonly threads: ConversionThread[] = []
  private readonly spare = new SpareBuffers()
  private conversions = 0

  /** `file` is the module that a thread runs, `most` the maximum number of threads. */
  constructor(file: URL, { most = 1, after = START_AFTER } = {}) {
    this.file = file
    this.most = Math.min(most, MAX_THREADS)
    this.after = after
  }

  /** The number of threads that can convert. */
  get ready(): number {
    return this.threads.filter((thread) => thread.isReady).length
  }

  /** Starts threads up to a number. */
  start(count = 1): void {
    while (this.threads.length < Math.min(count, this.most)) {
      this.threads.push(new ConversionThread(this.file))
    }
  }

  /** Continues a conversion, which must not be used otherwise from then on. */
  continue(conversion: MovableConversion, pool: BufferPool): RemoteConversion {
    const { origin, state, lastWritten } = conversion
    const id = ++this.conversions
    const parallel = isParallel(conversion)
    const used = new Set<ConversionThread>()
    const first = this.threads.find(({ isReady }) => isReady) ?? this.threads[0]!
    let bytes = 0
    let last: Promise<LastTime> = Promise.resolve({ ...state.last })

    const ready = (): readonly ConversionThread[] => {
      if (!parallel) return [first]
      this.start(1 + Math.floor(bytes / this.after))
      return this.threads.filter(({ isReady }) => isReady)
    }
    const leastBusy = (): ConversionThread => {
      // When all threads have failed, the first one rejects.
      const [thread = first] = ready().toSorted((a, b) => a.load - b.load)
      if (!used.has(thread)) thread.send({ kind: 'continue', id, origin, state })
      used.add(thread)
      return thread
    }

    /** Converts a batch; one that begins with an event that needs the time in front of it waits for this time. */
    const converted = async (
      { body, start, extents = [] }: Batch,
      before: Promise<LastTime>,
    ): Promise<Result> => {
      const { length } = body
      const thread = leastBusy()
      const output = this.spare.take(length * GROWTH)
      if (parallel && thread.load >= FULL_LOAD) {
        const here = { records: { body, extents, line: start.line }, conversion, output }
        const events = convertRecordsAfter('unknown', here)
        return { ...(events ?? convertRecordsAfter(await before, here)!), body }
      }
      const response = await thread.convert({
        id,
        length,
        line: start.line,
        lastWritten: lastWritten?.(),
        body: body.buffer as ArrayBuffer,
        extents: new Int32Array(extents),
        escapes: escapedBytes(body, extents),
        output: output.buffer as ArrayBuffer,
        before: parallel ? 'unknown' : 'own',
      })
      const { found, ...result } =
        response.kind === 'converted'
          ? response
          : ((await thread.convert({ ...response.batch, before: await before })) as ThreadResult)
      for (const field of found) state.fields.add(field)
      return {
        ...result,
        body: Buffer.from(result.body, 0, length),
        output: Buffer.from(result.output),
        fields: conversion.fields?.(),
      }
    }

    return {
      get capacity() {
        return ready().length + (parallel ? 2 : 1)
      },
      convert: async (batch) => {
        bytes += batch.body.length
        const before = last
        const result = converted(batch, before)
        const after = result.then(async (found) => found.last ?? (await before))
        after.catch(() => {})
        last = after
        const { body, ...events } = await result
        return convertedBatch(
          { ...batch, body },
          {
            conversion,
            converted: { ...events, timeBefore: (await before).time, last: await after },
            release: () => {
              this.spare.give(events.output)
              pool.give(Buffer.from(body.buffer))
            },
          },
        )
      },
      end: () => {
        for (const thread of used) thread.send({ kind: 'end', id })
      },
    }
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()))
  }
}
