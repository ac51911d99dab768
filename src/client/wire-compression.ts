import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compressGzip = promisify(gzip)

/** The minimum length of a compressed body: compressing a smaller body costs more than it saves. */
const MIN_BYTES = 16 * 1024

/** Compresses request bodies until a service rejects compression. */
export class WireCompression {
  private isOn = true

  /** Returns the compressed body; undefined when it is sent uncompressed. */
  async compress(body: Buffer): Promise<Buffer | undefined> {
    if (!this.isOn || body.length < MIN_BYTES) return undefined
    // The fastest level at least halves the size, and is faster than most networks.
    return compressGzip(body, { level: 1 })
  }

  turnOff(): void {
    this.isOn = false
  }
}
