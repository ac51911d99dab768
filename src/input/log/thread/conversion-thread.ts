import type { Worker } from 'node:worker_threads'
import { type Deferred, deferred } from '../../../text/deferred.js'
import { startThread } from '../../../wire/bytes/worker-thread.js'
import { memoryOf, type ThreadBatch, type ThreadRequest, type ThreadResponse } from './messages.js'

type BatchResponse = Extract<ThreadResponse, { readonly kind: 'converted' | 'unconverted' }>

/** A thread that converts batches in the order of the requests. It keeps the process alive only while it converts. */
export class ConversionThread {
  /** True when the thread can convert. A thread that can't be started never becomes ready. */
  isReady = false
  private readonly worker: Worker
  private readonly pending: Deferred<BatchResponse>[] = []
  /** The error that has ended the thread. */
  private failure: unknown

  /** Starts the thread; `file` is the module that it runs. */
  constructor(file: URL) {
    this.worker = startThread(file)
    this.worker.on('message', (response: ThreadResponse) => this.receive(response))
    this.worker.on('error', (error) => this.fail(error))
    this.worker.on('exit', (code) => {
      this.fail(new Error(`the conversion thread ended with ${code}`))
    })
  }

  /** The number of requests without a response. */
  get load(): number {
    return this.pending.length
  }

  send(request: ThreadRequest, transferred: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(request, transferred)
  }

  /** Converts a batch, whose memory is transferred. */
  convert(batch: ThreadBatch): Promise<BatchResponse> {
    if (this.failure !== undefined) return Promise.reject(this.failure)
    this.worker.ref()
    this.send({ kind: 'convert', ...batch }, memoryOf(batch))
    const response = deferred<BatchResponse>()
    this.pending.push(response)
    return response.promise
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private receive(response: ThreadResponse): void {
    if (response.kind === 'ready') {
      this.isReady = true
      return
    }
    const pending = this.pending.shift()
    if (this.pending.length === 0) this.worker.unref()
    if (response.kind === 'failed') pending?.reject(response.error)
    else pending?.resolve(response)
  }

  private fail(error: unknown): void {
    this.isReady = false
    this.failure ??= error
    for (const { reject } of this.pending.splice(0)) reject(error)
  }
}
