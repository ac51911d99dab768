import type { Stats } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ByteSource } from '../../../input/byte-source.js'
import { withRead } from '../../../input/byte-source.js'
import { fstat } from '../../../input/descriptor.js'
import type { StandardInput } from '../../../input/open.js'

/** The sizes on disk of the inputs of a run, and the part of them that is done. */
export class Workload {
  /** The total size in bytes; `undefined` when the size of an input is unknown. */
  readonly total: number | undefined
  readonly files: number
  /** The number of the current file, from 1. */
  current = 0
  /** The number of bytes read so far, as they are on disk, and after decompression. */
  private compressedBytes = 0
  private decompressedBytes = 0
  private maxDone = 0

  private constructor(sizes: readonly (number | undefined)[]) {
    this.files = sizes.length
    this.total = sizes.reduce<number | undefined>(
      (sum, size) => (sum === undefined || size === undefined ? undefined : sum + size),
      0,
    )
  }

  static async of(files: readonly string[], stdin: StandardInput): Promise<Workload> {
    return new Workload(await Promise.all(files.map((file) => sizeOf(file, stdin))))
  }

  /** Starts the next input. Returns a source that counts its bytes on disk. */
  countCompressed(source: ByteSource): ByteSource {
    this.current += 1
    return countingBytes(source, (bytes) => {
      this.compressedBytes += bytes
    })
  }

  /** Returns a source that counts the bytes of the input after decompression. */
  countDecompressed(source: ByteSource): ByteSource {
    return countingBytes(source, (bytes) => {
      this.decompressedBytes += bytes
    })
  }

  /** Converts bytes after decompression to bytes on disk. The result never decreases. */
  done(decompressed: number): number {
    if (this.decompressedBytes > 0) {
      // Compression ratios differ between inputs, but a percentage must not decrease.
      this.maxDone = Math.max(
        this.maxDone,
        this.compressedBytes * Math.min(1, decompressed / this.decompressedBytes),
      )
    }
    return this.maxDone
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
    return size(file === '-' ? await fstat(stdin.fd ?? -1) : await stat(file))
  } catch {
    // An unreadable file is reported elsewhere, and adds no bytes.
    return file === '-' ? undefined : 0
  }
}

function size(stats: Stats): number | undefined {
  return stats.isFile() ? stats.size : undefined
}
