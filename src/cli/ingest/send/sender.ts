import type { Connection } from '../../../client/connection.js'
import {
  type Delivery,
  type IngestParameters,
  type IngestRequest,
  ingest,
} from '../../../client/ingest.js'
import { FIRST_BATCH_ATTEMPTS } from '../../../client/limits.js'
import type { RetryPolicy } from '../../../client/retry.js'
import type { WireCompression } from '../../../client/wire-compression.js'
import type { Batch } from '../../../input/batch.js'
import { deferred } from '../../../text/deferred.js'
import { defined } from '../../../text/defined.js'
import type { Reporter } from '../report/reporter.js'
import { deliverBatch } from './delivery.js'
import { type BatchOutcome, type Outcome, withOwnReason } from './outcome.js'
import { RejectionPolicy } from './rejection-policy.js'
import { eventsWithInvalidTime } from './untimed.js'

/** The most that is in flight; a larger batch is sent when no other one is in flight. */
export interface InFlight {
  readonly batches: number
  readonly bytes: number
}

interface SenderOptions {
  readonly connection: Connection
  readonly dataset: string
  readonly parameters: IngestParameters
  readonly compression?: WireCompression | undefined
  readonly most: InFlight
  readonly retry: RetryPolicy
  /** When aborted, requests in flight finish, and no new request starts. */
  readonly interrupt: AbortSignal
  /** When aborted, requests in flight are canceled. */
  readonly deadline: AbortSignal
  /** Returns the id of a batch. An id always stands for the same events. */
  readonly batchId: (batch: Batch) => string
  readonly reporter: Required<Reporter>
}

interface WaitingBatch {
  readonly batch: Batch
  started(): void
}

const INTERRUPTED = new Error('interrupted before it was sent')

/** Sends batches concurrently and reports their outcomes. */
export class IngestSender {
  /** The error that ended the run. */
  failure: Error | undefined
  private readonly options: SenderOptions
  private readonly stopping = new AbortController()
  private readonly inFlight = new Set<Promise<void>>()
  private bytesInFlight = 0
  /** The batches that wait for others to be settled, in the order of their arrival. */
  private readonly waiting: WaitingBatch[] = []
  private readonly rejectionPolicy = new RejectionPolicy()
  private hasResponded = false

  constructor(options: SenderOptions) {
    this.options = options
  }

  /** Aborted when the run fails. */
  get stopped(): AbortSignal {
    return this.stopping.signal
  }

  get batchesInFlight(): number {
    return this.inFlight.size
  }

  /** Ends the run with an error; only the first one is kept. */
  fail(error: Error): void {
    this.failure ??= error
    this.stopping.abort()
  }

  /** Starts sending a batch. Resolves when the batch is in flight, not when it is stored. */
  async send(batch: Batch): Promise<void> {
    const { promise, resolve } = deferred()
    this.waiting.push({ batch, started: resolve })
    this.startWaiting()
    await promise
  }

  /** Starts as many batches as may be in flight. Thousands may wait, so that each response must not wake all of them. */
  private startWaiting(): void {
    const { waiting } = this
    for (let next = waiting[0]; next !== undefined && this.hasRoom(next.batch); next = waiting[0]) {
      waiting.shift()
      this.start(next.batch)
      next.started()
    }
  }

  private hasRoom({ body }: Batch): boolean {
    const { batches, bytes } = this.options.most
    const { size } = this.inFlight
    // The first batch is sent alone: one response is enough to find out that the token or the address is wrong.
    if (size === 0 || !this.hasResponded) return size === 0
    return size < batches && this.bytesInFlight + body.length <= bytes
  }

  private start(batch: Batch): void {
    const { inFlight } = this
    const { deadline } = this.options
    const { length } = batch.body
    this.bytesInFlight += length
    const sending = this.settle(batch).finally(() => {
      inFlight.delete(sending)
      this.bytesInFlight -= length
      // The service in this process may still be reading the body of a canceled request.
      if (!deadline.aborted) batch.release()
      this.startWaiting()
    })
    inFlight.add(sending)
  }

  /** Resolves when no batch is in flight. */
  async settled(): Promise<void> {
    await Promise.all(this.inFlight)
  }

  /** Returns the error because of which no further request may start. */
  private blockedBy(): Error | undefined {
    return this.failure ?? (this.options.interrupt.aborted ? INTERRUPTED : undefined)
  }

  /** Delivers a batch and reports its outcome. A reporter that fails ends the run. */
  private async settle(batch: Batch): Promise<void> {
    const batchId = this.options.batchId(batch)
    try {
      const outcome = await this.deliver(batch, batchId)
      const rejected = outcome.rejected.map((failed) => withOwnReason(failed, batch))
      await this.options.reporter.settled({ batch, batchId, ...outcome, rejected })
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)))
      await this.options.reporter.unrecorded(batch, batchId)
    }
  }

  private async deliver(
    batch: Batch,
    batchId: string,
  ): Promise<Outcome & Pick<BatchOutcome, 'retries' | 'untimed'>> {
    const { reporter, parameters } = this.options
    if (this.blockedBy() === undefined) await reporter.sending(batch, batchId)
    const outcome = await this.deliverAs(batch, batchId, { isWhole: true })
    const untimed = eventsWithInvalidTime(batch, outcome, parameters)
    if (untimed === undefined) return outcome
    const repeated = await this.deliverAs(untimed.batch, `${batchId}.untimed`, { isWhole: false })
    return untimed.combine(outcome, repeated)
  }

  private deliverAs(
    batch: Batch,
    batchId: string,
    { isWhole }: { readonly isWhole: boolean },
  ): Promise<Outcome & Pick<BatchOutcome, 'retries'>> {
    return deliverBatch({
      batch,
      batchId,
      rejectionPolicy: this.rejectionPolicy,
      blockedBy: () => this.blockedBy(),
      fail: (error) => this.fail(error),
      post: async ({ body, range }, id) => {
        if (!isWhole || id !== batchId) await this.options.reporter.sendingPart(batch, id)
        return await this.post(batch, { body, events: range.events, batchId: id })
      },
    })
  }

  private async post(
    { contentType, csv, timestampField }: Batch,
    part: Pick<IngestRequest, 'body' | 'events' | 'batchId'>,
  ): Promise<Delivery> {
    const { connection, dataset, compression, deadline: signal } = this.options
    const parameters = { ...this.options.parameters, ...defined({ timestampField }) }
    const attempts = this.hasResponded ? this.options.retry.attempts : FIRST_BATCH_ATTEMPTS
    const retry = { ...this.options.retry, attempts }
    const request = { dataset, contentType, csv, ...part, parameters, compression, retry }
    const delivered = await ingest(connection, { ...request, signal })
    if (delivered.kind === 'accepted') this.hasResponded = true
    return delivered
  }
}
