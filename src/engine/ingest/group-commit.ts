/**
 * The most bytes of batches that are stored together, unless a single batch has more; as many are stored without delay. A larger
 * statement costs as much for each event, and the engine holds all of its rows in memory, twice for a while.
 */
export const FULL_BYTES = 12 * 1024 * 1024

/** The longest delay, and an idle gap after which no more batches are expected, because every client is waiting for its response. */
interface Delays {
  readonly longestMs: number
  readonly idleMs: number
}

const SMALL_BYTES = 256 * 1024
const SMALL: Delays = { longestMs: 50, idleMs: 8 }
/** A client that reads a pipe needs longer to fill a batch of megabytes. */
const LARGE: Delays = { longestMs: 200, idleMs: 40 }

/**
 * The policy for storing batches together. Inserting one event takes as long as inserting a thousand, and each insert creates
 * a part that has to be merged: concurrent batches wait for each other, and a single one does not wait.
 */
export class GroupCommit {
  private readonly now: () => number
  private first: number | undefined
  private last = 0
  private began = 0
  private ended = Number.NEGATIVE_INFINITY
  private lastGroup = 0
  /** The number of large batches expected together: the size of a recent group, less one for each smaller group after it. */
  private expected = 0

  /** `now` is a clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** Records that a batch was queued. */
  added(): void {
    this.last = this.now()
    this.first ??= this.last
  }

  /** Records that `count` batches are being stored together and `left` are still waiting. */
  started({ count, left }: { readonly count: number; readonly left: number }): void {
    this.began = this.now()
    this.lastGroup = count
    this.expected = Math.max(count, this.expected - 1)
    if (left === 0) this.first = undefined
  }

  /** Records that the batches are stored. */
  finished(): void {
    this.ended = this.now()
  }

  /** Returns the number of milliseconds for which the waiting batches should still be delayed. */
  delay({ count, bytes }: { readonly count: number; readonly bytes: number }): number {
    const now = this.now()
    const isLarge = bytes >= SMALL_BYTES
    const { longestMs } = isLarge ? LARGE : SMALL
    if (bytes >= FULL_BYTES || now - this.ended >= longestMs) return 0
    // All clients have sent their next batch.
    if (isLarge && count >= this.expected) return 0
    // A client that sends batches one by one: no other batches are expected.
    if (!isLarge && count <= 1 && this.lastGroup <= 1) return 0
    // Small batches are delayed as long as storing the last ones took: without delays, it would occupy a processor.
    const took = this.ended - this.began
    const idleMs = isLarge ? LARGE.idleMs : Math.min(SMALL.idleMs, took)
    const due = Math.min((this.first ?? now) + longestMs, this.last + idleMs)
    return Math.max(0, (isLarge ? due : Math.min(due, this.ended + took)) - now)
  }
}
