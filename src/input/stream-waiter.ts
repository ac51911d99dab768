import type { Readable } from 'node:stream'

interface StreamWaiterOptions {
  readonly stream: Readable
  /** Whether some of its bytes are there to be read. */
  readonly hasBytes: () => boolean
  readonly signal: AbortSignal | undefined
}

/** A reader's wait for a stream to give bytes, to end or to fail. Aborting `signal` is an end too. */
export class StreamWaiter {
  /** Why the stream broke off. What came before is read first. */
  failure: Error | undefined
  private readonly stream: Readable
  private readonly hasBytes: () => boolean
  private readonly signal: AbortSignal | undefined
  private isOver: boolean
  private waiting: Deferred | undefined

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

  /** Whether a read would not have to wait. */
  hasNews(): boolean {
    return this.signal?.aborted || this.hasBytes() || this.isOver || this.failure !== undefined
  }

  /** Resolves when there is news; undefined when there is some. */
  ready(): Promise<void> | undefined {
    if (this.hasNews()) return undefined
    this.waiting ??= deferred()
    return this.waiting.promise
  }

  wake(): void {
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

/** A promise that somebody else resolves. */
interface Deferred {
  readonly promise: Promise<void>
  resolve(): void
}

function deferred(): Deferred {
  let resolve = () => {}
  const promise = new Promise<void>((resolved) => {
    resolve = resolved
  })
  return { promise, resolve }
}
