/** The first buffer of an input. Most inputs are small, and V8 counts the whole length of a buffer as memory in use. */
const FIRST_BYTES = 256 * 1024
/** The number of first buffers that are kept for further inputs: about as many as there are batches in flight. */
const MAX_FIRST = 10

/** Reuses buffers of one size, so that memory depends on the number of batches in flight and not on the input. */
export class BufferPool {
  readonly size: number
  private readonly free: Buffer[] = []
  /** Free first buffers: without them, twenty small inputs would make V8 collect the whole heap. */
  private readonly freeFirst: Buffer[] = []

  constructor(size: number) {
    this.size = size
  }

  take(): Buffer {
    return this.free.pop() ?? Buffer.allocUnsafeSlow(this.size)
  }

  /** Returns the first buffer of an input, which may be smaller than the others. */
  takeFirst(): Buffer {
    const found = this.free.pop() ?? this.freeFirst.pop()
    return found ?? Buffer.allocUnsafeSlow(Math.min(this.size, FIRST_BYTES))
  }

  /** Returns a buffer to the pool. A buffer of another size, such as one for a long event, is dropped. */
  give(buffer: Buffer): void {
    if (buffer.length === this.size) this.free.push(buffer)
    else if (buffer.length === FIRST_BYTES && this.freeFirst.length < MAX_FIRST) {
      this.freeFirst.push(buffer)
    }
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

  /** Keeps a buffer unless it shares its memory with others, as small buffers do: shared memory can't be moved to a thread. */
  give(buffer: Buffer): void {
    if (buffer.length === buffer.buffer.byteLength) this.spare.push(buffer)
  }
}
