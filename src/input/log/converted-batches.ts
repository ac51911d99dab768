import type { InputItem } from '../batch.js'
import { type BufferPool, SpareBuffers } from '../buffer-pool.js'
import { convertBatch } from './conversion.js'
import type { Conversion } from './log-format.js'
import type { ConversionThreads } from './thread/conversion-threads.js'
import { isMovable, RemoteConversion } from './thread/remote-conversion.js'

interface ConversionOptions {
  readonly conversion: Conversion
  readonly pool: BufferPool
  /** The maximum number of events of a batch. */
  readonly maxEvents: number
  /** The threads that convert the rest of a long input. */
  readonly threads?: ConversionThreads | undefined
  /** True while no bytes can be read without waiting for them. */
  isWaiting(): boolean
}

/** Converts the batches of a log, on other threads if the log is long. Items keep their order. */
export async function* convertedBatches(
  items: AsyncGenerator<InputItem>,
  options: ConversionOptions,
): AsyncGenerator<InputItem> {
  const { conversion, threads, pool, isWaiting } = options
  try {
    const isMoved = yield* convertedHere(items, options)
    if (!isMoved || threads === undefined || !isMovable(conversion)) return
    const remote = new RemoteConversion(conversion, threads, pool)
    try {
      yield* convertedInOrder(items, remote)
    } finally {
      remote.end()
    }
  } finally {
    const ended = items.return(undefined)
    ended.catch(() => {})
    // A read that waits for input ends only when the input is closed.
    if (!isWaiting()) await ended
  }
}

/** Converts batches on this thread until another thread is ready; returns false at the end of the input. */
async function* convertedHere(
  items: AsyncGenerator<InputItem>,
  { conversion, threads, pool, maxEvents }: ConversionOptions,
): AsyncGenerator<InputItem, boolean> {
  const spare = new SpareBuffers()
  let fast = 0
  for (;;) {
    const needsThread = threads !== undefined && fast >= threads.after && isMovable(conversion)
    if (needsThread && threads.ready.length > 0) return true
    if (needsThread) threads.start()
    const { value: item, done } = await items.next()
    if (done) return false
    if (item.kind === 'batch') {
      const isFull = item.events >= maxEvents || item.bytes * 2 >= pool.size
      fast = isFull ? fast + item.bytes : 0
    }
    const found = item.kind === 'batch' ? convertBatch(item, conversion, spare) : item
    if (found !== undefined) yield found
  }
}

/** Reads further batches while other threads convert earlier batches. */
async function* convertedInOrder(
  items: AsyncGenerator<InputItem>,
  remote: RemoteConversion,
): AsyncGenerator<InputItem> {
  const results: Promise<InputItem | undefined>[] = []
  let reading: Promise<IteratorResult<InputItem>> | undefined = inTurn(items.next())
  while (reading !== undefined || results.length > 0) {
    if (reading && results.length < remote.capacity && (await isFirst(reading, results[0]))) {
      try {
        const { value: item, done }: IteratorResult<InputItem> = await reading
        if (!done) results.push(inTurn(converted(item, remote)))
        reading = done ? undefined : inTurn(items.next())
      } catch (error) {
        results.push(inTurn(Promise.reject(error)))
        reading = undefined
      }
    } else {
      const item = await results.shift()
      if (item !== undefined) yield item
    }
  }
}

/** Returns a promise whose error is handled when it is the turn of its item. */
function inTurn<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {})
  return promise
}

async function converted(
  item: InputItem,
  remote: RemoteConversion,
): Promise<InputItem | undefined> {
  return item.kind === 'batch' ? remote.convert(item) : item
}

/** Resolves with true when reading settles before the oldest result. */
async function isFirst(
  reading: Promise<unknown>,
  oldest: Promise<unknown> | undefined,
): Promise<boolean> {
  if (oldest === undefined) return true
  const settled = (promise: Promise<unknown>, value: boolean) =>
    promise.then(
      () => value,
      () => value,
    )
  return Promise.race([settled(reading, true), settled(oldest, false)])
}
