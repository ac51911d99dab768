import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Lines, SMALL_BYTES } from '../../engine/line-reader.js'
import { checkFreeSpace } from '../../engine/spool.js'

/** The size of a write: bodies arrive in pieces of up to 64 KiB, and fewer, larger writes are cheaper. */
const WRITE_BYTES = 2 * 1024 * 1024

interface SpoolOptions {
  /** The folder in which the file is created when needed. */
  readonly folder: string
  /** The declared length of the body. */
  readonly bytes: number
  /** True when the body stays in memory until the events are stored. */
  readonly isKept: boolean
}

/**
 * The events of one request on their way to the engine, one per line: in a file, or in memory when they are small or part of a body
 * that stays there. A file of few bytes would cost more than the insert.
 */
export class SpoolFile {
  private readonly options: SpoolOptions
  private readonly path: string
  private file: FileHandle | undefined
  private waiting: Buffer[] = []
  private waitingBytes = 0
  private size = 0
  /** The size for which free disk space was last checked. */
  private checkedBytes = 0

  constructor(options: SpoolOptions) {
    this.options = options
    this.path = join(options.folder, `body-${randomUUID()}.ndjson`)
  }

  /** Appends bytes; the buffer must not change afterwards. */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    const joined = joinedViews(this.waiting.at(-1), bytes)
    if (joined === undefined) this.waiting.push(bytes)
    else this.waiting.splice(-1, 1, joined)
    this.waitingBytes += bytes.length
    this.size += bytes.length
    if (this.waitingBytes >= WRITE_BYTES && !this.isInBody) await this.flush()
  }

  /** Returns the first `size` bytes that were written; by default all bytes. */
  async finish(size = this.size): Promise<Lines> {
    if (this.isInBody) return { kind: 'bytes', bytes: whole(this.waiting).subarray(0, size) }
    // A copy, since a few bytes may be a view of a large buffer.
    if (this.size <= SMALL_BYTES) {
      return { kind: 'bytes', bytes: Buffer.concat(this.waiting).subarray(0, size) }
    }
    const file = await this.flush()
    if (size < this.size) await file.truncate(size)
    await file.close()
    return { kind: 'file', path: this.path }
  }

  /** Removes the file. A file that can't be removed remains until the next start: its events may be stored. */
  async remove(): Promise<void> {
    if (this.file === undefined) return
    await this.file.close().catch(() => {})
    await rm(this.path, { force: true }).catch(() => {})
  }

  private async flush(): Promise<FileHandle> {
    const file = await this.open()
    // A body without a declared length can exceed the size for which `open` checked the space.
    if (this.size > this.checkedBytes) checkFreeSpace(this.options.folder, this.waitingBytes)
    const buffers = this.waiting
    this.waiting = []
    this.waitingBytes = 0
    // One write: there may be hundreds of thousands of buffers of a few bytes each.
    await file.appendFile(whole(buffers))
    return file
  }

  /** True when all bytes are a part of a body that stays in memory. */
  private get isInBody(): boolean {
    return this.options.isKept && this.file === undefined && this.waiting.length === 1
  }

  private async open(): Promise<FileHandle> {
    if (this.file === undefined) {
      this.checkedBytes = Math.max(this.options.bytes, this.size)
      checkFreeSpace(this.options.folder, this.checkedBytes)
      this.file = await open(this.path, 'wx', 0o600)
    }
    return this.file
  }
}

/** Returns two buffers as one when the second follows the first in memory. */
function joinedViews(first: Buffer | undefined, second: Buffer): Buffer | undefined {
  if (first?.buffer !== second.buffer) return undefined
  if (first.byteOffset + first.length !== second.byteOffset) return undefined
  return Buffer.from(first.buffer, first.byteOffset, first.length + second.length)
}

/** Returns the bytes of buffers, without copying a single one, which may have megabytes. */
function whole(buffers: readonly Buffer[]): Buffer {
  return buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers)
}

/** True when a file in the spool folder is the body of a request. */
export function isSpoolFile(name: string): boolean {
  return name.startsWith('body-')
}
