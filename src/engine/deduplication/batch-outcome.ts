import { MAX_BATCH_EVENTS } from '../../wire/limits.js'
import type { BatchOutcome } from '../batch.js'
import { removedError } from '../store-error.js'

/** The most rejected events that an outcome lists: there may be a million, and a batch id keeps them for two days. */
export const MAX_LISTED = MAX_BATCH_EVENTS

/** The JSON text of an outcome. Each reason is written once: thousands of events are often rejected for the same one. */
interface EncodedOutcome extends Omit<BatchOutcome, 'arrivedAt' | 'rejected'> {
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
  const saved: EncodedOutcome = {
    ...counts,
    arrivedAt: String(arrivedAt),
    reasons: [...reasons.keys()],
    rejected: listed,
  }
  return JSON.stringify(saved)
}

/** Returns the text that is saved under the id of a removed batch; `events` is the number of events that it had. */
export function encodeRemoval(events: number): string {
  return JSON.stringify({ removed: events })
}

/** Decodes a saved outcome. Throws a `StoreError` when the batch was removed, and an error when the text is no outcome. */
export function decodeOutcome(text: string): BatchOutcome {
  const saved: EncodedOutcome & { readonly removed?: number } = JSON.parse(text)
  if (saved.removed !== undefined) throw removedError()
  const { arrivedAt, reasons, rejected, ...counts } = saved
  return {
    ...counts,
    arrivedAt: BigInt(arrivedAt),
    rejected: rejected.map(([index, reason, line]) => ({
      index,
      line,
      reason: reasons[reason] ?? '',
    })),
  }
}
