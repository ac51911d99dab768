import { readSync } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { LINE_FEED } from '../text/bytes.js'
import { errorCode } from '../text/system-error.js'
import { fstat, read as readFrom } from './descriptor.js'
import { StreamWaiter } from './stream-waiter.js'

/** The bytes of an input: from a file, a pipe or a decompressor. */
export interface ByteSource {
  /** Resolves when bytes, the end or an error have arrived; undefined when a read would not wait. */
  ready(): Promise<void> | undefined
  /** Fills the beginning of `target` and resolves with the number of bytes; 0 at the end. */
  read(target: Buffer): Promise<number>
  close(): Promise<void>
}

/** Bytes after the end of a batch are copied to the next batch; longer reads would leave more of them. */
const READ_LENGTH = 1024 * 1024

/** The size in bytes up to which a file is read synchronously, because a call of the thread pool would take longer than the read. */
const SMALL_FILE = 64 * 1024

/** A file that became shorter while it was read. */
export class ShrunkError extends Error {}

/**
 * Reads a regular file from its current position, directly into the target of each read. `size` is its size in bytes when it was
 * opened. Throws a `ShrunkError` when the file ends early because it became shorter.
 */
export function fileBytes(
  fd: number,
  { size, close }: { readonly size: number; readonly close: () => Promise<void> },
): ByteSource {
  // Files of `/proc`, in which a read may wait, have the size 0.
  const isSmall = size > 0 && size <= SMALL_FILE
  let read = 0
  let reading: Promise<unknown> | undefined
  let isClosed = false
  return {
    ready: () => undefined,
    async read(target) {
      if (isClosed) return 0
      const length = Math.min(target.length, READ_LENGTH)
      let bytesRead = 0
      try {
        if (isSmall) bytesRead = readSync(fd, target, 0, length, null)
        else {
          const result = readFrom(fd, target, 0, length, null)
          reading = result
          bytesRead = (await result).bytesRead
        }
      } catch (error) {
        // A file of `/proc` whose further bytes have to be waited for.
        if (errorCode(error) !== 'EAGAIN') throw error
      }
      read += bytesRead
      if (bytesRead === 0 && read < size && (await fstat(fd)).size < size) throw new ShrunkError()
      return bytesRead
    },
    async close() {
      isClosed = true
      // The next file may get the same descriptor, from which a read ahead of a decompressor would then take bytes.
      await reading?.catch(() => {})
      await close()
    },
  }
}

/**
 * Reads a range of bytes of a regular file, which is open only during a read. Throws a `ShrunkError` when the file ends before a
 * range with an end.
 */
export function fileRange(
  path: string,
  { start, end }: { readonly start: number; readonly end: number },
): ByteSource {
  let at = start
  return {
    ready: () => undefined,
    async read(target) {
      const length = Math.min(target.length, READ_LENGTH, end - at)
      if (length <= 0) return 0
      const file = await open(path, 'r')
      try {
        const { bytesRead } = await file.read(target, 0, length, at)
        if (bytesRead === 0 && Number.isFinite(end)) throw new ShrunkError()
        at += bytesRead
        return bytesRead
      } finally {
        await file.close()
      }
    },
    close: async () => {},
  }
}

/** Reads a stream. Aborting `signal` ends it. */
export function streamBytes(stream: Readable, signal?: AbortSignal): ByteSource {
  let chunk: Buffer | undefined
  const arrival = new StreamWaiter({ stream, hasBytes, signal })
  stream.on('readable', () => arrival.wake())

  function hasBytes(): boolean {
    if (chunk === undefined) {
      const next: Buffer | string | null = stream.read()
      if (next !== null) chunk = Buffer.isBuffer(next) ? next : Buffer.from(next)
    }
    return chunk !== undefined
  }
  async function read(target: Buffer): Promise<number> {
    while (!arrival.hasNews()) await arrival.ready()
    if (chunk === undefined) {
      if (arrival.failure !== undefined) throw arrival.failure
      return 0
    }
    const length = chunk.copy(target)
    chunk = length < chunk.length ? chunk.subarray(length) : undefined
    return length
  }
  return { ready: () => arrival.ready(), read, close: async () => arrival.close() }
}

/** Yields the bytes of a source in chunks of up to 64 KiB. */
export async function* chunksOf(source: ByteSource): AsyncGenerator<Buffer> {
  for (;;) {
    const chunk = Buffer.allocUnsafe(64 * 1024)
    const length = await source.read(chunk)
    if (length === 0) return
    yield chunk.subarray(0, length)
  }
}

export function withRead(source: ByteSource, read: ByteSource['read']): ByteSource {
  return { ready: () => source.ready(), read, close: () => source.close() }
}

/** Returns the bytes of a stream that reads a source; closing them closes both. */
export function derivedBytes(stream: Readable, source: ByteSource): ByteSource {
  const bytes = streamBytes(stream)
  return {
    ...bytes,
    async close() {
      await bytes.close()
      await source.close()
    },
  }
}

export const NO_BYTES: ByteSource = {
  ready: () => undefined,
  read: async () => 0,
  close: async () => {},
}

/** Unlike an empty part of another buffer, it does not keep memory. */
const NOTHING = Buffer.alloc(0)

/** Returns a source with `head`, which has already been read from `source`, in front. */
export function withHead(head: Buffer, source: ByteSource): ByteSource {
  let rest = head
  return {
    ready: () => (rest.length > 0 ? undefined : source.ready()),
    async read(target) {
      if (rest.length === 0) return source.read(target)
      const length = rest.copy(target)
      rest = length < rest.length ? rest.subarray(length) : NOTHING
      return length
    },
    close: () => source.close(),
  }
}

/** Waits for `ready`; resolves with false when the time is up first. */
export async function isReadyWithin(ready: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), false)
  })
  const isReady = await Promise.race([ready.then(() => true), late])
  clearTimeout(timer)
  return isReady
}

const LOOKAHEAD_STEP = 64 * 1024

/** The most bytes to look ahead for a format. */
const MAX_LOOKAHEAD = 1024 * 1024

/** The beginning of a source, read as far as needed to detect its format. */
export class Lookahead {
  head: Buffer = Buffer.alloc(0)
  /** True when the head is the whole source. */
  isWhole = false
  private readonly source: ByteSource
  /** Begins with the head, and has room for more. */
  private space: Buffer = Buffer.alloc(0)

  constructor(source: ByteSource) {
    this.source = source
  }

  /** True when the limit was reached without a match. */
  get isTooLong(): boolean {
    return !this.isWhole && this.head.length >= MAX_LOOKAHEAD
  }

  /**
   * Reads until `isEnough` returns true. At the end of the source, and when the head has `most` bytes, `isEnough` is called
   * one last time with `isWhole` set.
   */
  async until(
    isEnough: (head: Buffer, isWhole: boolean) => boolean,
    most = MAX_LOOKAHEAD,
  ): Promise<void> {
    for (;;) {
      const isLast = this.isWhole || this.head.length >= most
      if (isEnough(this.head, isLast) || isLast) return
      await this.read()
    }
  }

  /**
   * Returns up to `most` bytes of whole lines: the lines that arrive within `waitMs`, or the first line if it arrives
   * later.
   */
  async lines(most: number, waitMs: number): Promise<Buffer> {
    const deadline = performance.now() + waitMs
    while (!this.isWhole && this.head.length < most) {
      const ready = this.source.ready()
      if (ready !== undefined && this.head.includes(LINE_FEED)) {
        const left = deadline - performance.now()
        if (left <= 0 || !(await isReadyWithin(ready, left))) break
      }
      await this.read()
    }
    const head = this.head.subarray(0, most)
    const end = head.lastIndexOf(LINE_FEED) + 1
    return this.isWhole && this.head.length <= most ? head : head.subarray(0, end || head.length)
  }

  /** Reads until the head has `bytes` bytes, or until a read would wait. */
  async fill(bytes: number): Promise<void> {
    while (!this.isWhole && this.head.length < bytes && this.source.ready() === undefined) {
      await this.read()
    }
  }

  private async read(): Promise<void> {
    const { length } = this.head
    if (length + LOOKAHEAD_STEP > this.space.length) {
      this.space = Buffer.allocUnsafe(2 * length + LOOKAHEAD_STEP)
      this.head.copy(this.space)
    }
    const read = await this.source.read(this.space.subarray(length, length + LOOKAHEAD_STEP))
    if (read === 0) this.isWhole = true
    else this.head = this.space.subarray(0, length + read)
  }
}
