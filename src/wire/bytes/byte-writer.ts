import { LINE_FEED } from '../../text/bytes.js'

/** The length from which a call copies bytes faster than a loop. */
const MANY = 40

/** A growing buffer. After `reserve`, callers may write to `bytes` at `size` directly and advance `size`. */
export class ByteWriter {
  bytes: Buffer
  size = 0

  /** Starts with a buffer, or with room for a number of bytes. */
  constructor(start: number | Buffer) {
    this.bytes = typeof start === 'number' ? Buffer.allocUnsafe(start) : start
  }

  get written(): Buffer {
    return this.bytes.subarray(0, this.size)
  }

  /** Grows the buffer if less than `bytes` bytes are free. */
  reserve(bytes: number): void {
    if (this.bytes.length - this.size >= bytes) return
    const wider = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.size + bytes))
    this.bytes.copy(wider, 0, 0, this.size)
    this.bytes = wider
  }

  addText(text: string): void {
    this.reserve(Buffer.byteLength(text))
    this.size += this.bytes.write(text, this.size)
  }

  /** Adds text with one character per byte. */
  addLatin1(text: string): void {
    this.reserve(text.length)
    const { bytes } = this
    let { size } = this
    if (text.length < MANY)
      for (let at = 0; at < text.length; at++) bytes[size++] = text.charCodeAt(at)
    else size += bytes.write(text, size, 'latin1')
    this.size = size
  }

  /** Adds the bytes from `start` up to `end`, which is excluded; by default all. */
  addBytes(from: Uint8Array, start = 0, end = from.length): void {
    this.reserve(end - start)
    const { bytes } = this
    let { size } = this
    if (end - start < MANY) for (let at = start; at < end; at++) bytes[size++] = from[at]!
    else {
      // `subarray` of a Buffer takes twice the time.
      bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, end - start), size)
      size += end - start
    }
    this.size = size
  }

  addLineFeed(): void {
    this.reserve(1)
    this.bytes[this.size++] = LINE_FEED
  }
}
