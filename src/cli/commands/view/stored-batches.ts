// The places of events in their inputs: a few numbers for each batch that was stored, from which the place of any event follows.

import type { Batch, Position } from '../../../input/batch.js'
import type { BatchOutcome, FailedEvents } from '../../ingest/send/outcome.js'
import { indexesOf } from '../../ingest/send/part.js'

/** A range of an input, and the events that were read from it and stored one after the other. */
export interface StoredBatch<Form> {
  readonly id: string
  /** True for the last event of a file, which may be removed. */
  readonly isTail: boolean
  readonly form: Form
  readonly start: Position
  readonly bytes: number
  readonly events: number
  /** The number of events that were stored. */
  readonly stored: number
  /** The indexes of the events that were not stored in their turn, in ascending order; undefined when they are not known. */
  readonly missing: readonly number[] | undefined
  /** The indexes of the events that were stored after all others. */
  readonly late: readonly number[]
  /** The first and the last bytes of the body, which tell whether the same bytes were read again. */
  readonly head: string
  readonly tail: string
}

/** Small batches that follow each other become one of at most this many bytes: a stream that is followed for days has many of them. */
const JOINED_BYTES = 4 * 1024 * 1024
/** The most events of a batch whose places are kept one by one. */
const MOST_SINGLE = 2_000
/** The number of bytes of `head` and `tail`. */
const END_BYTES = 64

export class StoredBatches<Form> {
  private batches: StoredBatch<Form>[] = []

  add({ batch, batchId: id, accepted: stored, ...others }: BatchOutcome, form: Form): void {
    const { start, bytes, events, body, isTail = false } = batch
    const late = others.untimed?.indexes ?? []
    const lost = failedIndexes([...others.rejected, ...others.unsent, ...others.unconfirmed])
    const missing = [...(lost ?? []), ...late].sort((one, other) => one - other)
    const isKnown = lost !== undefined && events - lost.length === stored
    const single =
      isKnown && missing.length <= MOST_SINGLE
        ? { missing, late }
        : { missing: undefined, late: [] }
    const sizes = { bytes, events, stored, ...endsOf(body) }
    const added: StoredBatch<Form> = { id, isTail, form, start, ...sizes, ...single }
    const last = this.batches.at(-1)
    if (last === undefined || !areJoinable(last, added)) this.batches.push(added)
    else this.batches.splice(-1, 1, both(last, added))
  }

  /** Forgets the events of a batch, which were removed. */
  remove(batchId: string): void {
    this.batches = this.batches.filter(({ id }) => id !== batchId)
  }

  /** The number of events that were stored. */
  get events(): number {
    return this.batches.reduce((sum, { stored }) => sum + stored, 0)
  }

  /** Returns the batch of an event, and its index there, by the number of events that were stored before it, if they are known. */
  find(before: number) {
    let rest = before
    for (const batch of this.batches) {
      if (rest < batch.stored) {
        const index = indexIn(batch, rest)
        return index === undefined ? undefined : { batch, index }
      }
      rest -= batch.stored
    }
    return undefined
  }
}

/** True when a batch is the same as before, after it was read again. */
export function isSameBatch({ body, events }: Batch, stored: StoredBatch<unknown>): boolean {
  const { head, tail } = endsOf(body)
  return events === stored.events && head === stored.head && tail === stored.tail
}

function failedIndexes(failed: readonly FailedEvents[]): readonly number[] | undefined {
  // The service did not tell which events of a range failed.
  if (failed.some(({ range, events }) => range.events !== events)) return undefined
  return failed.flatMap(({ range }) => indexesOf(range))
}

/** Returns the index of the event that was stored after `before` events of its batch. */
function indexIn<Form>(
  { events, missing, late }: StoredBatch<Form>,
  before: number,
): number | undefined {
  if (missing === undefined) return undefined
  const inTurn = events - missing.length
  if (before >= inTurn) return late[before - inTurn]
  let index = before
  for (const other of missing) {
    if (other > index) break
    index += 1
  }
  return index
}

function areJoinable<Form>(one: StoredBatch<Form>, next: StoredBatch<Form>): boolean {
  const isNext = one.form === next.form && one.start.offset + one.bytes === next.start.offset
  const isPlain = [one, next].every(({ isTail, missing }) => !isTail && missing?.length === 0)
  return isNext && isPlain && one.bytes + next.bytes <= JOINED_BYTES
}

function both<Form>(one: StoredBatch<Form>, next: StoredBatch<Form>): StoredBatch<Form> {
  return {
    ...one,
    bytes: one.bytes + next.bytes,
    events: one.events + next.events,
    stored: one.stored + next.stored,
    head: (one.head + next.head).slice(0, END_BYTES),
    tail: (one.tail + next.tail).slice(-END_BYTES),
  }
}

function endsOf(body: Buffer): Pick<StoredBatch<unknown>, 'head' | 'tail'> {
  return {
    head: body.subarray(0, END_BYTES).toString('latin1'),
    tail: body.subarray(-END_BYTES).toString('latin1'),
  }
}
