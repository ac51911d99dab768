/** Reads given numbers of bytes from chunks of any size. */
export class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks[Symbol.asyncIterator]()
  }

  /** Returns the next `length` bytes, or all remaining bytes if there are fewer. */
  async take(length: number): Promise<Buffer> {
    const taken: Buffer[] = []
    let missing = length
    while (missing > 0 && (await this.hasMore())) {
      const chunk = this.rest.subarray(0, missing)
      this.rest = this.rest.subarray(chunk.length)
      taken.push(chunk)
      missing -= chunk.length
    }
    return taken.length === 1 ? taken[0]! : Buffer.concat(taken)
  }

  /** Skips up to `length` bytes and returns the number of bytes skipped. */
  async skip(length: number): Promise<number> {
    let missing = length
    while (missing > 0 && (await this.hasMore())) {
      const passed = Math.min(missing, this.rest.length)
      this.rest = this.rest.subarray(passed)
      missing -= passed
    }
    return length - missing
  }

  /** Tells the source that no more bytes are needed. */
  async close(): Promise<void> {
    await this.chunks.return?.()
  }

  private async hasMore(): Promise<boolean> {
    while (this.rest.length === 0) {
      const { done, value } = await this.chunks.next()
      if (done) return false
      this.rest = value
    }
    return true
  }
}
