import type { Batch, InputEnd, UnsendableEvent } from '../batch.js'
import { type BufferPool, SpareBuffers } from '../buffer-pool.js'
import { convertBatch } from './conversion.js'
import type { Conversion } from './log-format.js'
import {
  type ConversionThread,
  isMovable,
  type RemoteConversion,
} from './thread/conversion-thread.js'

type Item = Batch | UnsendableEvent | InputEnd

interface ConversionOptions {
  readonly conversion: Conversion
  readonly pool: BufferPool
  /** The maximum number of events of a batch. */
  readonly maxEvents: number
  /** Converts the rest of a long input. */
  readonly thread?: ConversionThread | undefined
  /** True while no bytes can be read without waiting for them. */
  isWaiting(): boolean
}

/** The maximum number of batches sent to the thread: one that it converts, and one that waits. */
const MAX_PENDING = 2

/** Converts the batches of a log, those of a long log on another thread. Items keep their order. */
export async function* convertedBatches(
  items: AsyncGenerator<Item>,
  options: ConversionOptions,
): AsyncGenerator<Item> {
  const { conversion, thread, pool, isWaiting } = options
  try {
    const isMoved = yield* convertedHere(items, options)
    if (!isMoved || thread === undefined || !isMovable(conversion)) return
    const remote = thread.continue(conversion, pool)
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

/** Converts batches on this thread until the other thread is ready; returns false at the end of the input. */
async function* convertedHere(
  items: AsyncGenerator<Item>,
  { conversion, thread, pool, maxEvents }: ConversionOptions,
): AsyncGenerator<Item, boolean> {
  const spare = new SpareBuffers()
  let fast = 0
  for (;;) {
    const needsThread = thread !== undefined && fast >= thread.after && isMovable(conversion)
    if (needsThread && thread.isReady) return true
    if (needsThread) thread.start()
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

/** The next item, or the end of the input and the error that caused it, if any. */
type Read =
  | { readonly kind: 'item'; readonly item: Item }
  | { readonly kind: 'end'; readonly failure?: { readonly error: unknown } }

/** Reads further batches while another thread converts earlier batches. */
async function* convertedInOrder(
  items: AsyncGenerator<Item>,
  remote: RemoteConversion,
): AsyncGenerator<Item> {
  const results: Promise<Item | undefined>[] = []
  let reading: Promise<Read> | undefined = readNext(items)
  let failure: { readonly error: unknown } | undefined
  while (reading !== undefined || results.length > 0) {
    const [oldest] = results
    if (reading && results.length < MAX_PENDING && (await isFirst(reading, oldest))) {
      const read: Read = await reading
      if (read.kind === 'item') results.push(result(read.item, remote))
      else failure = read.failure
      reading = read.kind === 'item' ? readNext(items) : undefined
    } else {
      const item = await results.shift()
      if (item !== undefined) yield item
    }
  }
  if (failure !== undefined) throw failure.error
}

async function readNext(items: AsyncGenerator<Item>): Promise<Read> {
  try {
    const { value: item, done } = await items.next()
    return done ? { kind: 'end' } : { kind: 'item', item }
  } catch (error) {
    return { kind: 'end', failure: { error } }
  }
}

function result(item: Item, remote: RemoteConversion): Promise<Item | undefined> {
  if (item.kind !== 'batch') return Promise.resolve(item)
  const converted = remote.convert(item)
  // The caller handles the error when it is the turn of this batch.
  converted.catch(() => {})
  return converted
}

/** Resolves with true when reading settles before the oldest result. */
async function isFirst(
  reading: Promise<Read>,
  oldest: Promise<Item | undefined> | undefined,
): Promise<boolean> {
  if (oldest === undefined) return true
  const isResult = () => false
  return Promise.race([reading.then(() => true), oldest.then(isResult, isResult)])
}
