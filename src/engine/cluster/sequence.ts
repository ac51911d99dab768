import type { Lease } from './leases.js'

/** Bits for the rows of one millisecond, so that the numbers rarely run ahead of the clock. */
const ROWS_PER_MILLISECOND = 22n

/** The number of worker ids: the most services that can store events at the same time. */
export const MAX_WORKERS = 1024

/** Sequence numbers of consecutive rows. */
export interface SequenceRange {
  readonly first: bigint
  /** The lease on the worker id; once it is lost, another service may issue the same numbers. */
  readonly lease?: Lease
}

/** The worker id of this service among the services on the same data; it may change. */
export interface Worker {
  readonly number: number
  readonly lease: Lease
}

/**
 * Issues the sequence numbers of rows: unique numbers in the order of arrival that follow the clock. When several services
 * share the data, each owns a worker id and issues only every 1,024th number.
 */
export class Sequence {
  private readonly now: () => bigint
  /** The difference between consecutive numbers. */
  readonly step: bigint
  private readonly worker: Worker | undefined
  private next = 0n

  constructor(now: () => bigint, worker?: Worker) {
    this.now = now
    this.step = worker === undefined ? 1n : BigInt(MAX_WORKERS)
    this.worker = worker
  }

  /** Skips all numbers up to `last`, which an earlier process has used, possibly with a later clock. */
  skip(last: bigint): void {
    const taken = last / this.step
    if (taken >= this.next) this.next = taken + 1n
  }

  /** Returns a number to which all others are equal or greater that are issued from now on. */
  floor(): bigint {
    const clock = ((this.now() / 1_000_000n) << ROWS_PER_MILLISECOND) / this.step
    if (clock > this.next) this.next = clock
    return this.next * this.step
  }

  take(count: number): SequenceRange {
    const first = this.floor() / this.step
    this.next = first + BigInt(count)
    if (this.worker === undefined) return { first }
    const { number, lease } = this.worker
    return { first: first * this.step + BigInt(number), lease }
  }
}
