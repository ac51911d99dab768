// Outcomes of batches: the response of the service, event by event.
import type { BatchAccepted } from '../../../client/ingest.js'
import type { Batch } from '../../../input/batch.js'
import type { IngestFailure, IngestResult } from '../../../wire/http/ingest.js'
import type { EventRange, Part } from './part.js'

export type Outcome = Pick<BatchOutcome, 'accepted' | 'rejected' | 'unsent' | 'unconfirmed'>

export const NO_OUTCOME: Outcome = { accepted: 0, rejected: [], unsent: [], unconfirmed: [] }

/** Returns the outcome of a part from its response. It is unknown whether events that the response does not count are stored. */
export function responseOutcome(part: Part, response: BatchAccepted): Outcome {
  const { range } = part
  const { result, requestId } = response
  const accepted = result.ingested
  const rejected = rejectedEvents(part, result, range.events - accepted).map((one) => ({
    ...one,
    requestId,
  }))
  const missing = range.events - accepted - countEvents(rejected)
  const reason = 'the response does not cover every event'
  const unconfirmed =
    missing > 0 ? [{ range, events: missing, reason, requestId }] : NO_OUTCOME.unconfirmed
  return { accepted, rejected, unsent: [], unconfirmed }
}

/** Returns all events of a range as failed for one reason. */
export function allEvents(
  range: EventRange,
  reason: Pick<FailedEvents, 'reason' | 'requestId'>,
): FailedEvents {
  return { range, events: range.events, ...reason }
}

/** Returns the rejected events, at most `limit` in all: first the events that the response names, then the rest of its count. */
function rejectedEvents(
  part: Part,
  { failed, failures }: IngestResult,
  limit: number,
): FailedEvents[] {
  const found: FailedEvents[] = []
  const named = new Set<number>()
  for (const failure of failures) {
    if (found.length === limit) return found
    const place = eventIndex(part, failure)
    if (place !== undefined && named.has(place)) continue
    if (place !== undefined) named.add(place)
    const range = place === undefined ? part.range : { first: place, events: 1 }
    const { error: reason, field } = failure
    found.push({ range, events: 1, field, reason })
  }
  const rest = Math.min(failed, limit) - found.length
  if (rest > 0) {
    found.push({ range: part.range, events: rest, reason: 'the service gives no reason' })
  }
  return found
}

/** Returns a rejected row of a table with the reason of the program that converted it: the service has seen a string. */
export function withOwnReason(failed: FailedEvents, { refused }: Batch): FailedEvents {
  const reason = failed.range.events === 1 ? refused?.reasons.get(failed.range.first) : undefined
  return reason === undefined ? failed : { ...failed, reason }
}

/** Returns the index in the batch of the event that a failure names; `undefined` when it names no event of the part. */
export function eventIndex(
  { range, indexOfLine }: Part,
  { index, line }: Pick<IngestFailure, 'index' | 'line'>,
): number | undefined {
  if (index === undefined) return line === undefined ? undefined : indexOfLine(line)
  const isInRange = Number.isInteger(index) && index >= 0 && index < range.events
  return isInRange ? range.first + index : undefined
}

export function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  return {
    accepted: outcomes.reduce((sum, { accepted }) => sum + accepted, 0),
    rejected: outcomes.flatMap(({ rejected }) => rejected),
    unsent: outcomes.flatMap(({ unsent }) => unsent),
    unconfirmed: outcomes.flatMap(({ unconfirmed }) => unconfirmed),
  }
}

/** Events that were not stored, or may not have been, and the reason. */
export interface FailedEvents {
  /** The range that contains the events. It has more than `events` events when the service does not report which events failed. */
  readonly range: EventRange
  readonly events: number
  readonly field?: string
  readonly reason: string
  /** The request id of the service, for support. */
  readonly requestId?: string
}

/** The outcome of a batch with all its parts. Each event is counted once. */
export interface BatchOutcome {
  readonly batch: Batch
  readonly batchId: string
  readonly accepted: number
  /** The events that the service rejected because of their content. */
  readonly rejected: readonly FailedEvents[]
  /** The events that were not stored for another reason. Sending them again may succeed. */
  readonly unsent: readonly FailedEvents[]
  /** The events that may be stored: the response was lost or does not mention them. */
  readonly unconfirmed: readonly FailedEvents[]
  /** The number of requests that were repeated. */
  readonly retries: number
  /** Events that were stored without the detected timestamp field, because its value is not a time. */
  readonly untimed?: {
    readonly events: number
    /** The index of the first such event in the batch. */
    readonly first: number
    /** The indexes of all such events, in ascending order. They are stored after the other events of the batch. */
    readonly indexes: readonly number[]
  }
}

export function countEvents(parts: readonly { readonly events: number }[]): number {
  return parts.reduce((sum, { events }) => sum + events, 0)
}
