import { randomInt } from 'node:crypto'
import { LANES } from '../ingest/sequence.js'
import type { Lease, Leases } from './leases.js'

const TRIES = 100

interface Taken {
  readonly number: number
  readonly lease: Lease
}

/** A share of the numbers for rows that no other service on the same data has while this one runs. */
export class Lane {
  private readonly leases: Leases
  private taken: Taken
  private taking: Promise<void> | undefined

  private constructor(leases: Leases, taken: Taken) {
    this.leases = leases
    this.taken = taken
  }

  static async take(leases: Leases): Promise<Lane> {
    return new Lane(leases, await take(leases))
  }

  get number(): number {
    return this.taken.number
  }

  /** The lease on the number that it has now. */
  get lease(): Lease {
    return this.taken.lease
  }

  /** Takes another number when the lease on this one is lost. */
  async keep(): Promise<void> {
    try {
      await this.lease.confirm()
    } catch {
      this.taking ??= this.takeAnother().finally(() => {
        this.taking = undefined
      })
      await this.taking
    }
  }

  private async takeAnother(): Promise<void> {
    const { lease } = this.taken
    this.taken = await take(this.leases)
    lease.release()
  }
}

async function take(leases: Leases): Promise<Taken> {
  for (let tries = 0; tries < TRIES; tries++) {
    const number = randomInt(LANES)
    const lease = await leases.tryTake(`lane ${number}`)
    if (lease !== undefined) return { number, lease }
  }
  throw new Error('more services than there are lanes')
}
