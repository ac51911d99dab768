import type { Lease } from '../cluster/leases.js'

/** Room for the rows of one millisecond, so that the clock rarely has to be overtaken. */
const ROWS_PER_MILLISECOND = 22n

/** How many services can give numbers at the same time. */
export const MAX_WORKERS = 1024

/** The places of rows in the order of arrival: the first, and how far one is from the next. */
export interface SequenceRange {
  readonly first: bigint
  readonly step: bigint
  /** Without it another service may be giving the same numbers. */
  readonly lease?: Lease
}

/** Which of the services on the same data this one is, by number; it may change. */
interface Worker {
  readonly number: number
  readonly lease: Lease
}

/**
 * Gives rows their place in the order of arrival: numbers that are never given twice and follow the
 * clock. Of several services on the same data each has a lane, and gives every so manieth number.
 */
export class Sequence {
  private readonly now: () => bigint
  private readonly step: bigint
  private readonly worker: Worker | undefined
  private next = 0n

  constructor(now: () => bigint, worker?: Worker) {
    this.now = now
    this.step = worker === undefined ? 1n : BigInt(MAX_WORKERS)
    this.worker = worker
  }

  /** No number up to this one is free: rows of an earlier process have them, perhaps from a later clock. */
  skip(last: bigint): void {
    const taken = last / this.step
    if (taken >= this.next) this.next = taken + 1n
  }

  /** So many in a row. */
  take(count: number): SequenceRange {
    const clock = ((this.now() / 1_000_000n) << ROWS_PER_MILLISECOND) / this.step
    const first = clock > this.next ? clock : this.next
    this.next = first + BigInt(count)
    if (this.worker === undefined) return { first, step: this.step }
    const { number, lease } = this.worker
    return { first: first * this.step + BigInt(number), step: this.step, lease }
  }
}
