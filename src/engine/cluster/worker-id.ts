import { randomInt } from 'node:crypto'
import type { Lease, Leases } from './leases.js'
import { MAX_WORKERS } from './sequence.js'

const TRIES = 100

interface LeasedNumber {
  readonly number: number
  readonly lease: Lease
}

/** A worker id that no other service on the same data has while its lease is held. */
export class WorkerId {
  private readonly leases: Leases
  private leased: LeasedNumber
  private acquiring: Promise<void> | undefined

  private constructor(leases: Leases, taken: LeasedNumber) {
    this.leases = leases
    this.leased = taken
  }

  static async acquire(leases: Leases): Promise<WorkerId> {
    return new WorkerId(leases, await acquire(leases))
  }

  get number(): number {
    return this.leased.number
  }

  /** The lease on the current number. */
  get lease(): Lease {
    return this.leased.lease
  }

  /** Acquires another number when the lease on this one is lost. */
  async renew(): Promise<void> {
    try {
      await this.lease.confirm()
    } catch {
      this.acquiring ??= this.acquireAnother().finally(() => {
        this.acquiring = undefined
      })
      await this.acquiring
    }
  }

  private async acquireAnother(): Promise<void> {
    const { lease } = this.leased
    this.leased = await acquire(this.leases)
    lease.release()
  }
}

async function acquire(leases: Leases): Promise<LeasedNumber> {
  for (let tries = 0; tries < TRIES; tries++) {
    const number = randomInt(MAX_WORKERS)
    const lease = await leases.tryAcquire(`lane ${number}`)
    if (lease !== undefined) return { number, lease }
  }
  throw new Error('no worker id is free')
}
