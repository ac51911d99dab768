import type { Connection } from '../../../../client/connection.js'
import { type Delivery, type IngestParameters, ingest } from '../../../../client/ingest.js'
import type { RetryPolicy } from '../../../../client/retry.js'
import type { WireCompression } from '../../../../client/wire-compression.js'
import type { Batch } from '../../../../input/batch.js'
import type { Account, Outcome } from '../report/account.js'
import { BatchDelivery } from './delivery.js'
import type { Fate } from './outcome.js'
import { Refusals } from './rejection-policy.js'

interface SenderOptions {
  readonly connection: Connection
  readonly dataset: string
  readonly parameters: IngestParameters
  readonly compression?: WireCompression | undefined
  /** How many batches may be under way at once. */
  readonly concurrency: number
  readonly retry: RetryPolicy
  /** Aborting lets the requests in flight finish and starts no other. */
  readonly interrupt: AbortSignal
  /** Aborting cancels the requests in flight. */
  readonly deadline: AbortSignal
  /** The id that a batch goes out under; the same one stands for the same events for ever. */
  readonly batchId: (batch: Batch) => string
  readonly account: Required<Account>
}

const INTERRUPTED = new Error('interrupted before it was sent')

/** A service that has never answered may not be there at all, and then nobody wants to wait for long. */
const ATTEMPTS_UNPROVED = 5

/** Sends batches, several at once, and tells the account what becomes of them. */
export class IngestSender {
  /** What makes it useless to send any more. */
  failure: Error | undefined
  private readonly options: SenderOptions
  private readonly stopping = new AbortController()
  private readonly underWay = new Set<Promise<void>>()
  private readonly refusals = new Refusals()
  private isProved = false

  constructor(options: SenderOptions) {
    this.options = options
  }

  /** Aborted by the failure. */
  get stopped(): AbortSignal {
    return this.stopping.signal
  }

  get batchesInFlight(): number {
    return this.underWay.size
  }

  /** Why no request may be started any more. */
  private get obstacle(): Error | undefined {
    return this.failure ?? (this.options.interrupt.aborted ? INTERRUPTED : undefined)
  }

  /** Resolves when there is room for the next batch, not when this one is stored. */
  async send(batch: Batch): Promise<void> {
    // The first goes alone: when the token or the address is wrong, one answer is enough to know.
    while (this.underWay.size >= (this.isProved ? this.options.concurrency : 1)) {
      await Promise.race(this.underWay)
    }
    const sending = this.settle(batch).finally(() => {
      this.underWay.delete(sending)
      batch.release()
    })
    this.underWay.add(sending)
  }

  /** Resolves when every batch has its answer, or will have none. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay)
  }

  /** There is no use in going on. */
  fail(error: Error): void {
    this.failure ??= error
    this.stopping.abort()
  }

  /** Brings a batch to its end; an account that can't do its part ends the run. */
  private async settle(batch: Batch): Promise<void> {
    const batchId = this.options.batchId(batch)
    try {
      const { retries, ...fate } = await this.deliver(batch, batchId)
      await this.options.account.settled({ batch, batchId, retries, ...fate })
    } catch (error) {
      this.fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  private async deliver(batch: Batch, batchId: string): Promise<Fate & Pick<Outcome, 'retries'>> {
    const { account } = this.options
    if (this.obstacle === undefined) await account.sending(batch, batchId)
    const delivery = new BatchDelivery({
      batch,
      batchId,
      refusals: this.refusals,
      obstacle: () => this.obstacle,
      fail: (error) => this.fail(error),
      post: (body, id) => this.post(batch, { body, batchId: id }),
    })
    return delivery.run()
  }

  private async post(
    { contentType, csv }: Batch,
    part: { readonly body: Buffer; readonly batchId: string },
  ): Promise<Delivery> {
    const { connection, dataset, parameters, compression, deadline } = this.options
    const attempts = this.isProved ? this.options.retry.attempts : ATTEMPTS_UNPROVED
    const retry = { ...this.options.retry, attempts }
    const request = { dataset, contentType, csv, ...part, parameters, compression, retry }
    const delivered = await ingest(connection, { ...request, signal: deadline })
    if (delivered.kind === 'accepted') this.isProved = true
    return delivered
  }
}
