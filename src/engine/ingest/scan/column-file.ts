import { type FileHandle, open, rm } from 'node:fs/promises'
import type { LineScan } from './line-scanner.js'

/** The file for the columns of events. */
export interface ColumnTarget {
  readonly path: string
  /** The time of events without one, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
}

/**
 * A file of columns. Events can be stored without it: when it can't be written, because the disk is full, there is none.
 */
export class ColumnFile {
  private readonly path: string | undefined
  private file: FileHandle | undefined
  private isBroken = false

  constructor(target: ColumnTarget | undefined) {
    this.path = target?.path
  }

  async write(bytes: Buffer): Promise<void> {
    const { path } = this
    if (bytes.length === 0 || this.isBroken || path === undefined) return
    try {
      this.file ??= await open(path, 'w', 0o600)
      for (let at = 0; at < bytes.length; ) {
        at += (await this.file.write(bytes, at)).bytesWritten
      }
    } catch {
      this.isBroken = true
    }
  }

  /** Completes the file; returns its path when it has the events of a scan. */
  async finish({ isColumnar, hasEngineTimes }: LineScan): Promise<string | undefined> {
    const { file } = this
    if (file === undefined || this.isBroken || !isColumnar || !hasEngineTimes) return undefined
    this.file = undefined
    await file.close()
    return this.path
  }

  /** Removes the file, unless it is complete. */
  async discard(): Promise<void> {
    if (this.file === undefined || this.path === undefined) return
    await this.file.close()
    this.file = undefined
    await rm(this.path, { force: true })
  }
}
