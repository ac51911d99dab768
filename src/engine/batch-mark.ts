import { createHash } from 'node:crypto'

/** The number that marks the rows of a batch; 0 for one without a name. */
export function batchMark(batchId: string | undefined): bigint {
  if (batchId === undefined) return 0n
  const hash = createHash('sha256').update(batchId).digest().readBigUInt64BE()
  return hash === 0n ? 1n : hash
}
