import { setFlagsFromString } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import { startThread, threadFile } from '../../../wire/bytes/worker-thread.js'
import type { Batch } from '../../batch.js'
import { type BufferPool, SpareBuffers } from '../../buffer-pool.js'
import { convertedBatch, GROWTH } from '../conversion.js'
import { escapedBytes } from '../escaped-bytes.js'
import type { Conversion } from '../log-format.js'
import type { ThreadRequest, ThreadResponse, ThreadResult } from './messages.js'

/** Continues a conversion on another thread. */
export interface RemoteConversion {
  /** Resolves with the batch of events; undefined when it has none. Batches are converted in the order of the calls. */
  convert(batch: Batch): Promise<Batch | undefined>
  end(): void
}

/** A thread is used after this many bytes; shorter logs are converted before a thread has started. */
const THREAD_AFTER = 1024 * 1024

/** Returns the module that the thread runs; undefined when the program runs from TypeScript. */
export function conversionWorkerFile(): URL | undefined {
  return threadFile('conversion-worker', import.meta.url)
}

/** The functions that settle the promise of a request. */
interface Pending {
  resolve(result: ThreadResult): void
  reject(error: unknown): void
}

/** A conversion that another thread can continue. */
type MovableConversion = Conversion & Required<Pick<Conversion, 'origin' | 'state'>>

/** True when another thread can continue a conversion. */
export function isMovable(conversion: Conversion): conversion is MovableConversion {
  return conversion.origin !== undefined && conversion.state !== undefined
}

/**
 * A thread that converts the records of all inputs of a run. It starts when it is first needed, and keeps the process alive
 * only while it converts.
 */
export class ConversionThread {
  /** True when the thread can convert. */
  isReady = false
  /** The thread is used after this many bytes that arrived as fast as they were converted. */
  readonly after: number
  private readonly file: URL
  private worker: Worker | undefined
  private readonly pending: Pending[] = []
  private readonly spare = new SpareBuffers()
  private conversions = 0
  /** The error that has ended the thread. */
  private failure: unknown

  /** `file` is the module that the thread runs. */
  constructor(file: URL, { after = THREAD_AFTER } = {}) {
    this.file = file
    this.after = after
  }

  /** Starts the thread, unless it was started. A thread that can't be started never becomes ready. */
  start(): void {
    if (this.worker !== undefined) return
    const worker = startThread(this.file)
    worker.on('message', (response: ThreadResponse) => this.receive(response))
    worker.on('error', (error) => this.fail(error))
    worker.on('exit', (code) => this.fail(new Error(`the conversion thread ended with ${code}`)))
    this.worker = worker
  }

  /** Continues a conversion, which must no longer be used on this thread. */
  continue(conversion: MovableConversion, pool: BufferPool): RemoteConversion {
    const { origin, state } = conversion
    const id = ++this.conversions
    this.send({ kind: 'continue', id, origin, state })
    return {
      convert: (batch) => this.convert(batch, { id, conversion, pool }),
      end: () => this.send({ kind: 'end', id }),
    }
  }

  /** Ends the thread. */
  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  private async convert(
    batch: Batch,
    { id, conversion, pool }: { id: number; conversion: Conversion; pool: BufferPool },
  ): Promise<Batch | undefined> {
    const { body, start, extents } = batch
    // After its memory is transferred, the length of a buffer is 0.
    const { length } = body
    const result = await this.request({
      kind: 'convert',
      id,
      body: body.buffer as ArrayBuffer,
      length,
      extents: extents && new Int32Array(extents),
      escapes: escapedBytes(body),
      line: start.line,
      output: this.spare.take(length * GROWTH).buffer as ArrayBuffer,
      lastWritten: conversion.lastWritten?.(),
    })
    const read = Buffer.from(result.body)
    const output = Buffer.from(result.output)
    return convertedBatch(
      { ...batch, body: read.subarray(0, length) },
      {
        conversion,
        converted: { ...result, output },
        release: () => {
          this.spare.give(output)
          pool.give(read)
        },
      },
    )
  }

  private request(
    request: Extract<ThreadRequest, { readonly kind: 'convert' }>,
  ): Promise<ThreadResult> {
    if (this.failure !== undefined) return Promise.reject(this.failure)
    const { body, output, extents, escapes } = request
    const found = extents === undefined ? [escapes.buffer] : [escapes.buffer, extents.buffer]
    const transferred = [body, output, ...found]
    this.worker?.ref()
    this.send(request, transferred as ArrayBuffer[])
    return new Promise((resolve, reject) => this.pending.push({ resolve, reject }))
  }

  private send(request: ThreadRequest, transferred: readonly ArrayBuffer[] = []): void {
    this.worker?.postMessage(request, transferred)
  }

  private receive(response: ThreadResponse): void {
    if (response.kind === 'ready') {
      this.isReady = true
      // Both threads create much short-lived garbage. Further threads that help to collect it would only wait for each other.
      setFlagsFromString('--no-parallel-scavenge')
      return
    }
    const pending = this.pending.shift()
    if (this.pending.length === 0) this.worker?.unref()
    if (response.kind === 'failed') pending?.reject(response.error)
    else pending?.resolve(response)
  }

  private fail(error: unknown): void {
    this.isReady = false
    this.failure ??= error
    for (const { reject } of this.pending.splice(0)) reject(error)
  }
}
