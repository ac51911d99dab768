import { randomInt } from 'node:crypto'
import type { Leases } from './leases.js'
import { LANES } from './sequence.js'

const TRIES = 100

/** A share of the numbers for rows that no other service on the same data has while this one runs. */
export async function takeLane(leases: Leases): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const lane = randomInt(LANES)
    if (await leases.tryTake(`lane ${lane}`)) return lane
  }
  throw new Error('more services than there are lanes')
}
