import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lines } from '../../engine/ingest/line-reader.js'
import { checkFreeSpace } from '../../engine/ingest/spool.js'

/** Bodies arrive in pieces of 64 KiB at most: fewer, larger writes cost less. */
const WRITE_BYTES = 2 * 1024 * 1024

/** A file for as little as this costs more than storing what is in it: the engine gets many of them as one. */
const SMALL_BYTES = 64 * 1024

interface SpoolOptions {
  /** Where the file is made, if there has to be one. */
  readonly folder: string
  /** What the request says of its length. */
  readonly bytes: number
}

/** The events of one request on their way to the engine, an event a line: in a file, or in memory when they are few. */
export class SpoolFile {
  readonly #options: SpoolOptions
  readonly #path: string
  #file: FileHandle | undefined
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #size = 0
  /** How many bytes there was room for on the disk when the file was made. */
  #lookedFor = 0

  constructor(options: SpoolOptions) {
    this.#options = options
    this.#path = join(options.folder, `body-${randomUUID()}.ndjson`)
  }

  /** Adds bytes, which must not change any more. */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#size += bytes.length
    if (this.#waitingBytes >= WRITE_BYTES) await this.#flush()
  }

  /** All that was written, of which the first `size` bytes are kept. */
  async finish(size = this.#size): Promise<Lines> {
    if (this.#size <= SMALL_BYTES) {
      return { kind: 'bytes', bytes: Buffer.concat(this.#waiting).subarray(0, size) }
    }
    const file = await this.#flush()
    if (size < this.#size) await file.truncate(size)
    await file.close()
    return { kind: 'file', path: this.#path }
  }

  /** Removes the file, whatever was written. */
  async remove(): Promise<void> {
    if (this.#file === undefined) return
    await this.#file.close()
    await rm(this.#path, { force: true })
  }

  async #flush(): Promise<FileHandle> {
    const file = await this.#open()
    // A body that did not say its length may be longer than what was looked for at first.
    if (this.#size > this.#lookedFor) await this.#look(this.#waitingBytes)
    const buffers = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    await writeAll(file, buffers)
    return file
  }

  async #open(): Promise<FileHandle> {
    if (this.#file === undefined) {
      await this.#look(Math.max(this.#options.bytes, this.#size))
      this.#lookedFor = Math.max(this.#options.bytes, this.#size)
      this.#file = await open(this.#path, 'wx', 0o600)
    }
    return this.#file
  }

  async #look(bytes: number): Promise<void> {
    await checkFreeSpace(this.#options.folder, bytes)
  }
}

/** Whether a name in the spool folder is that of a request's body. */
export function isSpoolFile(name: string): boolean {
  return name.startsWith('body-')
}

async function writeAll(file: FileHandle, buffers: readonly Buffer[]): Promise<void> {
  let rest = buffers
  while (rest.length > 0) {
    // The kernel takes no more pieces than this at once.
    const some = rest.slice(0, 1024)
    const { bytesWritten } = await file.writev(some)
    rest = [...after(some, bytesWritten), ...rest.slice(1024)]
  }
}

/** What is left when the first `written` bytes are gone: a disk that fills up takes only a part. */
function after(buffers: readonly Buffer[], written: number): Buffer[] {
  let skip = written
  return buffers.flatMap((buffer) => {
    const taken = Math.min(skip, buffer.length)
    skip -= taken
    return taken === buffer.length ? [] : [buffer.subarray(taken)]
  })
}
