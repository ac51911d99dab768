import { expect, it } from 'vitest'
import type { Replica, ReplicaSet } from '../../../src/engine/cluster/replica-set.js'
import { SynchronizedReads } from '../../../src/engine/cluster/synchronized-reads.js'
import { EngineError, type EngineResult } from '../../../src/engine/engine.js'

/** Three replicas of a shard that have these parts and fail to read the log in Keeper. */
function replicasWith(partsOf: (position: number) => readonly string[]) {
  const tries = { count: 0 }
  const all = [0, 1, 2].map((position) => {
    const engine = {
      with: () => engine,
      async run() {
        tries.count += 1
        throw new EngineError(159, 'timeout')
      },
      async ask() {
        const names = partsOf(position)
        const columns = new Map([
          ['table', JSON.stringify(names.map(() => 'logs'))],
          ['name', JSON.stringify(names)],
          ['stored', JSON.stringify(names.map(() => '1'))],
        ])
        return { columns, rows: names.length } as unknown as EngineResult
      },
    }
    return { url: `http://${position}`, shard: 0, position, engine } as unknown as Replica
  })
  const replicas = {
    ...{ all, position: 0, positions: [0, 1, 2], hasLaggingShard: false },
    byShard: [all],
    isLagging: () => false,
    requireShards() {},
    onOne: (own: readonly Replica[], work: (replica: Replica) => unknown) => work(own[0]!),
  } as unknown as ReplicaSet
  const macrosOf = () => undefined
  const reads = new SynchronizedReads({
    ...{ name: 'c', replicas, copies: undefined, allowPartial: false, macrosOf },
    warn() {},
  })
  return { reads, tries }
}

it('replicas with the same events are read while Keeper hangs, without waiting for it again', async () => {
  const { reads, tries } = replicasWith(() => ['all_0_0_0'])
  const staleToo = { max_replica_delay_for_distributed_queries: 0 }
  expect(await reads.settings({ datasets: ['logs'] })).toMatchObject(staleToo)
  const first = tries.count
  expect(first).toBeGreaterThan(0)
  expect(await reads.settings({ datasets: ['logs'] })).toMatchObject(staleToo)
  expect(tries.count).toBe(first)
})

it('replicas that each lack events are synchronized again', async () => {
  const { reads, tries } = replicasWith((position) => [`all_${position}_${position}_0`])
  await expect(reads.settings({ datasets: ['logs'] })).rejects.toMatchObject({ code: 369 })
  const first = tries.count
  await expect(reads.settings({ datasets: ['logs'] })).rejects.toMatchObject({ code: 369 })
  expect(tries.count).toBeGreaterThan(first)
})
