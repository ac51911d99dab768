/** Bytes kept in the chunks in which they arrived. */
export class ChunkedBuffer {
  readonly chunks: readonly Buffer[]
  readonly length: number

  constructor(chunks: readonly Buffer[]) {
    this.chunks = chunks
    this.length = chunks.reduce((sum, { length }) => sum + length, 0)
  }

  static of(bytes: string | Buffer | ChunkedBuffer): ChunkedBuffer {
    if (bytes instanceof ChunkedBuffer) return bytes
    return new ChunkedBuffer([typeof bytes === 'string' ? Buffer.from(bytes) : bytes])
  }

  toString(): string {
    const [only] = this.chunks
    const whole = only !== undefined && this.chunks.length === 1 ? only : Buffer.concat(this.chunks)
    return whole.toString('utf8')
  }

  /** Copies all bytes to the beginning of `target`. */
  copyTo(target: Uint8Array): void {
    let at = 0
    for (const chunk of this.chunks) {
      target.set(chunk, at)
      at += chunk.length
    }
  }
}
