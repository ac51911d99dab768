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
/** Most of thousands of followed files may be short. */
const FIRST_LENGTH = 1024

/** A source that records its first bytes while they are read. */
export class FingerprintedBytes implements ByteSource {
  private readonly source: ByteSource
  private beginning: Buffer = Buffer.alloc(0)
  /** The number of first bytes that were read from the source. */
  private known = 0
  /** The number of first bytes that were returned to the reader. */
  private given = 0

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Returns the fingerprint of the bytes read so far. */
  fingerprint(): Fingerprint {
    return {
      length: this.known,
      sha256: hash('sha256', this.beginning.subarray(0, this.known), 'hex'),
    }
  }

  /** The length that the fingerprint would have now. */
  get fingerprintLength(): number {
    return this.known
  }

  /**
   * True when the input still begins with the bytes of a fingerprint; reads ahead as far as needed. With `waits` false, bytes that are
   * not there yet are not waited for.
   */
  async hasPrefix({ length, sha256 }: Fingerprint, { waits = true } = {}): Promise<boolean> {
    if (length > MAX_LENGTH) return false
    this.makeRoom(length)
    while (this.known < length) {
      if (!waits && this.source.ready() !== undefined) return false
      const bytes = await this.source.read(this.beginning.subarray(this.known, length))
      if (bytes === 0) return false
      this.known += bytes
    }
    return hash('sha256', this.beginning.subarray(0, length), 'hex') === sha256
  }

  ready(): Promise<void> | undefined {
    return this.given < this.known ? undefined : this.source.ready()
  }

  async read(target: Buffer): Promise<number> {
    if (this.given < this.known) {
      const bytes = this.beginning.copy(target, 0, this.given, this.known)
      this.given += bytes
      return bytes
    }
    const bytes = await this.source.read(target)
    if (this.known < MAX_LENGTH) {
      this.makeRoom(Math.min(this.known + bytes, MAX_LENGTH))
      this.known += target.copy(this.beginning, this.known, 0, bytes)
      this.given = this.known
    }
    return bytes
  }

  /** Makes the buffer at least `length` bytes long. */
  private makeRoom(length: number): void {
    if (length <= this.beginning.length) return
    const doubled = Math.min(this.beginning.length * 2, MAX_LENGTH)
    const larger = Buffer.allocUnsafeSlow(Math.max(length, doubled, FIRST_LENGTH))
    this.beginning.copy(larger, 0, 0, this.known)
    this.beginning = larger
  }

  close(): Promise<void> {
    return this.source.close()
  }
}
