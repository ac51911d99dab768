/** Batches of this total size are stored without delay. */
const LARGE_BYTES = 256 * 1024
/** The longest delay of a small batch. */
const MAX_DELAY_MS = 50
/** Idle gap after which no more batches are expected, because every client is waiting for its response. */
const IDLE_GAP_MS = 8

/**
 * The policy for storing small batches together. Inserting one event takes as long as inserting a thousand, and creates a
 * part as well: concurrent batches wait for each other, and a single one does not wait.
 */
export class GroupCommit {
  private readonly now: () => number
  private first: number | undefined
  private last = 0
  private ended = Number.NEGATIVE_INFINITY
  private lastGroup = 0

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
    this.lastGroup = count
    if (left === 0) this.first = undefined
  }

  /** Records that they are stored. */
  finished(): void {
    this.ended = this.now()
  }

  /** Returns the number of milliseconds for which the waiting batches should still be delayed. */
  delay({ count, bytes }: { readonly count: number; readonly bytes: number }): number {
    const now = this.now()
    if (bytes >= LARGE_BYTES || now - this.ended >= MAX_DELAY_MS) return 0
    // A client that sends batches one by one: no others are expected.
    if (count <= 1 && this.lastGroup <= 1) return 0
    const due = Math.min((this.first ?? now) + MAX_DELAY_MS, this.last + IDLE_GAP_MS)
    return Math.max(0, due - now)
  }
}
