// What an answer means for the events that it is about.
import type { BatchAccepted } from '../../../../client/ingest.js'
import type { IngestFailure, IngestResult } from '../../../../wire/http/ingest.js'
import type { Outcome, Shortfall, Stretch } from '../report/account.js'
import type { Part } from './part.js'

/** What became of some events of a batch. */
export type Fate = Pick<Outcome, 'accepted' | 'rejected' | 'unsent' | 'unconfirmed'>

/** Nothing became of any event yet. */
export const NO_FATE: Fate = { accepted: 0, rejected: [], unsent: [], unconfirmed: [] }

/** The fate of a part that was answered; whatever the service counts, each event is counted once. */
export function answeredFate(part: Part, answer: BatchAccepted): Fate {
  const { stretch } = part
  const { result, requestId } = answer
  const accepted = Math.min(Math.max(result.ingested, 0), stretch.events)
  const request = requestId === undefined ? {} : { requestId }
  const rejected = rejections(part, result, stretch.events - accepted).map((one) => ({
    ...one,
    ...request,
  }))
  const missing = stretch.events - accepted - rejected.reduce((sum, { events }) => sum + events, 0)
  const reason = 'the answer leaves some out'
  const unconfirmed =
    missing > 0 ? [{ among: stretch, events: missing, reason, ...request }] : NO_FATE.unconfirmed
  return { accepted, rejected, unsent: [], unconfirmed }
}

/** Events that have the same reason to be short of being stored. */
export function all(stretch: Stretch, why: Pick<Shortfall, 'reason' | 'requestId'>): Shortfall {
  return { among: stretch, events: stretch.events, ...why }
}

/** Refused events: those that are named, and what is left of the count. */
function rejections(part: Part, { failed, failures }: IngestResult, most: number): Shortfall[] {
  const found: Shortfall[] = []
  const named = new Set<number>()
  for (const failure of failures) {
    if (found.length === most) return found
    const place = placeOf(part, failure)
    if (place !== undefined && named.has(place)) continue
    if (place !== undefined) named.add(place)
    const among = place === undefined ? part.stretch : { first: place, events: 1 }
    const { error: reason, field } = failure
    found.push({ among, events: 1, ...(field !== undefined && { field }), reason })
  }
  const rest = Math.min(failed, most) - found.length
  if (rest > 0) {
    found.push({ among: part.stretch, events: rest, reason: 'the service gives no reason' })
  }
  return found
}

/** The place in the whole batch that a failure speaks of, where it tells. */
export function placeOf(
  { stretch, placeOnLine }: Part,
  { index, line }: Pick<IngestFailure, 'index' | 'line'>,
): number | undefined {
  if (index === undefined) return line === undefined ? undefined : placeOnLine(line)
  const isThere = Number.isInteger(index) && index >= 0 && index < stretch.events
  return isThere ? stretch.first + index : undefined
}

/** The fates of the parts of a batch, as one. */
export function joined(fates: readonly Fate[]): Fate {
  return {
    accepted: fates.reduce((sum, { accepted }) => sum + accepted, 0),
    rejected: fates.flatMap(({ rejected }) => rejected),
    unsent: fates.flatMap(({ unsent }) => unsent),
    unconfirmed: fates.flatMap(({ unconfirmed }) => unconfirmed),
  }
}
