import { PassThrough } from 'node:stream'
import type { Batch, UnsendableEvent } from '../../src/input/batch.js'
import { type BatchOptions, batches } from '../../src/input/batches.js'
import { BufferPool } from '../../src/input/buffer-pool.js'
import { type ByteSource, streamBytes } from '../../src/input/byte-source.js'
import { detectInput } from '../../src/input/input.js'
import type { ReadOptions } from '../../src/input/read-options.js'

export type CutOptions = Partial<BatchOptions> &
  Omit<ReadOptions, 'now'> & {
    /** Nanoseconds since 1970. */
    readonly now?: bigint
    /** Time of the last write to the input; missing for a pipe. */
    readonly lastWritten?: bigint
    readonly batchBytes?: number
    /** Called after each batch. */
    readonly onBatch?: () => void
    readonly name?: string
  }

/** A copy of a batch with its body as text, because the buffer is reused. */
export interface Seen extends Omit<Batch, 'body' | 'release' | 'source'> {
  readonly body: string
  /** The original records, where the body does not hold the bytes of the input. */
  readonly sources?: readonly SeenSource[]
}

/** The text of an event in its input, and its position. */
export interface SeenSource {
  readonly text: string
  readonly offset: number
  readonly line: number | undefined
}

/** Returns bytes in chunks of a given size. */
export function inPieces(bytes: Buffer, size: number): ByteSource {
  let at = 0
  return {
    ready: () => undefined,
    async read(target) {
      const length = bytes.copy(target, 0, at, Math.min(at + size, bytes.length))
      at += length
      return length
    },
    async close() {},
  }
}

/** Counts the bytes that are read. */
export function counted(bytes: ByteSource): ByteSource & { count(): number } {
  let count = 0
  return {
    ready: () => bytes.ready(),
    async read(target) {
      const length = await bytes.read(target)
      count += length
      return length
    },
    close: () => bytes.close(),
    count: () => count,
  }
}

/** Returns everything that an input yields. */
export async function cut(
  input: string | Buffer | ByteSource,
  options: CutOptions = {},
): Promise<(Seen | UnsendableEvent)[]> {
  const { batchBytes = 4 * 1024 * 1024, name = 'input', now, lastWritten, ...rest } = options
  const bytes =
    typeof input === 'string' || Buffer.isBuffer(input)
      ? inPieces(Buffer.from(input), 64 * 1024)
      : input
  const begun = await detectInput(
    { name, bytes, isLive: false, ...(lastWritten && { lastWritten: () => lastWritten }) },
    { ...rest, ...(now && { now: () => now }) },
  )
  const pool = new BufferPool(batchBytes)
  const seen: (Seen | UnsendableEvent)[] = []
  for await (const item of batches(begun, { pool, maxEvents: 10_000, flushMs: 1000, ...rest })) {
    if (item.kind === 'unsendable') seen.push(item)
    else if (item.kind === 'batch') {
      const { body, release, source, ...others } = item
      const sources = source && sourcesOf({ events: item.events, source })
      seen.push({ ...others, body: body.toString('utf8'), ...(sources && { sources }) })
      // Released buffers are overwritten at once, so that their use is detected.
      body.fill(0x23)
      release()
      options.onBatch?.()
    }
  }
  await begun.bytes.close()
  return seen
}

function sourcesOf({ events, source }: Required<Pick<Batch, 'events' | 'source'>>): SeenSource[] {
  return Array.from({ length: events }, (_, index) => {
    const { text, offset, line } = source(index)
    return { text: text.toString('utf8'), offset, line }
  })
}

export function bodies(seen: readonly (Seen | UnsendableEvent)[]): string[] {
  return seen.flatMap((item) => (item.kind === 'batch' ? [item.body] : []))
}

/** Returns the events in bodies of NDJSON. */
export function eventsIn(seen: readonly (Seen | UnsendableEvent)[]): unknown[] {
  const lines = bodies(seen).flatMap((body) => body.split('\n'))
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line))
}

export function unsendable(seen: readonly (Seen | UnsendableEvent)[]): UnsendableEvent[] {
  return seen.flatMap((item) => (item.kind === 'unsendable' ? [item] : []))
}

/** A pipe that the test writes to. */
export function pipe(signal?: AbortSignal): {
  readonly end: PassThrough
  readonly bytes: ByteSource
} {
  const end = new PassThrough()
  return { end, bytes: streamBytes(end, signal) }
}
