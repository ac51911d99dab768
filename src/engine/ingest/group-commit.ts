/** A batch of this size is worth an insert of its own. */
const LARGE_BYTES = 256 * 1024
/** As long as this after the first of them, small batches may wait for more. */
const MAX_DELAY_MS = 50
/** When none came for as long as this, all are here: the senders wait for their answers. */
const IDLE_GAP_MS = 8

/**
 * Says when small batches that wait should go in. An insert of one event takes as long as that of a
 * thousand, and makes a part like it: where many come they wait for each other, and where one comes
 * it does not wait at all.
 */
export class GroupCommit {
  private readonly now: () => number
  private first: number | undefined
  private last = 0
  private ended = Number.NEGATIVE_INFINITY
  private lastGroup = 0

  /** The clock counts milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.now = now
  }

  /** A batch came and waits. */
  added(): void {
    this.last = this.now()
    this.first ??= this.last
  }

  /** Batches began to be stored as one, and others are left to wait. */
  started({ count, left }: { readonly count: number; readonly left: number }): void {
    this.lastGroup = count
    if (left === 0) this.first = undefined
  }

  /** They are stored. */
  finished(): void {
    this.ended = this.now()
  }

  /** How many milliseconds those that wait should still do so. */
  delay({ count, bytes }: { readonly count: number; readonly bytes: number }): number {
    const now = this.now()
    if (bytes >= LARGE_BYTES || now - this.ended >= MAX_DELAY_MS) return 0
    // One sender after the other: more company than this there won't be.
    if (count <= 1 && this.lastGroup <= 1) return 0
    const due = Math.min((this.first ?? now) + MAX_DELAY_MS, this.last + IDLE_GAP_MS)
    return Math.max(0, due - now)
  }
}
