import { hash } from 'node:crypto'
import type { ByteSource } from './byte-source.js'

/** Distinguishes inputs of the same name: the hash of an input's first bytes, before decompression. */
export interface Fingerprint {
  /** Number of bytes hashed. */
  readonly length: number
  readonly sha256: string
}

/** Longer prefixes would not distinguish more inputs. */
const MAX_LENGTH = 64 * 1024

/** A source that records its first bytes while they are read. */
export class FingerprintedBytes implements ByteSource {
  private readonly source: ByteSource
  /** The first bytes that were read from the source. */
  private beginning: Buffer = Buffer.alloc(0)
  /** The number of first bytes that were returned to the reader. */
  private given = 0

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Returns the fingerprint of the bytes read so far. */
  fingerprint(): Fingerprint {
    return { length: this.beginning.length, sha256: hash('sha256', this.beginning, 'hex') }
  }

  /** The length that the fingerprint would have now. */
  get fingerprintLength(): number {
    return this.beginning.length
  }

  /**
   * True when the input still begins with the bytes of a fingerprint; reads ahead as far as needed. With `waits` false, bytes that are
   * not there yet are not waited for.
   */
  async hasPrefix({ length, sha256 }: Fingerprint, { waits = true } = {}): Promise<boolean> {
    if (length > MAX_LENGTH) return false
    while (this.beginning.length < length) {
      if (!waits && this.source.ready() !== undefined) return false
      const more = Buffer.allocUnsafe(length - this.beginning.length)
      const bytes = await this.source.read(more)
      if (bytes === 0) return false
      this.beginning = Buffer.concat([this.beginning, more.subarray(0, bytes)])
    }
    return hash('sha256', this.beginning.subarray(0, length), 'hex') === sha256
  }

  ready(): Promise<void> | undefined {
    return this.given < this.beginning.length ? undefined : this.source.ready()
  }

  async read(target: Buffer): Promise<number> {
    if (this.given < this.beginning.length) {
      const bytes = this.beginning.copy(target, 0, this.given)
      this.given += bytes
      return bytes
    }
    const bytes = await this.source.read(target)
    const kept = Math.min(bytes, MAX_LENGTH - this.beginning.length)
    if (kept > 0) {
      this.beginning = Buffer.concat([this.beginning, target.subarray(0, kept)])
      this.given = this.beginning.length
    }
    return bytes
  }

  close(): Promise<void> {
    return this.source.close()
  }
}
