/** Buffers of one size, used again and again: memory then depends on the batches in flight, not on the input. */
export class BufferPool {
  readonly size: number
  private readonly free: Buffer[] = []

  constructor(size: number) {
    this.size = size
  }

  take(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(this.size)
  }

  /** Keeps a buffer for the next taker; one of another size, made for a long event, is let go. */
  give(buffer: Buffer): void {
    if (buffer.length === this.size) this.free.push(buffer)
  }
}
