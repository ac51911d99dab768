import { stat } from 'node:fs/promises'
import { type ByteSource, withRead } from '../../../input/byte-source.js'
import { fstat } from '../../../input/descriptor.js'
import type { StandardInput } from '../../../input/open.js'

/** The sizes on disk of the inputs of a run, and the part of them that is done. */
export type Workload = Awaited<ReturnType<typeof workloadOf>>

export async function workloadOf(files: readonly string[], stdin: StandardInput) {
  const sizes = await Promise.all(files.map((file) => sizeOf(file, stdin)))
  const total = sizes.reduce<number | undefined>(
    (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
    0,
  )
  /** The number of the current file, from 1. */
  let current = 0
  /** The number of bytes read so far, as they are on disk, and after decompression. */
  let compressedBytes = 0
  let decompressedBytes = 0
  let maxDone = 0
  return {
    /** The total size in bytes; `undefined` when the size of an input is unknown. */
    total,
    files: files.length,
    current: () => current,
    /** Starts the next input. Returns a source that counts its bytes on disk. */
    countCompressed(source: ByteSource): ByteSource {
      current += 1
      return countingBytes(source, (bytes) => {
        compressedBytes += bytes
      })
    },
    /** Returns a source that counts the bytes of the input after decompression. */
    countDecompressed: (source: ByteSource): ByteSource =>
      countingBytes(source, (bytes) => {
        decompressedBytes += bytes
      }),
    /** Converts bytes after decompression to bytes on disk. */
    done(decompressed: number): number {
      if (decompressedBytes > 0) {
        // Compression ratios differ between inputs, but a percentage must not decrease.
        const share = Math.min(1, decompressed / decompressedBytes)
        maxDone = Math.max(maxDone, compressedBytes * share)
      }
      return maxDone
    },
  }
}

/** Returns a source that calls `count` with the length of each read, and waits for it. */
export function countingBytes(
  source: ByteSource,
  count: (length: number) => void | Promise<void>,
): ByteSource {
  return withRead(source, async (target) => {
    const length = await source.read(target)
    await count(length)
    return length
  })
}

async function sizeOf(file: string, stdin: StandardInput): Promise<number | undefined> {
  try {
    const stats = file === '-' ? await fstat(stdin.fd ?? -1) : await stat(file)
    return stats.isFile() ? stats.size : undefined
  } catch {
    // An unreadable file is reported elsewhere, and adds no bytes.
    return file === '-' ? undefined : 0
  }
}
