import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lines } from '../../engine/line-reader.js'
import { checkFreeSpace } from '../../engine/spool.js'

/** The size of a write: bodies arrive in pieces of up to 64 KiB, and fewer, larger writes are cheaper. */
const WRITE_BYTES = 2 * 1024 * 1024

/** Bodies up to this size stay in memory: a file would cost more than the insert, and the engine groups small batches. */
const SMALL_BYTES = 64 * 1024

interface SpoolOptions {
  /** The folder in which the file is created when needed. */
  readonly folder: string
  /** The declared length of the body. */
  readonly bytes: number
}

/** The events of one request on their way to the engine, one per line: in a file, or in memory when they are small. */
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
    this.waiting.push(bytes)
    this.waitingBytes += bytes.length
    this.size += bytes.length
    if (this.waitingBytes >= WRITE_BYTES) await this.flush()
  }

  /** Returns the first `size` bytes that were written; by default all bytes. */
  async finish(size = this.size): Promise<Lines> {
    if (this.size <= SMALL_BYTES) {
      return { kind: 'bytes', bytes: Buffer.concat(this.waiting).subarray(0, size) }
    }
    const file = await this.flush()
    if (size < this.size) await file.truncate(size)
    await file.close()
    return { kind: 'file', path: this.path }
  }

  async remove(): Promise<void> {
    if (this.file === undefined) return
    await this.file.close()
    await rm(this.path, { force: true })
  }

  private async flush(): Promise<FileHandle> {
    const file = await this.open()
    // A body without a declared length can exceed the size for which `open` checked the space.
    if (this.size > this.checkedBytes) await checkFreeSpace(this.options.folder, this.waitingBytes)
    const buffers = this.waiting
    this.waiting = []
    this.waitingBytes = 0
    // One write: there may be hundreds of thousands of buffers of a few bytes each. A single one may have megabytes.
    await file.appendFile(buffers.length === 1 ? buffers[0]! : Buffer.concat(buffers))
    return file
  }

  private async open(): Promise<FileHandle> {
    if (this.file === undefined) {
      this.checkedBytes = Math.max(this.options.bytes, this.size)
      await checkFreeSpace(this.options.folder, this.checkedBytes)
      this.file = await open(this.path, 'wx', 0o600)
    }
    return this.file
  }
}

/** True when a file in the spool folder is the body of a request. */
export function isSpoolFile(name: string): boolean {
  return name.startsWith('body-')
}
