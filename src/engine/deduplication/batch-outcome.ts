import { decodeIngestResult, MOST_BATCH_EVENTS } from '../../wire/http/ingest.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'

/** The most rejected events that an outcome lists: there may be a million, and a batch id keeps them for two days. */
export const MOST_LISTED = MOST_BATCH_EVENTS

/** The result of storing a batch, for any protocol to encode. */
export interface BatchOutcome extends RejectedEvents {
  readonly ingested: number
  readonly blocksCreated: number
  /** Bytes of the request that the events were decoded from. */
  readonly bytes: number
  /** When the batch first arrived, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
}

/** The events of a request that were not stored. */
export interface RejectedEvents {
  /** The number of all of them. */
  readonly failed: number
  /** The first 10,000, in the order of the request: all of them when the request has no more events than that. */
  readonly rejected: readonly RejectedEvent[]
}

/** An event of a request that was not stored. */
export interface RejectedEvent {
  /** Its position among the events of its batch, from 0. */
  readonly index: number
  /** The line on which it begins, from 1; undefined where the format has no lines. */
  readonly line?: number
  readonly reason: string
}

/** The JSON text of an outcome. Each reason is written once: thousands of events are often rejected for the same one. */
interface SavedOutcome extends Omit<BatchOutcome, 'arrivedAt' | 'rejected'> {
  readonly arrivedAt: string
  readonly reasons: readonly string[]
  readonly rejected: readonly (readonly [index: number, reason: number, line?: number])[]
}

/** Returns the text that is saved under a batch id. */
export function encodeOutcome({ arrivedAt, rejected, ...counts }: BatchOutcome): string {
  const reasons = new Map<string, number>()
  const listed = rejected.map(({ index, line, reason }) => {
    const number = reasons.get(reason) ?? reasons.size
    reasons.set(reason, number)
    return line === undefined ? ([index, number] as const) : ([index, number, line] as const)
  })
  const saved: SavedOutcome = {
    ...counts,
    arrivedAt: String(arrivedAt),
    reasons: [...reasons.keys()],
    rejected: listed,
  }
  return JSON.stringify(saved)
}

/** Decodes a saved outcome, or the response that earlier versions saved. Throws when the text is neither. */
export function decodeOutcome(text: string): BatchOutcome {
  const saved: Partial<SavedOutcome> = JSON.parse(text)
  return isSavedOutcome(saved) ? savedOutcome(saved) : responseOutcome(text)
}

function isSavedOutcome(value: Partial<SavedOutcome>): value is SavedOutcome {
  return Array.isArray(value.reasons)
}

function savedOutcome({ arrivedAt, reasons, rejected, ...counts }: SavedOutcome): BatchOutcome {
  return {
    ...counts,
    arrivedAt: BigInt(arrivedAt),
    rejected: rejected.map(([index, reason, line]) => ({
      index,
      ...(line !== undefined && { line }),
      reason: reasons[reason] ?? '',
    })),
  }
}

/** All failures of a response have the time at which the batch arrived; without a failure nothing shows it. */
function responseOutcome(text: string): BatchOutcome {
  const { ingested, failed, failures, blocksCreated, processedBytes } = decodeIngestResult(text)
  return {
    ingested,
    failed,
    rejected: failures.map(({ index = 0, line, error }) => ({
      index,
      ...(line !== undefined && { line }),
      reason: error,
    })),
    blocksCreated,
    bytes: processedBytes,
    arrivedAt: parseTimestamp(failures[0]?.timestamp ?? '') ?? 0n,
  }
}
