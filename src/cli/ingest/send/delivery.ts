import { ApiError } from '../../../client/error.js'
import type { BatchFailed, Delivery } from '../../../client/ingest.js'
import type { Batch } from '../../../input/batch.js'
import {
  allEvents,
  type BatchOutcome,
  combineOutcomes,
  eventIndex,
  type FailedEvents,
  NO_OUTCOME,
  type Outcome,
  responseOutcome,
} from './outcome.js'
import { type EventRange, type Part, partsOf } from './part.js'
import type { RejectionPolicy } from './rejection-policy.js'

interface DeliveryOptions {
  readonly batch: Batch
  readonly batchId: string
  /** The policy, which all batches of a run share. */
  readonly rejectionPolicy: RejectionPolicy
  post(part: Part, batchId: string): Promise<Delivery>
  /** Returns the error because of which no further request may start; `undefined` while requests may start. */
  blockedBy(): Error | undefined
  fail(error: Error): void
}

type FailureReason = Pick<FailedEvents, 'reason' | 'requestId'>

/** HTTP statuses caused by the content of a request, so that a part of it may succeed. */
const SPLIT_STATUSES: readonly number[] = [400, 413, 422]

/**
 * Delivers a batch; failures are part of the outcome, and nothing is thrown. When the service rejects the whole batch, no event was
 * stored, so the batch is split until each rejected event is isolated. A batch that was accepted in part is never sent again.
 */
export async function deliverBatch(
  options: DeliveryOptions,
): Promise<Outcome & Pick<BatchOutcome, 'retries'>> {
  const delivery = new BatchDelivery(options)
  const outcome = await delivery.deliver({ first: 0, events: options.batch.events })
  return { ...outcome, retries: delivery.retries }
}

class BatchDelivery {
  retries = 0
  private readonly options: DeliveryOptions
  private readonly parts: ReturnType<typeof partsOf>

  constructor(options: DeliveryOptions) {
    this.options = options
    this.parts = partsOf(options.batch)
  }

  async deliver(range: EventRange): Promise<Outcome> {
    const { parts } = this
    const { blockedBy, rejectionPolicy } = this.options
    const reason = blockedBy()?.message
    if (reason !== undefined) return { ...NO_OUTCOME, unsent: [allEvents(range, { reason })] }
    const part = parts.part(range)
    const isTooLarge = range.events > 1 && rejectionPolicy.isTooLarge(part.body.length)
    if (isTooLarge && parts.canSplit()) return this.deliverAll(parts.halves(range))
    const delivery = await this.postTwice(part)
    if (delivery.kind === 'failed') return this.failed(part, delivery)
    const outcome = responseOutcome(part, delivery)
    rejectionPolicy.noteAccepted(outcome.accepted)
    return outcome
  }

  /** Sends a part. When an attempt without a response may have stored it, a later rejection is confirmed by a second request. */
  private async postTwice(part: Part): Promise<Delivery> {
    const { post, blockedBy } = this.options
    const send = () => post(part, this.idOf(part.range))
    const first = await send()
    this.retries += first.retries
    if (first.kind === 'accepted' || !first.mayBeStored || !isEventError(first)) return first
    if (blockedBy() !== undefined) return first
    const second = await send()
    this.retries += second.retries + 1
    return second.kind === 'failed' ? { ...second, mayBeStored: true } : second
  }

  private async deliverAll(ranges: readonly EventRange[]): Promise<Outcome> {
    const outcomes: Outcome[] = []
    for (const range of ranges) outcomes.push(await this.deliver(range))
    return combineOutcomes(outcomes)
  }

  private async failed(part: Part, failed: BatchFailed): Promise<Outcome> {
    const { parts } = this
    const { blockedBy, fail, rejectionPolicy } = this.options
    const { error, mayBeStored } = failed
    const { range } = part
    const reason = reasonOf(error)
    const cannotRepeat = mayBeStored && blockedBy() !== undefined
    if (cannotRepeat || !isEventError(failed)) {
      if (!cannotRepeat && !rejectionPolicy.isRecoverable(error)) fail(error)
      return { ...NO_OUTCOME, [mayBeStored ? 'unconfirmed' : 'unsent']: [allEvents(range, reason)] }
    }
    if (range.events === 1)
      return this.rejectEvents(range, { ...reason, reason: withoutIndex(reason.reason) })
    if (!parts.canSplit()) return this.rejectEvents(range, reason)
    if (error instanceof ApiError && error.status === 413) {
      rejectionPolicy.noteTooLarge(part.body.length)
      return this.deliverAll(parts.halves(range))
    }
    return this.isolate(part, failed)
  }

  /** Records rejected events. Fails the run when all events are rejected for the same reason, which is then not in the events. */
  private rejectEvents(range: EventRange, reason: FailureReason): Outcome {
    const { fail, rejectionPolicy } = this.options
    const error = rejectionPolicy.noteRejected(reason.reason)
    if (error !== undefined) fail(error)
    return { ...NO_OUTCOME, rejected: [allEvents(range, reason)] }
  }

  /** Sends the events around the events that the service named, or both halves when it named no events. */
  private async isolate(part: Part, { named, error }: BatchFailed): Promise<Outcome> {
    const { parts } = this
    const { rejectionPolicy } = this.options
    const { range } = part
    const reasons = new Map<number, FailureReason>()
    for (const failure of named) {
      const index = eventIndex(part, failure)
      const reason = { ...reasonOf(error), reason: withoutIndex(failure.error) }
      if (index !== undefined) reasons.set(index, reason)
    }
    const indexes = [...reasons.keys()].sort((a, b) => a - b)
    const [suspect] = indexes
    if (suspect === undefined || rejectionPolicy.namedEvents === 'misleading') {
      return this.deliverAll(parts.halves(range))
    }
    const outcomes: Outcome[] = []
    if (rejectionPolicy.namedEvents === 'unproved') {
      // Some services count from 1, or mean something else, so the first named event is sent alone as a test.
      const alone = await this.deliver({ first: suspect, events: 1 })
      rejectionPolicy.noteNamedEvent(alone)
      if (alone.rejected.length === 0) {
        return combineOutcomes([alone, await this.deliverAll(rangesAround(range, [suspect]))])
      }
      outcomes.push(alone)
      reasons.delete(suspect)
    }
    for (const [first, reason] of reasons)
      outcomes.push(this.rejectEvents({ first, events: 1 }, reason))
    return combineOutcomes([...outcomes, await this.deliverAll(rangesAround(range, indexes))])
  }

  /** Returns the batch id of a part. The id determines the events, so that no event is lost when a later run splits differently. */
  private idOf({ first, events }: EventRange): string {
    const { batch, batchId } = this.options
    return events === batch.events ? batchId : `${batchId}.${first}+${events}`
  }
}

/** True when the service rejected the content of the request. */
function isEventError({ error, named }: BatchFailed): boolean {
  if (!(error instanceof ApiError) || !SPLIT_STATUSES.includes(error.status)) return false
  // A 422 that names no events is about a parameter.
  return error.status !== 422 || named.length > 0
}

/** Removes the index in the request, so that equal reasons compare equal. */
function withoutIndex(reason: string): string {
  return reason.replace(/^index\W{0,3}\d+\b\W*(?=\w)/i, '')
}

function reasonOf(error: Error): FailureReason {
  const requestId = error instanceof ApiError ? error.requestId : undefined
  return { reason: error.message, requestId }
}

/**
 * Returns the ranges between the events at `indexes`. No range is longer than half of the whole range, so that valid events among
 * many invalid ones are not sent too often.
 */
function rangesAround(
  { first, events }: EventRange,
  indexes: readonly number[],
): readonly EventRange[] {
  const most = Math.ceil(events / 2)
  const end = first + events
  const found: EventRange[] = []
  let from = first
  for (const index of [...indexes, end]) {
    for (; from < index; from += most) {
      found.push({ first: from, events: Math.min(most, index - from) })
    }
    from = index + 1
  }
  return found
}
