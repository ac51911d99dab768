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
import { defined } from '../../../text/defined.js'
import type { Reporter } from '../report/reporter.js'
import { deliverBatch } from './delivery.js'
import type { BatchOutcome, Outcome } from './outcome.js'
import { RejectionPolicy } from './rejection-policy.js'
import { eventsWithInvalidTime } from './untimed.js'

interface SenderOptions {
  readonly connection: Connection
  readonly dataset: string
  readonly parameters: IngestParameters
  readonly compression?: WireCompression | undefined
  /** The maximum number of batches in flight. */
  readonly concurrency: number
  readonly retry: RetryPolicy
  /** When aborted, requests in flight finish, and no new request starts. */
  readonly interrupt: AbortSignal
  /** When aborted, requests in flight are canceled. */
  readonly deadline: AbortSignal
  /** Returns the id of a batch. An id always stands for the same events. */
  readonly batchId: (batch: Batch) => string
  readonly reporter: Required<Reporter>
}

const INTERRUPTED = new Error('interrupted before it was sent')

export type IngestSender = ReturnType<typeof ingestSender>

/** Returns a sender, which sends batches concurrently and reports their outcomes. */
export function ingestSender(options: SenderOptions) {
  const { connection, dataset, compression, concurrency, interrupt, deadline, reporter } = options
  let failure: Error | undefined
  const stopping = new AbortController()
  const inFlight = new Set<Promise<void>>()
  const rejectionPolicy = new RejectionPolicy()
  let hasResponded = false

  /** Returns the error because of which no further request may start. */
  const blockedBy = () => failure ?? (interrupt.aborted ? INTERRUPTED : undefined)

  /** Ends the run with an error; only the first one is kept. */
  function fail(error: Error): void {
    failure ??= error
    stopping.abort()
  }

  /** Delivers a batch and reports its outcome. A reporter that fails ends the run. */
  async function settle(batch: Batch): Promise<void> {
    const batchId = options.batchId(batch)
    try {
      const { retries, ...outcome } = await deliver(batch, batchId)
      await reporter.settled({ batch, batchId, retries, ...outcome })
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)))
    }
  }

  async function deliver(
    batch: Batch,
    batchId: string,
  ): Promise<Outcome & Pick<BatchOutcome, 'retries' | 'untimed'>> {
    if (blockedBy() === undefined) await reporter.sending(batch, batchId)
    const outcome = await deliverAs(batch, batchId, { isWhole: true })
    const untimed = eventsWithInvalidTime(batch, outcome, options.parameters)
    if (untimed === undefined) return outcome
    const repeated = await deliverAs(untimed.batch, `${batchId}.untimed`, { isWhole: false })
    return untimed.combine(outcome, repeated)
  }

  function deliverAs(
    batch: Batch,
    batchId: string,
    { isWhole }: { readonly isWhole: boolean },
  ): Promise<Outcome & Pick<BatchOutcome, 'retries'>> {
    return deliverBatch({
      batch,
      batchId,
      rejectionPolicy,
      blockedBy,
      fail,
      post: async ({ body, range }, id) => {
        if (!isWhole || id !== batchId) await reporter.sendingPart(batch, id)
        return await post(batch, { body, events: range.events, batchId: id })
      },
    })
  }

  async function post(
    { contentType, csv, timestampField }: Batch,
    part: Pick<IngestRequest, 'body' | 'events' | 'batchId'>,
  ): Promise<Delivery> {
    const parameters = { ...options.parameters, ...defined({ timestampField }) }
    const attempts = hasResponded ? options.retry.attempts : FIRST_BATCH_ATTEMPTS
    const retry = { ...options.retry, attempts }
    const request = { dataset, contentType, csv, ...part, parameters, compression, retry }
    const delivered = await ingest(connection, { ...request, signal: deadline })
    if (delivered.kind === 'accepted') hasResponded = true
    return delivered
  }

  return {
    fail,
    /** Returns the error that ended the run. */
    failure: () => failure,
    /** Aborted when the run fails. */
    stopped: stopping.signal,
    batchesInFlight: () => inFlight.size,
    /** Starts sending a batch. Resolves when the batch is in flight, not when it is stored. */
    async send(batch: Batch): Promise<void> {
      // The first batch is sent alone: one response is enough to find out that the token or the address is wrong.
      while (inFlight.size >= (hasResponded ? concurrency : 1)) await Promise.race(inFlight)
      const sending = settle(batch).finally(() => {
        inFlight.delete(sending)
        // The service in this process may still be reading the body of a canceled request.
        if (!deadline.aborted) batch.release()
      })
      inFlight.add(sending)
    },
    /** Resolves when no batch is in flight. */
    async settled(): Promise<void> {
      await Promise.all(inFlight)
    },
  }
}
