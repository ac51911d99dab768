import { setTimeout as sleep } from 'node:timers/promises'
import { sql, text } from '../../sql/sql.js'
import { type Engine, ShardCountError } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import type { Cluster, Replica } from './replica-set.js'

// The id of a batch selects its shard. After shards were added, the batch may be stored in the shard that its id selected before.

/** The time in which a batch is recognized when it is sent again. */
const RECOGNIZED_MS = 2 * 24 * 60 * 60 * 1000
/** The maximum age of a server's configuration with which a batch is stored. */
const RECENT_MS = 500

/** The numbers of shards that a cluster had in the last two days. */
export type ShardHistory = Awaited<ReturnType<typeof openShardHistory>>

/** Reads the history of a cluster, and adds its present number of shards. */
export async function openShardHistory(engine: Engine, cluster: Cluster) {
  const present = cluster.replicas.shards
  await engine.createTable({
    name: 'shard_count',
    columns: sql`shards UInt32, at DateTime64(3) DEFAULT now64(3)`,
    engine: { family: 'MergeTree' },
    clauses: sql`ORDER BY at`,
  })
  await engine.synchronize?.(['shard_count'])
  const result = await engine.ask(sql`
    SELECT toString(shards) AS count, toString(toUnixTimestamp64Milli(now64(3)) - toUnixTimestamp64Milli(at)) AS age
    FROM evq.shard_count ORDER BY at`)
  const counts = stringsIn(result, 'count').map(Number)
  const ages = stringsIn(result, 'age').map(Number)
  const last = counts.at(-1)
  if (last !== present) {
    await engine.run(sql`INSERT INTO evq.shard_count (shards) SELECT ${present}`)
  }
  // Meanwhile, services that know another number of shards notice the change, and store no more batches.
  if (last !== undefined && last !== present) await sleep(2 * RECENT_MS)
  const opened = performance.now()
  // From `until` on, on this process's monotonic clock, batches that were stored with a number of shards are not recognized.
  const former = counts
    .map((shards, i) => ({ shards, until: opened + RECOGNIZED_MS - (ages[i + 1] ?? 0) }))
    .filter(({ shards, until }) => shards !== present && until > opened)
  const checkedAt = new Map<Replica, number>()
  const shardOf = (hash: bigint): number => Number(hash % BigInt(present))
  return {
    shardOf,
    /** Returns the other shards in which a batch may have been stored before. */
    formerShardsOf(hash: bigint): readonly number[] {
      const now = performance.now()
      const found = new Set<number>()
      for (const { shards, until } of former) {
        if (until <= now) continue
        const shard = Number(hash % BigInt(shards))
        // The events of a shard that was removed may have been moved to any other one.
        const places = shard < present ? [shard] : Array.from({ length: present }, (_, i) => i)
        for (const place of places) found.add(place)
      }
      found.delete(shardOf(hash))
      return [...found]
    },
    /** Rejects when a server has another number of shards in its configuration, as after a shard was added. */
    async confirm(replica: Replica): Promise<void> {
      const now = performance.now()
      if (now - (checkedAt.get(replica) ?? Number.NEGATIVE_INFINITY) < RECENT_MS) return
      const query = sql`
        SELECT toUInt32(uniqExact(shard_num)) AS shards FROM system.clusters WHERE cluster = ${text(cluster.name)}`
      const shards = numberIn(await replica.engine.ask(query), 'shards')
      if (shards !== present) {
        const message = `the cluster has ${shards} shards, and had ${present} when the service started`
        throw new ShardCountError('SOCKET_TIMEOUT', message)
      }
      checkedAt.set(replica, now)
    },
  }
}
