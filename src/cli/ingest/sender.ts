import { randomUUID } from 'node:crypto'
import type { Connection } from '../../client/connection.js'
import { ApiError } from '../../client/error.js'
import { ingest } from '../../client/ingest.js'
import type { RetryPolicy } from '../../client/retry.js'
import type { Batch } from '../../input/batch.js'
import type { IngestTally } from './tally.js'

export interface SenderOptions {
  readonly connection: Connection
  readonly dataset: string
  readonly timestampField?: string | undefined
  /** How many batches may be under way at once. */
  readonly concurrency: number
  readonly retry: RetryPolicy
  readonly tally: IngestTally
}

/** These are about the events of one batch: others may fare better. */
const ABOUT_THE_BATCH: readonly number[] = [400, 413]

/** Sends batches, several at once, and tallies what becomes of them. */
export class IngestSender {
  /** What makes it useless to send any more. */
  failure: Error | undefined
  private readonly options: SenderOptions
  private readonly stopping = new AbortController()
  private readonly underWay = new Set<Promise<void>>()
  private readonly run = randomUUID()
  private count = 0
  private isProved = false

  constructor(options: SenderOptions) {
    this.options = options
  }

  /** Aborted by the failure. */
  get stopped(): AbortSignal {
    return this.stopping.signal
  }

  /** Resolves when there is room for the next batch, not when this one is stored. */
  async send(batch: Batch): Promise<void> {
    // The first goes alone: when the token or the address is wrong, one answer is enough to know.
    while (this.underWay.size >= (this.isProved ? this.options.concurrency : 1)) {
      await Promise.race(this.underWay)
    }
    const sending = this.post(batch).finally(() => {
      this.underWay.delete(sending)
      batch.release()
    })
    this.underWay.add(sending)
  }

  /** Resolves when every batch has its answer, or will have none. */
  async settled(): Promise<void> {
    await Promise.all(this.underWay)
  }

  private async post(batch: Batch): Promise<void> {
    const { connection, dataset, timestampField, retry, tally } = this.options
    if (this.failure !== undefined) {
      tally.addUnanswered(batch)
      return
    }
    this.count += 1
    const { body, contentType } = batch
    const batchId = `${this.run}-${this.count}`
    const request = { dataset, body, contentType, batchId, timestampField, retry }
    try {
      tally.add(batch, await ingest(connection, request))
      this.isProved = true
    } catch (error) {
      if (error instanceof ApiError && ABOUT_THE_BATCH.includes(error.status)) {
        tally.addRefused(batch, error.message)
      } else {
        tally.addUnanswered(batch)
        this.failure ??= error instanceof Error ? error : new Error(String(error))
        this.stopping.abort()
      }
    }
  }
}
