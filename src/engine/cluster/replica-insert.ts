import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from '../../sql/sql.js'
import { isOneOf } from '../batch-hash.js'
import {
  insertToken,
  isRepeated,
  REPEAT_LIMIT_MS,
  tokenSettings,
} from '../clickhouse/insert-token.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import {
  EngineError,
  hasCode,
  isUnreachable,
  MissingShardError,
  ShardCountError,
} from '../engine.js'
import type { FileStatement } from '../file-statement.js'
import { numberIn } from '../response.js'
import { isKeeperAway } from './keeper-errors.js'
import { OWN_TABLES, synchronize } from './replica-bootstrap.js'
import type { Cluster, Replica } from './replica-set.js'
import type { ShardHistory } from './shard-history.js'
import { shardOf } from './shards.js'

// An insert is sent directly to a replica, with a token. A batch with an id has the same token and the same shard in every service,
// so it is stored once however often an insert is repeated. A query for its rows proves that it is stored.

const PAUSE_MS = 100
/** The tokens that are tried for one batch: its rows may be lost with a disk although Keeper has the token. */
const MAX_GENERATIONS = 3

interface Target {
  readonly shard: number
  readonly token: string
  /** Given for a batch with an id, whose shard depends on the number of shards. */
  readonly history?: ShardHistory
}

/** Identifies a batch with an id. */
interface NamedBatch {
  readonly dataset: string
  readonly batchHash: bigint
}

/** The attempts to insert the rows of a batch. */
interface Attempts {
  readonly began: number
  /** The replica of each attempt that failed. */
  readonly failures: Replica[]
  /** The replicas whose table lacks a column. */
  readonly lacking: Set<Replica>
}

/** Stores batches in a cluster: each exactly once, in the shard that its id selects. */
export class ReplicaInserts {
  private readonly cluster: Cluster
  private readonly history: () => Promise<ShardHistory>
  /** The number of inserts that stored a single copy of the rows although there should be more. */
  singleCopies = 0
  private nextShard = randomInt(1024)
  /** The replicas that had no connection to Keeper at their last insert. */
  private readonly unfit = new Set<Replica>()
  /** The shards whose last insert stored a single copy. */
  private readonly single = new Set<number>()

  /** `history` resolves with the numbers of shards that the cluster had. */
  constructor(cluster: Cluster, history: () => Promise<ShardHistory>) {
    this.cluster = cluster
    this.history = history
  }

  async load(insert: FileStatement): Promise<void> {
    const { dataset, batchHash = 0n } = insert.stores
    if (batchHash === 0n) {
      await this.insertIn(insert, { shard: this.anyShard(), token: insertToken(insert.stores) })
      return
    }
    const history = await this.history()
    for (const shard of history.formerShardsOf(batchHash)) {
      if (await this.isStoredIn(shard, { dataset, batchHash })) return
    }
    const shard = history.shardOf(batchHash)
    for (let generation = 0; generation < MAX_GENERATIONS; generation++) {
      const token = insertToken(insert.stores, generation)
      const replica = await this.insertIn(insert, { shard, token, history })
      if (await isStored(replica, { dataset, batchHash })) return
    }
    throw new EngineError('SOCKET_TIMEOUT', 'the rows of the batch are missing')
  }

  /** Rejects unless as many replicas as a response requires have all acknowledged events of a dataset. */
  async confirmCopies(dataset: string): Promise<void> {
    for (let shard = 0; shard < this.cluster.replicas.shards; shard++) {
      await this.requireCopies(dataset, shard).catch((error: EngineError) => {
        throw unknownError(error)
      })
    }
  }

  /** Inserts until a replica responds that the rows are stored; resolves with that replica. */
  private async insertIn(
    insert: FileStatement,
    { shard, token, history }: Target,
  ): Promise<Replica> {
    const { replicas, copies } = this.cluster
    const wanted = this.isReplicated(shard) ? (copies ?? 2) : 1
    let quorum = wanted
    const attempts: Attempts = { began: performance.now(), failures: [], lacking: new Set() }
    for (;;) {
      const replica = this.fittest(shard, attempts)
      if (replica === undefined) {
        if (!(await replicas.hasShard(shard))) throw new MissingShardError(shard)
        continue
      }
      try {
        await history?.confirm(replica)
        const settings = { ...OWN_TABLES, ...tokenSettings(token, quorum) }
        await replica.engine.with(settings).load(insert)
        // For rows that an earlier insert stored, ClickHouse does not wait for their copies.
        if (history !== undefined || attempts.failures.length > 0) {
          await this.requireCopies(insert.stores.dataset, shard)
        }
        if (wanted > 1) this.count(shard, { isSingle: quorum === 1 })
        this.unfit.delete(replica)
        return replica
      } catch (error) {
        if (copies === undefined && hasCode(error, 'TOO_FEW_LIVE_REPLICAS')) quorum = 1
        else await this.prepareRetry(error, replica, attempts)
      }
    }
  }

  /** Resolves when an insert that failed may be sent again. Rejects with the error for the client when it must not. */
  private async prepareRetry(
    error: unknown,
    replica: Replica,
    { began, failures, lacking }: Attempts,
  ): Promise<void> {
    const { replicas } = this.cluster
    if (!(error instanceof EngineError) || error instanceof ShardCountError) throw error
    const isLate = performance.now() - began > REPEAT_LIMIT_MS
    if (hasCode(error, 'TOO_FEW_LIVE_REPLICAS')) throw unknownError(error)
    failures.push(replica)
    if (isKeeperAway(error)) this.unfit.add(replica)
    const candidates = replicas.ofShard(replica.shard)
    const isAway = isUnreachable(error) && !(await replicas.responds(replica))
    if (isAway) replicas.leave(replica, error)
    if (!isUnreachable(error) && !isRepeated(error)) throw error
    if (hasCode(error, 'NO_SUCH_COLUMN_IN_TABLE')) lacking.add(replica)
    // The table was created again without the column. When the batch is sent again, the schema is read again.
    const isMissing = candidates.every((one) => lacking.has(one))
    if (isLate || isMissing) throw unknownError(error)
    if (!isAway) await sleep(PAUSE_MS * Math.min(10, failures.length))
  }

  private isReplicated(shard: number): boolean {
    return this.cluster.replicas.all.filter((replica) => replica.shard === shard).length > 1
  }

  /** Returns the replica on which this insert failed least, if possible one whose last insert reached Keeper. */
  private fittest(shard: number, { failures }: Attempts): Replica | undefined {
    const rank = (replica: Replica): number =>
      2 * failures.filter((one) => one === replica).length + (this.unfit.has(replica) ? 1 : 0)
    const candidates = this.cluster.replicas.ofShard(shard)
    return [...candidates].sort((a, b) => rank(a) - rank(b))[0]
  }

  /** Rejects unless enough replicas of a shard have all events that it has of a dataset. */
  private async requireCopies(dataset: string, shard: number): Promise<void> {
    const { replicas, copies = 1 } = this.cluster
    const required = this.isReplicated(shard) ? copies : 1
    if (required === 1) return
    let found = 0
    for (const { engine } of replicas.ofShard(shard)) {
      if (await hasAllRows(engine, dataset).catch(() => false)) found += 1
      if (found === required) return
    }
    const message = `${found} of ${required} required replicas of shard ${shard + 1} have all events`
    throw new EngineError('TOO_FEW_LIVE_REPLICAS', message)
  }

  /** Counts inserts with a single copy; reports the first such insert of a shard, and the next insert with more copies. */
  private count(shard: number, { isSingle }: { readonly isSingle: boolean }): void {
    const { single } = this
    if (isSingle) this.singleCopies += 1
    if (isSingle === single.has(shard)) return
    if (isSingle) single.add(shard)
    else single.delete(shard)
    this.cluster.warn(
      isSingle
        ? `Only one replica of shard ${shard + 1} can store events: new events have a single copy until another replica has fetched them.`
        : `Two replicas of shard ${shard + 1} store new events again.`,
    )
  }

  /** True when a shard has the rows of a batch. Rejects when no replica has all rows of the shard. */
  private async isStoredIn(shard: number, batch: NamedBatch): Promise<boolean> {
    const { replicas } = this.cluster
    if (!(await replicas.hasShard(shard))) throw new MissingShardError(shard)
    for (const { engine } of replicas.ofShard(shard)) {
      if (await hasRows(engine, batch)) return true
      if (await hasAllRows(engine, batch.dataset)) return await hasRows(engine, batch)
    }
    const message = `no replica of shard ${shard + 1} has all of its events`
    throw new EngineError('SOCKET_TIMEOUT', message)
  }

  /** Returns the next shard in turn that has a replica in use. */
  private anyShard(): number {
    const { replicas } = this.cluster
    const { shards } = replicas
    const all = Array.from({ length: shards }, (_, i) => (this.nextShard + i) % shards)
    this.nextShard = (this.nextShard + 1) % shards
    return all.find((shard) => replicas.ofShard(shard).length > 0) ?? this.nextShard
  }
}

/** True when the rows of a batch are stored: a token alone does not prove it. */
async function isStored({ engine }: Replica, batch: NamedBatch): Promise<boolean> {
  if (await hasRows(engine, batch)) return true
  // Another replica may have stored them.
  await hasAllRows(engine, batch.dataset)
  return await hasRows(engine, batch)
}

/** Waits until a replica has the rows that its shard has of a dataset; resolves with false when it does not get them. */
function hasAllRows(engine: RemoteEngine, dataset: string): Promise<boolean> {
  return synchronize(engine, [shardOf(dataset)], { rowsOnly: true })
}

async function hasRows(engine: RemoteEngine, { dataset, batchHash }: NamedBatch): Promise<boolean> {
  const query = sql`
    SELECT count() > 0 AS found FROM ${shardOf(dataset)} WHERE ${isOneOf(sql`_batch`, [batchHash])}`
  return numberIn(await engine.ask(query), 'found') > 0
}

function unknownError(cause: EngineError): EngineError {
  return new EngineError('SOCKET_TIMEOUT', cause.message, { cause })
}
