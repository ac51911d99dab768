import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Smaller pieces are collected. */
const PIECE_BYTES = 256 * 1024

export function newColumnsPath(spool: string): string {
  return join(spool, `body-${randomUUID()}.columns`)
}

export class ColumnFile {
  readonly path: string
  private file: FileHandle | undefined
  private readonly pieces: Buffer[] = []
  private bytes = 0

  constructor(path: string) {
    this.path = path
  }

  /** Appends bytes, which the caller may overwrite afterward. */
  async write(bytes: Buffer): Promise<void> {
    if (bytes.length >= PIECE_BYTES) {
      await this.flush()
      await this.append(bytes)
      return
    }
    this.pieces.push(Buffer.from(bytes))
    this.bytes += bytes.length
    if (this.bytes >= PIECE_BYTES) await this.flush()
  }

  /** Takes all bytes when they are still in memory: there is no file then. */
  take(): Buffer | undefined {
    return this.file === undefined ? this.taken() : undefined
  }

  async close(): Promise<void> {
    await this.flush()
    await this.file?.close()
    this.file = undefined
  }

  /** Removes the file. A file that can't be removed remains until the next start. */
  async discard(): Promise<void> {
    await this.file?.close().catch(() => {})
    this.file = undefined
    await rm(this.path, { force: true }).catch(() => {})
  }

  private async flush(): Promise<void> {
    if (this.bytes > 0) await this.append(this.taken())
  }

  private taken(): Buffer {
    this.bytes = 0
    return Buffer.concat(this.pieces.splice(0))
  }

  private async append(bytes: Buffer): Promise<void> {
    this.file ??= await open(this.path, 'w', 0o600)
    for (let at = 0; at < bytes.length; ) {
      at += (await this.file.write(bytes, at)).bytesWritten
    }
  }
}
