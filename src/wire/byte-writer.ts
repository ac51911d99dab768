const LINE_FEED = 0x0a

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

  /** Adds text that has a character for each byte. */
  addLatin1(text: string): void {
    this.reserve(text.length)
    this.size += this.bytes.write(text, this.size, 'latin1')
  }

  addLineFeed(): void {
    this.reserve(1)
    this.bytes[this.size++] = LINE_FEED
  }
}
