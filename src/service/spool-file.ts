import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { refuseFullDisk } from '../engine/space.js'
import { StoreError } from '../engine/store-error.js'

/** Bodies arrive in pieces of 64 KiB at most: fewer, larger writes cost less. */
const WRITE_BYTES = 2 * 1024 * 1024

/** The events of one request on their way to the engine, an event a line. */
export class SpoolFile {
  readonly path: string
  readonly #file: FileHandle
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #size = 0

  private constructor(path: string, file: FileHandle) {
    this.path = path
    this.#file = file
  }

  /** Makes an empty file in the folder, which must have room for the bytes that are announced. */
  static async create(folder: string, bytes: number): Promise<SpoolFile> {
    const path = join(folder, `body-${randomUUID()}.ndjson`)
    try {
      await refuseFullDisk(folder, bytes)
      return new SpoolFile(path, await open(path, 'wx', 0o600))
    } catch (error) {
      throw isMissing(error) ? gone(folder) : error
    }
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size
  }

  /** Adds bytes, which must not change any more. */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length === 0) return
    this.#waiting.push(bytes)
    this.#waitingBytes += bytes.length
    this.#size += bytes.length
    if (this.#waitingBytes >= WRITE_BYTES) await this.#flush()
  }

  /** Writes what waits, keeps the first `size` bytes, and closes the file. */
  async finish(size = this.#size): Promise<void> {
    await this.#flush()
    if (size < this.#size) await this.#file.truncate(size)
    this.#size = size
    await this.#file.close()
  }

  /** Removes the file, whatever was written. */
  async remove(): Promise<void> {
    await this.#file.close()
    await rm(this.path, { force: true })
  }

  async #flush(): Promise<void> {
    const buffers = this.#waiting
    this.#waiting = []
    this.#waitingBytes = 0
    await writeAll(this.#file, buffers)
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

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Someone deleted the data directory under the running service. */
function gone(folder: string): StoreError {
  return new StoreError({
    reason: 'failed',
    message: `The folder \`${folder}\` is gone, so nothing can be stored before the service starts again.`,
  })
}
