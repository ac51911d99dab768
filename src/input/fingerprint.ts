import { createHash } from 'node:crypto'
import type { ByteSource } from './byte-source.js'

/** What tells an input from another one at the same place: the hash of its beginning, as it is stored. */
export interface Fingerprint {
  /** How many bytes the beginning has. */
  readonly length: number
  readonly sha256: string
}

/** A longer beginning would tell no more inputs apart. */
const LONGEST = 64 * 1024

/** An input whose beginning is remembered while it is read. */
export class FingerprintedBytes implements ByteSource {
  private readonly source: ByteSource
  private readonly beginning = Buffer.allocUnsafe(LONGEST)
  /** Bytes of the beginning that have come, */
  private known = 0
  /** and that were handed out. */
  private given = 0

  constructor(source: ByteSource) {
    this.source = source
  }

  /** Of all that has come so far. */
  fingerprint(): Fingerprint {
    return { length: this.known, sha256: hash(this.beginning.subarray(0, this.known)) }
  }

  /** How long the fingerprint would be. */
  get fingerprintLength(): number {
    return this.known
  }

  /** Whether the input begins as the one that the fingerprint was taken of; reads ahead to see it. */
  async hasPrefix({ length, sha256 }: Fingerprint): Promise<boolean> {
    while (this.known < length) {
      const bytes = await this.source.read(this.beginning.subarray(this.known, length))
      if (bytes === 0) return false
      this.known += bytes
    }
    return hash(this.beginning.subarray(0, length)) === sha256
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
    if (this.known < LONGEST) {
      this.known += target.copy(this.beginning, this.known, 0, bytes)
      this.given = this.known
    }
    return bytes
  }

  close(): Promise<void> {
    return this.source.close()
  }
}

function hash(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
