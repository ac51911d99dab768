import { setTimeout as sleep } from 'node:timers/promises'
import { sql, text } from '../../sql/sql.js'
import { type Engine, ShardCountError } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import type { Replica } from './replica-set.js'

// The id of a batch selects its shard. After shards were added, the batch may be stored in the shard that its id selected before.

/** The time in which a batch is recognized when it is sent again. */
const RECOGNIZED_MS = 2 * 24 * 60 * 60 * 1000
/** The maximum age of a server's configuration with which a batch is stored. */
const RECENT_MS = 500

interface FormerCount {
  readonly shards: number
  /** The time, on this process's monotonic clock, from which on batches that were stored with this number are not recognized. */
  readonly until: number
}

interface PresentCount {
  readonly cluster: string
  readonly shards: number
}

/** The numbers of shards that a cluster had in the last two days. */
export class ShardHistory {
  private readonly former: readonly FormerCount[]
  private readonly present: PresentCount
  private readonly checkedAt = new Map<Replica, number>()

  private constructor(former: readonly FormerCount[], present: PresentCount) {
    this.former = former
    this.present = present
  }

  /** Reads the history of a cluster, and adds its present number of shards. */
  static async open(engine: Engine, present: PresentCount): Promise<ShardHistory> {
    const { shards } = present
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
    if (last !== shards) {
      await engine.run(sql`INSERT INTO evq.shard_count (shards) SELECT ${shards}`)
    }
    // Meanwhile, services that know another number of shards notice the change, and store no more batches.
    if (last !== undefined && last !== shards) await sleep(2 * RECENT_MS)
    const now = performance.now()
    const former = counts
      .map((count, i) => ({ shards: count, until: now + RECOGNIZED_MS - (ages[i + 1] ?? 0) }))
      .filter((one) => one.shards !== shards && one.until > now)
    return new ShardHistory(former, present)
  }

  shardOf(hash: bigint): number {
    return Number(hash % BigInt(this.present.shards))
  }

  /** Returns the other shards in which a batch may have been stored before. */
  formerShardsOf(hash: bigint): readonly number[] {
    const now = performance.now()
    const own = this.shardOf(hash)
    const found = new Set<number>()
    for (const { shards, until } of this.former) {
      if (until <= now) continue
      const shard = Number(hash % BigInt(shards))
      // The events of a shard that was removed may have been moved to any other one.
      const all = this.present.shards
      const places = shard < all ? [shard] : Array.from({ length: all }, (_, i) => i)
      for (const place of places) found.add(place)
    }
    found.delete(own)
    return [...found]
  }

  /** Rejects when a server has another number of shards in its configuration, as after a shard was added. */
  async confirm(replica: Replica): Promise<void> {
    const now = performance.now()
    if (now - (this.checkedAt.get(replica) ?? Number.NEGATIVE_INFINITY) < RECENT_MS) return
    const { cluster, shards: before } = this.present
    const query = sql`
      SELECT toUInt32(uniqExact(shard_num)) AS shards FROM system.clusters WHERE cluster = ${text(cluster)}`
    const shards = numberIn(await replica.engine.ask(query), 'shards')
    if (shards !== before) {
      const message = `the cluster has ${shards} shards, and had ${before} when the service started`
      throw new ShardCountError('SOCKET_TIMEOUT', message)
    }
    this.checkedAt.set(replica, now)
  }
}
