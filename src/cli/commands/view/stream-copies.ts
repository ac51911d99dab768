// Copies of streams: their bytes can't be read again. Only the first bytes are copied, so that the disk does not fill.
import { closeSync, openSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { withRead } from '../../../input/byte-source.js'
import type { OpenInput } from '../../../input/open.js'

/** The most bytes that are copied of all streams. */
export const MOST_COPIED_BYTES = 1e9
/** The part of the free space on the disk that copies may take: the events are stored there, too. */
const MOST_SPACE = 0.1

export type StreamCopies = ReturnType<typeof streamCopies>

/** Copies streams to a directory, with which the copies are deleted. */
export function streamCopies(directory: string) {
  const files = new Map<string, { readonly path: string; readonly fd: number }>()
  let room = Math.min(MOST_COPIED_BYTES, Math.floor(MOST_SPACE * freeSpace(directory)))

  function write(fd: number, bytes: Buffer): void {
    const kept = bytes.subarray(0, room)
    room -= kept.length
    try {
      for (let at = 0; at < kept.length; ) at += writeSync(fd, kept, at)
    } catch {
      // The disk is full: the events matter more than their copies.
      room = 0
    }
  }

  return {
    /** Returns the stream, whose bytes are copied while it is read. */
    copied(opened: OpenInput): OpenInput {
      const path = join(directory, `stream-${files.size}`)
      const fd = openSync(path, 'w', 0o600)
      files.set(opened.name, { path, fd })
      const { bytes } = opened
      const copying = withRead(bytes, async (target) => {
        const length = await bytes.read(target)
        write(fd, target.subarray(0, length))
        return length
      })
      return { ...opened, bytes: copying }
    },
    /** Returns the path of the copy of a stream; undefined for other inputs. */
    pathOf: (name: string) => files.get(name)?.path,
    close(): void {
      for (const { fd } of files.values()) closeSync(fd)
    },
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
