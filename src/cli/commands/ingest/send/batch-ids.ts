import { randomUUID } from 'node:crypto'
import type { Batch } from '../../../../input/batch.js'
import type { IngestCheckpoints } from '../checkpoint/checkpoints.js'

/** Ids that no other run has given, but for batches that another run has sent. */
export function batchIds(checkpoints: IngestCheckpoints): (batch: Batch) => string {
  const run = randomUUID()
  let count = 0
  return (batch) => {
    const known = checkpoints.idOf(batch)
    if (known !== undefined) return known
    count += 1
    return `${run}-${count}`
  }
}
