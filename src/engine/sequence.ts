/** Room for the rows of one millisecond, so that the clock rarely has to be overtaken. */
const ROWS_PER_MILLISECOND = 22n

/** Gives rows their place in the order of arrival: numbers that are never given twice and follow the clock. */
export class Sequence {
  private readonly now: () => bigint
  private next = 0n

  constructor(now: () => bigint) {
    this.now = now
  }

  /** No number up to this one is free: rows of an earlier process have them, perhaps from a later clock. */
  skip(last: bigint): void {
    if (last >= this.next) this.next = last + 1n
  }

  /** The first of `count` numbers in a row. */
  take(count: number): bigint {
    const clock = (this.now() / 1_000_000n) << ROWS_PER_MILLISECOND
    const first = clock > this.next ? clock : this.next
    this.next = first + BigInt(count)
    return first
  }
}
