import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const pack = promisify(gzip)

/** Below this, packing costs more than it saves. */
const SMALLEST = 16 * 1024

/** Packs bodies for their way over a network, until a service shows that it does not take them. */
export class WireCompression {
  private isOn = true

  /** The packed body, or nothing where it goes out as it is. */
  async compress(body: Buffer): Promise<Buffer | undefined> {
    if (!this.isOn || body.length < SMALLEST) return undefined
    // The lightest level: it halves and more what goes out, and is faster than most networks.
    return pack(body, { level: 1 })
  }

  turnOff(): void {
    this.isOn = false
  }
}
