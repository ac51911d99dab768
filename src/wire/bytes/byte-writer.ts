const LINE_FEED = 0x0a

/** Fewer bytes are copied faster one by one than by a call. */
const MANY = 40

/** Bytes that become more; whoever has reserved room may write at `size` directly, and move it on. */
export class ByteWriter {
  bytes: Buffer
  size = 0

  /** With room for so many at first. */
  constructor(bytes: number) {
    this.bytes = Buffer.allocUnsafe(bytes)
  }

  get written(): Buffer {
    return this.bytes.subarray(0, this.size)
  }

  /** Makes sure that there is room for so many more. */
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

  /** Adds text that has a character for each byte. */
  addLatin1(text: string): void {
    this.reserve(text.length)
    this.size += this.bytes.write(text, this.size, 'latin1')
  }

  /** Adds the bytes from a place to another, the last not included. */
  addBytes(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start)
    const { bytes } = this
    let { size } = this
    if (end - start < MANY) for (let at = start; at < end; at++) bytes[size++] = from[at]!
    else {
      bytes.set(from.subarray(start, end), size)
      size += end - start
    }
    this.size = size
  }

  addLineFeed(): void {
    this.reserve(1)
    this.bytes[this.size++] = LINE_FEED
  }
}
