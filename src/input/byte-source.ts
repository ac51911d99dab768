import { read as readCallback } from 'node:fs'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { StreamWaiter } from './stream-waiter.js'

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
  const arrival = new StreamWaiter({ stream, hasBytes, signal })
  stream.on('readable', () => arrival.wake())

  function hasBytes(): boolean {
    if (chunk === undefined) {
      const piece: Buffer | string | null = stream.read()
      if (piece !== null) chunk = Buffer.isBuffer(piece) ? piece : Buffer.from(piece)
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

const PIECE = 64 * 1024

/** What has not shown itself within so many bytes is not going to. */
const LONGEST = 1024 * 1024

/** The beginning of a source, as far as it had to be read to know what it is. */
export class Lookahead {
  head: Buffer = Buffer.alloc(0)
  private isWhole = false
  private readonly source: ByteSource

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Whether it was read to the limit and still did not show what was looked for. */
  get isTooLong(): boolean {
    return !this.isWhole && this.head.length >= LONGEST
  }

  /** Reads on until `isEnough`; the last question is asked with all there is, or all that is looked at. */
  async until(isEnough: (head: Buffer, isWhole: boolean) => boolean): Promise<void> {
    while (!isEnough(this.head, this.isWhole || this.isTooLong)) {
      if (this.isWhole || this.isTooLong) return
      const piece = Buffer.allocUnsafe(PIECE)
      const length = await this.source.read(piece)
      if (length === 0) this.isWhole = true
      else this.head = Buffer.concat([this.head, piece.subarray(0, length)])
    }
  }
}
