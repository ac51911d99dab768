import { randomInt } from 'node:crypto'
import { sharedWhileRunning } from '../../text/shared-work.js'
import type { Leases } from './leases.js'
import { MAX_WORKERS, type Worker } from './sequence.js'

const TRIES = 100

/** A worker id that no other service on the same data has while its lease is held. */
export interface WorkerId extends Worker {
  /** Acquires another number when the lease on this one is lost. */
  renew(): Promise<void>
}

export async function acquireWorkerId(leases: Leases): Promise<WorkerId> {
  let worker = await acquire(leases)
  const acquireAnother = sharedWhileRunning(async () => {
    const { lease } = worker
    worker = await acquire(leases)
    lease.release()
  })
  return {
    get number() {
      return worker.number
    },
    get lease() {
      return worker.lease
    },
    renew: () => worker.lease.confirm().catch(acquireAnother),
  }
}

async function acquire(leases: Leases): Promise<Worker> {
  for (let tries = 0; tries < TRIES; tries++) {
    const number = randomInt(MAX_WORKERS)
    const lease = await leases.tryAcquire(`worker ${number}`)
    if (lease !== undefined) return { number, lease }
  }
  throw new Error('no worker id is free')
}
