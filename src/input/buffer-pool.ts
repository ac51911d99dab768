/** The first buffer of an input. Most inputs are small, and V8 counts the whole length of a buffer as memory in use. */
const FIRST_BYTES = 256 * 1024

/** Reuses buffers of one size, so that memory depends on the number of batches in flight and not on the input. */
export class BufferPool {
  readonly size: number
  private readonly free: Buffer[] = []

  constructor(size: number) {
    this.size = size
  }

  take(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(this.size)
  }

  /** Returns the first buffer of an input, which may be smaller than the others. */
  takeFirst(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(Math.min(this.size, FIRST_BYTES))
  }

  /** Returns a buffer to the pool. A buffer of another size, for the start of an input or a long event, is dropped. */
  give(buffer: Buffer): void {
    if (buffer.length === this.size) this.free.push(buffer)
  }
}

/** Reuses buffers that are large enough: allocating large buffers costs memory and garbage collections. */
export class SpareBuffers {
  private readonly spare: Buffer[] = []

  /** Returns a buffer of at least `bytes` bytes. */
  take(bytes: number): Buffer {
    const found = this.spare.pop()
    return found !== undefined && found.length >= bytes ? found : Buffer.allocUnsafeSlow(bytes)
  }

  give(buffer: Buffer): void {
    this.spare.push(buffer)
  }
}
