import { fstat as fstatCallback, type Stats, stat as statCallback } from 'node:fs'
import { promisify } from 'node:util'
import type { ByteSource } from '../../../../input/byte-source.js'
import type { StandardInput } from '../../../../input/open.js'

const stat = promisify(statCallback)
const fstat = promisify(fstatCallback)

/** The inputs of a run as bytes on the disk: how many there are, and how many are done. */
export class Workload {
  /** Undefined when an input has no end that is known. */
  readonly total: number | undefined
  readonly files: number
  /** Which of the files is read, from 1. */
  current = 0
  /** Bytes read so far, as they lie on the disk and after they were unpacked. */
  private read = 0
  private plain = 0
  private most = 0

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

  /** The next input begins, and is to be read by what is returned. */
  packed(source: ByteSource): ByteSource {
    this.current += 1
    return counted(source, (bytes) => {
      this.read += bytes
    })
  }

  /** The same input after it is unpacked. */
  unpacked(source: ByteSource): ByteSource {
    return counted(source, (bytes) => {
      this.plain += bytes
    })
  }

  /** So many of the unpacked bytes are dealt with: how many bytes on the disk that is. */
  done(plain: number): number {
    if (this.plain > 0) {
      // Inputs are not packed alike, and nobody likes to see a share go back.
      this.most = Math.max(this.most, this.read * Math.min(1, plain / this.plain))
    }
    return this.most
  }
}

function counted(source: ByteSource, count: (bytes: number) => void): ByteSource {
  return {
    ready: () => source.ready(),
    close: () => source.close(),
    async read(target) {
      const length = await source.read(target)
      count(length)
      return length
    },
  }
}

async function sizeOf(file: string, stdin: StandardInput): Promise<number | undefined> {
  try {
    return size(file === '-' ? await fstat(stdin.fd ?? -1) : await stat(file))
  } catch {
    // What can't be read has its own message, and adds no bytes.
    return file === '-' ? undefined : 0
  }
}

function size(stats: Stats): number | undefined {
  return stats.isFile() ? stats.size : undefined
}
