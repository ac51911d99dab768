import type { Readable } from 'node:stream'
import { type Deferred, deferred } from '../text/deferred.js'

interface StreamWaiterOptions {
  readonly stream: Readable
  /** True when bytes can be read at once. */
  readonly hasBytes: () => boolean
  readonly signal: AbortSignal | undefined
}

/** Waits for a stream to deliver bytes, end or fail. Aborting `signal` counts as the end. */
export class StreamWaiter {
  /** The error of the stream; bytes received before it are read first. */
  failure: Error | undefined
  private readonly stream: Readable
  private readonly hasBytes: () => boolean
  private readonly signal: AbortSignal | undefined
  private isOver: boolean
  private waiting: Deferred<void> | undefined

  constructor({ stream, hasBytes, signal }: StreamWaiterOptions) {
    this.stream = stream
    this.hasBytes = hasBytes
    this.signal = signal
    this.isOver = signal?.aborted || stream.destroyed
    stream.on('end', this.end)
    stream.on('close', this.end)
    stream.on('error', (error) => {
      this.failure = error
      this.wake()
    })
    signal?.addEventListener('abort', this.end, { once: true })
  }

  get isWaitedFor(): boolean {
    return this.waiting !== undefined
  }

  /** True when a read would not have to wait. */
  hasNews(): boolean {
    return this.signal?.aborted || this.hasBytes() || this.isOver || this.failure !== undefined
  }

  /** Resolves when a read would not wait; undefined when a read would not wait now. */
  ready(): Promise<void> | undefined {
    if (this.hasNews()) return undefined
    this.waiting ??= deferred()
    return this.waiting.promise
  }

  /** Wakes the reader, unless the bytes have been read in the meantime and a read would wait. */
  wake(): void {
    if (!this.hasNews()) return
    this.waiting?.resolve()
    this.waiting = undefined
  }

  close(): void {
    this.signal?.removeEventListener('abort', this.end)
    this.stream.destroy()
  }

  private readonly end = (): void => {
    this.isOver = true
    this.wake()
  }
}
