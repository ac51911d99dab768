// The places of events in their inputs: a few numbers for each batch that was stored, from which the place of any event follows.

import { crc32 } from 'node:zlib'
import type { Batch, Position } from '../../../input/batch.js'
import type { BatchOutcome, FailedEvents } from '../../ingest/send/outcome.js'

/** A range of an input, and the events that were read from it and stored one after the other. */
export interface StoredBatch<Form> {
  readonly id: string
  /** True for the last event of a file, which may be removed. */
  readonly isTail: boolean
  readonly input: string
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
  readonly hash: BodyHash
}

/** A hash of the first and of the last bytes of a body: it tells whether the same bytes were read again. */
interface BodyHash {
  readonly start: number
  readonly end: number
}

/** With more batches than this, small ones that follow each other become one, which may take this many bytes. */
const MOST_BATCHES = 8_000
const JOINED_BYTES = 4 * 1024 * 1024
/** The most events of a batch whose places are kept one by one. */
const MOST_SINGLE = 2_000
const HASHED_BYTES = 64

export class StoredBatches<Form> {
  private batches: StoredBatch<Form>[] = []
  /** The number of batches from which small ones are joined. */
  private most = MOST_BATCHES

  add({ batch, batchId: id, accepted: stored, ...others }: BatchOutcome, form: Form): void {
    const { input, start, bytes, events, body, isTail = false } = batch
    const late = others.untimed?.indexes ?? []
    const lost = indexesOf([...others.rejected, ...others.unsent, ...others.unconfirmed])
    const missing = [...(lost ?? []), ...late].sort((one, other) => one - other)
    const isKnown = lost !== undefined && events - lost.length === stored
    this.batches.push({
      ...{ id, isTail, input, form, start, bytes, events, stored, hash: hashOf(body) },
      ...(isKnown && missing.length <= MOST_SINGLE
        ? { missing, late }
        : { missing: undefined, late: [] }),
    })
    if (this.batches.length > this.most) this.join()
  }

  /** Forgets the events of a batch, which were removed. */
  remove(batchId: string): void {
    this.batches = this.batches.filter(({ id }) => id !== batchId)
  }

  /** The number of batches that are kept. */
  get count(): number {
    return this.batches.length
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

  /** Joins neighbors. A stream that is followed for days has many small batches. */
  private join(): void {
    const joined: StoredBatch<Form>[] = []
    for (const batch of this.batches) {
      const last = joined.at(-1)
      if (last !== undefined && areJoinable(last, batch)) joined.splice(-1, 1, both(last, batch))
      else joined.push(batch)
    }
    this.batches = joined
    this.most = Math.max(MOST_BATCHES, 2 * joined.length)
  }
}

/** True when a batch is the same as before, after it was read again. */
export function isSameBatch({ body, events }: Batch, stored: StoredBatch<unknown>): boolean {
  const { start, end } = hashOf(body)
  return events === stored.events && start === stored.hash.start && end === stored.hash.end
}

function indexesOf(failed: readonly FailedEvents[]): readonly number[] | undefined {
  // The service did not tell which events of a range failed.
  if (failed.some(({ range, events }) => range.events !== events)) return undefined
  return failed.flatMap(({ range }) =>
    Array.from({ length: range.events }, (_, index) => range.first + index),
  )
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
    hash: { start: one.hash.start, end: next.hash.end },
  }
}

function hashOf(body: Buffer): BodyHash {
  return {
    start: crc32(body.subarray(0, HASHED_BYTES)),
    end: crc32(body.subarray(-HASHED_BYTES)),
  }
}
