import { read as readCallback } from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/** Bytes on their way in: from a file, a pipe, a decompressor. */
export interface ByteSource {
  /** Resolves when bytes, the end or an error have come; undefined when there is no need to wait. */
  ready(): Promise<void> | undefined
  /** Fills the beginning of `target` and says with how many bytes; 0 at the end. */
  read(target: Buffer): Promise<number>
  close(): Promise<void>
}

const readFile = promisify(readCallback)

/** With more at once, more would lie behind the end of a batch and be copied to the next. */
const READ_LENGTH = 1024 * 1024

/** A regular file, from where it stands: each read goes straight into its target. */
export function fileBytes(fd: number, close: () => Promise<void>): ByteSource {
  return {
    ready: () => undefined,
    async read(target) {
      const { bytesRead } = await readFile(
        fd,
        target,
        0,
        Math.min(target.length, READ_LENGTH),
        null,
      )
      return bytesRead
    },
    close,
  }
}

/** Anything that gives bytes when it has some. Aborting `signal` ends it where it is. */
export function streamBytes(stream: Readable, signal?: AbortSignal): ByteSource {
  let chunk: Buffer | undefined
  let isOver = false
  let failure: Error | undefined
  let waiting: Deferred | undefined

  function wake(): void {
    waiting?.resolve()
    waiting = undefined
  }
  function end(): void {
    isOver = true
    wake()
  }
  stream.on('readable', wake)
  stream.on('end', end)
  stream.on('close', end)
  stream.on('error', (error) => {
    failure = error
    wake()
  })
  signal?.addEventListener('abort', end, { once: true })
  if (signal?.aborted || stream.destroyed) isOver = true

  function hasNews(): boolean {
    if (signal?.aborted) return true
    // What came before a failure is read before it is told.
    if (chunk === undefined) {
      const piece: Buffer | string | null = stream.read()
      if (piece !== null) chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece)
    }
    return chunk !== undefined || isOver || failure !== undefined
  }
  function ready(): Promise<void> | undefined {
    if (hasNews()) return undefined
    waiting ??= deferred()
    return waiting.promise
  }
  async function read(target: Buffer): Promise<number> {
    while (!hasNews()) await ready()
    if (chunk === undefined) {
      if (failure !== undefined) throw failure
      return 0
    }
    const length = chunk.copy(target)
    chunk = length < chunk.length ? chunk.subarray(length) : undefined
    return length
  }
  async function close(): Promise<void> {
    signal?.removeEventListener('abort', end)
    stream.destroy()
  }
  return { ready, read, close }
}

/** Bytes that were read to look at them, and then the rest. */
export function withHead(head: Buffer, source: ByteSource): ByteSource {
  let rest = head
  return {
    ready: () => (rest.length > 0 ? undefined : source.ready()),
    async read(target) {
      if (rest.length === 0) return source.read(target)
      const length = rest.copy(target)
      rest = rest.subarray(length)
      return length
    },
    close: source.close,
  }
}

/** A promise that somebody else resolves. */
export interface Deferred {
  readonly promise: Promise<void>
  resolve(): void
}

export function deferred(): Deferred {
  let resolve = () => {}
  const promise = new Promise<void>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve }
}
