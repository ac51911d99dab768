import { setTimeout as sleep } from 'node:timers/promises'
import { raw, type Sql, sql } from '../../sql/sql.js'
import { Countdown } from '../../text/countdown.js'
import { tableOf } from '../catalog/database.js'
import { remainingLimits } from '../clickhouse/deadline.js'
import { insertOnServers, replicatedChange, retryConcurrent } from '../clickhouse/managed-engine.js'
import { REWRITE_TIMEOUT_MS } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import type { Settings } from '../clickhouse/settings.js'
import {
  changeStatement,
  type Engine,
  EngineError,
  type EngineResult,
  hasCode,
  isDisconnection,
  isUnreachable,
  type LostParts,
  type ReadLimits,
  type TableChange,
  type TableRename,
} from '../engine.js'
import type { FileStatement } from '../file-statement.js'
import type { Replication } from '../replication.js'
import { rowsIn } from '../response.js'
import {
  createServiceTable,
  plainEngine,
  replicatedEngine,
  type ServiceTable,
} from '../table-engine.js'
import { createWhole, lostPartsOf, partsOf, SHARDS, shardOf, sumOf } from './cluster-engine.js'
import { CHANGE_MS, pathsInKeeper, renamed, setAside, shardTables } from './dataset-move.js'
import { synchronize } from './replica-bootstrap.js'
import { ReplicaInsert, type ReplicaInsertOptions } from './replica-insert.js'
import type { Replica, ReplicaSet } from './replica-set.js'
import { ShardHistory } from './shard-history.js'
import {
  isNotSelected,
  SynchronizedReads,
  type SynchronizedReadsOptions,
  settingsAt,
} from './synchronized-reads.js'

// Each shard has several servers with the same events, and all servers have the same rows of the service's own tables:
// ClickHouse replicates rows, mutations and the columns of replicated tables. Tables themselves, and the columns of the tables
// over all shards, are created and changed on each server.

export interface ReplicatedEngineOptions
  extends SynchronizedReadsOptions,
    Omit<ReplicaInsertOptions, 'history'> {
  readonly cluster: string
  readonly allowPartial: boolean
  readonly hasKeeperMap: boolean
  /** The connections to close with the engine. */
  readonly servers: readonly RemoteServer[]
}

/** The path in Keeper of a table that all servers have. */
const SERVICE_PATH = '/evq/all'
/** The path of the replicas of a dataset in one shard. */
const DATASET_PATH = '/evq/tables/{shard}'

/** The time in which a replica that has just started is expected to read the log in Keeper. */
const START_MS = 10_000
/** The attempts of a query that reaches replicas which were not selected for it. */
const MAX_READS = 5

/** ClickHouse servers with replicas as one engine. */
export class ReplicatedEngine implements Engine {
  readonly isShared = true
  readonly repeatsInserts = true
  readonly hasKeeperMap?: true
  readonly storedParts: Sql
  readonly lostParts: LostParts
  private readonly options: ReplicatedEngineOptions
  private readonly replicas: ReplicaSet
  private readonly inserts: ReplicaInsert
  private readonly reads: SynchronizedReads
  private opened: Promise<ShardHistory> | undefined

  constructor(options: ReplicatedEngineOptions) {
    this.options = options
    this.replicas = options.replicas
    if (options.hasKeeperMap) this.hasKeeperMap = true
    this.storedParts = partsOf(options.cluster, 'parts')
    this.lostParts = lostPartsOf(options.cluster)
    this.inserts = new ReplicaInsert({ ...options, history: () => this.history() })
    this.reads = new SynchronizedReads(options)
  }

  /** Resolves with the numbers of shards that the cluster had. */
  history(): Promise<ShardHistory> {
    this.opened ??= ShardHistory.open(this, this.options).catch((error: unknown) => {
      this.opened = undefined
      throw error
    })
    return this.opened
  }

  async requireAllServers(): Promise<void> {
    await this.replicas.heartbeat()
    this.replicas.requireAll()
  }

  replication(): Replication {
    return { servers: this.replicas.states, singleCopyInserts: this.inserts.singleCopies }
  }

  async createTable(table: ServiceTable): Promise<void> {
    const statement = createServiceTable(table, replicatedEngine(`${SERVICE_PATH}/${table.name}`))
    await this.replicas.onEach(({ engine }) => engine.run(statement))
  }

  /** ClickHouse replicates the change to the other servers. */
  async run(statement: Sql): Promise<void> {
    const isInsert = /^\s*INSERT/.test(statement.text)
    await this.onEntry(async ({ engine }) => {
      if (!isInsert) return await retryConcurrent(() => engine.run(statement))
      const { copies } = this.options
      const servers = copies !== 1 && this.replicas.all.length > 1 ? 2 : 1
      await insertOnServers(engine, statement, { servers, isRequired: copies !== undefined })
    })
    // The rows of `KeeperMap` tables are in Keeper.
    const table = /^\s*ALTER TABLE (evq\.(?!keeper_)\w+)/.exec(statement.text)?.[1]
    if (table !== undefined) await this.synchronizeOthers(raw(table))
  }

  async change(change: TableChange | TableRename): Promise<void> {
    const { kind, dataset } = change
    switch (kind) {
      case 'create':
        return await this.create(change)
      case 'alter':
      case 'comment':
        await this.onShards(dataset, replicatedChange(change, shardOf))
        return await this.onWholes(changeStatement(change, tableOf))
      case 'note':
        return await this.onWholes(changeStatement(change, tableOf))
      case 'events':
        return await this.onShards(dataset, changeStatement(change, shardOf))
      case 'drop': {
        this.replicas.requireAll()
        const aside = await setAside(this.replicas, 'deleted', dataset)
        await this.onWholes(changeStatement(change, tableOf))
        return await this.onServers(change.statement(shardOf(aside), plainEngine))
      }
      case 'rename': {
        this.replicas.requireAll()
        const aside = await setAside(this.replicas, 'renamed', dataset)
        await this.onServers(renamed(aside, change.to))
        await this.onWholes(sql`DROP TABLE IF EXISTS ${tableOf(dataset)} SYNC`)
        return await this.onWholes(createWhole(change.to, this.options.cluster))
      }
      default:
        return kind satisfies never
    }
  }

  private async create(change: TableChange): Promise<void> {
    const { dataset } = change
    for (let shard = 0; shard < this.options.shards; shard++) {
      if (!(await this.replicas.hasShard(shard))) this.replicas.requireAll()
    }
    const path = await this.freePath(dataset)
    await this.onServers(changeStatement(change, shardOf, replicatedEngine(path)))
    await this.onWholes(createWhole(dataset, this.options.cluster))
  }

  /**
   * Returns an unused path in Keeper for a new dataset. The path with its name may be in use: by a dataset that was renamed, which
   * keeps its path, or by the tables of a deleted dataset on a server that is away.
   */
  private async freePath(dataset: string): Promise<string> {
    const inKeeper = await this.pathsInKeeper()
    for (let tries = 1; ; tries++) {
      const { own, others } = await this.paths(dataset)
      // Another attempt to create the dataset has begun.
      if (own !== undefined) return own
      const used = new Set([...others, ...inKeeper])
      const first = `${DATASET_PATH}/${dataset}`
      if (used.has(first) && !others.has(first) && tries === 1) {
        await sleep(CHANGE_MS)
        continue
      }
      let path = first
      for (let n = 2; used.has(path); n++) path = `${first}~${n}`
      return path
    }
  }

  /** Returns the path of the tables of a dataset, if there are any, and the paths of all other datasets. */
  private async paths(
    dataset: string,
  ): Promise<{ readonly own: string | undefined; readonly others: ReadonlySet<string> }> {
    const each = this.replicas.live.map((replica) =>
      this.replicas.onOne([replica], ({ engine }) => engine.ask(shardTables())),
    )
    const found = (await Promise.all(each)).flatMap((result) => rowsIn(result, 'name', 'path'))
    const others = found.filter(({ name }) => name !== dataset)
    return {
      own: found.find(({ name }) => name === dataset)?.path,
      others: new Set(others.map(({ path }) => path)),
    }
  }

  private async pathsInKeeper(): Promise<readonly string[]> {
    const each = this.onEachShard((replica) =>
      pathsInKeeper(
        replica.engine,
        DATASET_PATH.replace('{shard}', this.options.macrosOf(replica)?.shard ?? ''),
      ),
    )
    return (await Promise.all(each)).flat().map((name) => `${DATASET_PATH}/${name}`)
  }

  /** The replicas in use by shard. */
  private get shards(): readonly (readonly Replica[])[] {
    return Array.from({ length: this.options.shards }, (_, shard) => this.replicas.ofShard(shard))
  }

  private onEachShard<T>(work: (replica: Replica) => Promise<T>): readonly Promise<T>[] {
    return this.shards.map((replicas) => this.replicas.onOne(replicas, work))
  }

  /** Runs a statement on one replica of each shard and waits until the others have applied it. */
  private async onShards(dataset: string, statement: Sql): Promise<void> {
    await Promise.all(
      this.onEachShard(({ engine }) =>
        retryConcurrent(() => engine.runWith(statement, ONE_REPLICA, REWRITE_TIMEOUT_MS)),
      ),
    )
    await this.synchronizeOthers(shardOf(dataset))
  }

  /** Runs a statement on the tables over all shards; a server that is away gets it when it is back. */
  private async onWholes(statement: Sql): Promise<void> {
    await this.replicas.onEach(({ engine }) => engine.run(statement))
  }

  private async onServers(statement: Sql): Promise<void> {
    await this.replicas.onEach(({ engine }) =>
      retryConcurrent(() => engine.runWith(statement, ONE_REPLICA, REWRITE_TIMEOUT_MS)),
    )
  }

  private async synchronizeOthers(table: Sql): Promise<void> {
    await this.replicas.onEach(async ({ engine }) => void (await synchronize(engine, [table])))
  }

  async synchronize(tables: readonly string[]): Promise<void> {
    const names = tables.map((table) => sql`evq.${raw(table)}`)
    const isDone = (replica: Replica): Promise<boolean> =>
      synchronize(replica.engine, names, { rowsOnly: true })
    if (await this.onEntry(isDone)) return
    // The server lags or has no connection to Keeper. Servers at another position that are up to date are preferred from now on.
    const { position: preferred, positions } = this.replicas
    for (const position of positions.filter((one) => one !== preferred)) {
      const entries = this.replicas.entries().filter((replica) => replica.position === position)
      if (entries.length === 0 || !(await this.replicas.onOne(entries, isDone))) continue
      this.replicas.position = position
      return
    }
  }

  async ask(query: Sql, about: Pick<ReadLimits, 'datasets'> = {}): Promise<EngineResult> {
    return await whileStale(() =>
      this.reading(async ({ entry }) => entry.askWith(query, await this.reads.settings(about))),
    )
  }

  async load(insert: FileStatement): Promise<void> {
    await this.inserts.load(insert)
  }

  async confirmCopies(dataset: string): Promise<void> {
    await this.inserts.confirmCopies(dataset)
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    const { allowPartial } = this.options
    const left = remainingLimits(limits)
    if (allowPartial && this.shards.some((replicas) => replicas.length === 0))
      return await this.readAvailable(query, left)
    try {
      return await this.reading(async ({ reader }) => {
        const settings = await this.reads.settings(limits)
        return await reader.readAll(query, left(), settings)
      })
    } catch (error) {
      if (!allowPartial || !isUnreachable(error)) throw error
      return await this.readAvailable(query, left)
    }
  }

  /** Reads the shards that respond, also replicas that lag: some events may be missing. */
  private async readAvailable(query: Sql, left: () => ReadLimits): Promise<EngineResult> {
    const settings = {
      ...settingsAt(this.replicas.position),
      fallback_to_stale_replicas_for_distributed_queries: 1,
    }
    const result = await this.reading(async ({ reader }) =>
      reader.readAvailable(query, left(), settings),
    )
    return { ...result, isPartial: true }
  }

  /** Each shard reports the parts of one replica. */
  async estimate(query: Sql, limits: ReadLimits): Promise<number> {
    const each = this.onEachShard(({ engine }) => engine.estimateIn(SHARDS, { query, limits }))
    return await sumOf(each, this.options)
  }

  async close(): Promise<boolean> {
    this.replicas.close()
    await Promise.all(this.options.servers.map((server) => server.close()))
    return true
  }

  /** Runs a query, and again when a server could not read from another one: the repetition reads another replica. */
  private async reading<T>(work: (replica: Replica) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.onEntry(work)
      } catch (error) {
        const isOther = isNotSelected(error)
        if (isOther) this.reads.recordMiss()
        const isRepeated = isUnreachable(error) && !isDisconnection(error) && !isStale(error)
        if (tries === (isOther ? MAX_READS : 2)) throw isOther ? staleError(error) : error
        if (!isOther && !isRepeated) throw error
      }
    }
  }

  /** Runs work on a server that responds. */
  private async onEntry<T>(work: (replica: Replica) => Promise<T>): Promise<T> {
    await this.replicas.recover()
    return await this.replicas.onOne(this.replicas.entries(), work)
  }
}

const ONE_REPLICA: Settings = { alter_sync: 1, mutations_sync: 1 }

/**
 * Repeats an internal query while all replicas of a shard lag: replicas that have just started count as lagging until they
 * have read the log in Keeper.
 */
async function whileStale<T>(query: () => Promise<T>): Promise<T> {
  let start: Countdown | undefined
  for (;;) {
    try {
      return await query()
    } catch (error) {
      start ??= new Countdown(START_MS)
      if (!isStale(error) || start.isOver) throw error
      await sleep(START_MS / 50)
    }
  }
}

function staleError(cause: unknown): EngineError {
  const message = 'the selected replica of a shard is not reached'
  return new EngineError('ALL_REPLICAS_ARE_STALE', message, { cause })
}

function isStale(error: unknown): boolean {
  return hasCode(error, 'ALL_REPLICAS_ARE_STALE')
}
