// Copies of streams: their bytes can't be read again. Only the first bytes are copied, so that the disk does not fill.
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { withRead } from '../../../input/byte-source.js'
import type { OpenInput } from '../../../input/open.js'

/** The most bytes that are copied of all streams. */
export const MOST_COPIED_BYTES = 1e9
/** The part of the free space on the disk that copies may take: the events are stored there, too. */
const MOST_SPACE = 0.1

export class StreamCopies {
  private readonly directory: string
  private readonly files = new Map<string, { readonly path: string; readonly fd: number }>()
  private room: number

  /** `directory` is for the copies, which are deleted with it. */
  constructor(directory: string) {
    this.directory = directory
    this.room = Math.min(MOST_COPIED_BYTES, Math.floor(MOST_SPACE * freeSpace(directory)))
  }

  /** Returns the stream, whose bytes are copied while it is read. */
  copied(opened: OpenInput): OpenInput {
    const path = join(this.directory, `stream-${this.files.size}`)
    const fd = openSync(path, 'w', 0o600)
    this.files.set(opened.name, { path, fd })
    const { bytes } = opened
    return {
      ...opened,
      bytes: withRead(bytes, async (target) => {
        const length = await bytes.read(target)
        this.write(fd, target.subarray(0, length))
        return length
      }),
    }
  }

  /** Returns the path of the copy of a stream; undefined for other inputs. */
  pathOf(name: string): string | undefined {
    return this.files.get(name)?.path
  }

  close(): void {
    for (const { fd } of this.files.values()) closeSync(fd)
  }

  private write(fd: number, bytes: Buffer): void {
    const kept = bytes.subarray(0, this.room)
    this.room -= kept.length
    try {
      for (let at = 0; at < kept.length; ) at += writeSync(fd, kept, at)
    } catch {
      // The disk is full: the events matter more than their copies.
      this.room = 0
    }
  }
}

/** Returns the free space on the disk of a directory; infinite where it is not known. */
function freeSpace(directory: string): number {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
