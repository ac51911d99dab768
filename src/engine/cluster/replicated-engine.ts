import { setTimeout as sleep } from 'node:timers/promises'
import { raw, type Sql, sql } from '../../sql/sql.js'
import { Countdown } from '../../text/countdown.js'
import { tableOf } from '../catalog/database.js'
import { remainingLimits } from '../clickhouse/deadline.js'
import { insertOnServers, retryConcurrent } from '../clickhouse/managed-engine.js'
import { REWRITE_TIMEOUT_MS, type RemoteEngine } from '../clickhouse/remote.js'
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
  type ReadLimits,
  type TableChange,
  type TableRename,
} from '../engine.js'
import { rowsIn } from '../response.js'
import { createServiceTable, plainEngine, replicatedEngine } from '../table-engine.js'
import { CHANGE_MS, pathsInKeeper, renamed, setAside, shardTables } from './dataset-move.js'
import { synchronize } from './replica-bootstrap.js'
import { type ReplicaInsertOptions, replicaInsert } from './replica-insert.js'
import type { Replica } from './replica-set.js'
import { openShardHistory, type ShardHistory } from './shard-history.js'
import { createWhole, lostPartsOf, partsOf, shardOf } from './shards.js'
import {
  isNotSelected,
  type SynchronizedReadsOptions,
  settingsAt,
  synchronizedReads,
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

/** Returns the servers of a cluster as one engine. */
export function replicatedClusterEngine(options: ReplicatedEngineOptions) {
  const { replicas, shards, cluster, copies, allowPartial, hasKeeperMap } = options
  const inserts = replicaInsert({ ...options, history })
  const reads = synchronizedReads(options)
  let opened: Promise<ShardHistory> | undefined

  /** Resolves with the numbers of shards that the cluster had. */
  function history(): Promise<ShardHistory> {
    opened ??= openShardHistory(engine, options).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** ClickHouse replicates the change to the other servers. */
  async function run(statement: Sql): Promise<void> {
    const isInsert = /^\s*INSERT/.test(statement.text)
    await onEntry(async ({ engine }) => {
      if (!isInsert) return await retryConcurrent(() => engine.run(statement))
      const servers = copies !== 1 && replicas.all.length > 1 ? 2 : 1
      await insertOnServers(engine, statement, { servers, isRequired: copies !== undefined })
    })
    // The rows of `KeeperMap` tables are in Keeper.
    const table = /^\s*ALTER TABLE (evq\.(?!keeper_)\w+)/.exec(statement.text)?.[1]
    if (table !== undefined) await synchronizeOthers(raw(table))
  }

  async function change(change: TableChange | TableRename): Promise<void> {
    const { kind, dataset } = change
    switch (kind) {
      case 'create':
        return await create(change)
      case 'alter':
        await onShards(dataset, changeStatement(change, shardOf))
        return await onWholes(changeStatement(change, tableOf))
      case 'note':
        return await onWholes(changeStatement(change, tableOf))
      case 'events':
        return await onShards(dataset, changeStatement(change, shardOf))
      case 'drop': {
        replicas.requireAll()
        const aside = await setAside(replicas, 'deleted', dataset)
        await onWholes(changeStatement(change, tableOf))
        return await onServers(change.statement(shardOf(aside), plainEngine))
      }
      case 'rename': {
        replicas.requireAll()
        const aside = await setAside(replicas, 'renamed', dataset)
        await onServers(renamed(aside, change.to))
        await onWholes(sql`DROP TABLE IF EXISTS ${tableOf(dataset)} SYNC`)
        return await onWholes(createWhole(change.to, cluster))
      }
      default:
        return kind satisfies never
    }
  }

  async function create(change: TableChange): Promise<void> {
    const { dataset } = change
    for (let shard = 0; shard < shards; shard++) {
      if (!(await replicas.hasShard(shard))) replicas.requireAll()
    }
    const path = await freePath(dataset)
    await onServers(changeStatement(change, shardOf, replicatedEngine(path)))
    await onWholes(createWhole(dataset, cluster))
  }

  /**
   * Returns an unused path in Keeper for a new dataset. The path with its name may be in use: by a dataset that was renamed, which
   * keeps its path, or by the tables of a deleted dataset on a server that is away.
   */
  async function freePath(dataset: string): Promise<string> {
    const inKeeper = await allPathsInKeeper()
    for (let tries = 1; ; tries++) {
      const { own, others } = await paths(dataset)
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
  async function paths(
    dataset: string,
  ): Promise<{ readonly own: string | undefined; readonly others: ReadonlySet<string> }> {
    const each = await Promise.all(onEachUsed(({ engine }) => engine.ask(shardTables())))
    const found = each.flatMap((result) => rowsIn(result, 'name', 'path'))
    const others = found.filter(({ name }) => name !== dataset)
    return {
      own: found.find(({ name }) => name === dataset)?.path,
      others: new Set(others.map(({ path }) => path)),
    }
  }

  async function allPathsInKeeper(): Promise<readonly string[]> {
    const each = onEachShard((replica) =>
      pathsInKeeper(
        replica.engine,
        DATASET_PATH.replace('{shard}', options.macrosOf(replica)?.shard ?? ''),
      ),
    )
    return (await Promise.all(each)).flat().map((name) => `${DATASET_PATH}/${name}`)
  }

  function onEachUsed<T>(work: (replica: Replica) => Promise<T>): readonly Promise<T>[] {
    return replicas.live.map((replica) => replicas.onOne([replica], work))
  }

  function usedByShard(): readonly (readonly Replica[])[] {
    return Array.from({ length: shards }, (_, shard) => replicas.ofShard(shard))
  }

  function onEachShard<T>(work: (replica: Replica) => Promise<T>): readonly Promise<T>[] {
    return usedByShard().map((own) => replicas.onOne(own, work))
  }

  /** Runs a statement on one replica of each shard and waits until the others have applied it. */
  async function onShards(dataset: string, statement: Sql): Promise<void> {
    await Promise.all(
      onEachShard(({ engine }) =>
        retryConcurrent(() => engine.with(ONE_REPLICA).run(statement, REWRITE_TIMEOUT_MS)),
      ),
    )
    await synchronizeOthers(shardOf(dataset))
  }

  /** Runs a statement on the tables over all shards; a server that is away gets it when it is back. */
  async function onWholes(statement: Sql): Promise<void> {
    await replicas.onEach(({ engine }) => engine.run(statement))
  }

  async function onServers(statement: Sql): Promise<void> {
    await replicas.onEach(({ engine }) =>
      retryConcurrent(() => engine.with(ONE_REPLICA).run(statement, REWRITE_TIMEOUT_MS)),
    )
  }

  async function synchronizeOthers(table: Sql): Promise<void> {
    await replicas.onEach(async ({ engine }) => void (await synchronize(engine, [table])))
  }

  async function read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    const left = remainingLimits(limits)
    if (allowPartial && usedByShard().some((own) => own.length === 0))
      return await readAvailable(query, left)
    try {
      return await reading(async ({ entry }) =>
        readShards(entry, query, { settings: await reads.settings(limits), limits: left() }),
      )
    } catch (error) {
      if (!allowPartial || !isUnreachable(error)) throw error
      return await readAvailable(query, left)
    }
  }

  /** Reads the shards that respond, also replicas that lag: some events may be missing. */
  async function readAvailable(query: Sql, left: () => ReadLimits): Promise<EngineResult> {
    const settings = {
      ...settingsAt(replicas.position),
      fallback_to_stale_replicas_for_distributed_queries: 1,
      skip_unavailable_shards: 1,
      connections_with_failover_max_tries: 1,
    }
    const result = await reading(({ entry }) =>
      readShards(entry, query, { settings, limits: left() }),
    )
    return { ...result, isPartial: true }
  }

  /** Runs a query, and again when a server could not read from another one: the repetition reads another replica. */
  async function reading<T>(work: (replica: Replica) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await onEntry(work)
      } catch (error) {
        const isOther = isNotSelected(error)
        if (isOther) reads.recordMiss()
        const isRepeated = isUnreachable(error) && !isDisconnection(error) && !isStale(error)
        if (tries === (isOther ? MAX_READS : 2)) throw isOther ? staleError(error) : error
        if (!isOther && !isRepeated) throw error
      }
    }
  }

  /** Runs work on a server that responds. */
  async function onEntry<T>(work: (replica: Replica) => Promise<T>): Promise<T> {
    await replicas.recover()
    return await replicas.onOne(replicas.entries(), work)
  }

  const engine = {
    isShared: true,
    repeatsInserts: true,
    ...(hasKeeperMap && { hasKeeperMap }),
    storedParts: partsOf(cluster),
    lostParts: lostPartsOf(cluster),
    history,
    async requireAllServers() {
      await replicas.heartbeat()
      replicas.requireAll()
    },
    replication: () => ({ servers: replicas.states, singleCopyInserts: inserts.singleCopies() }),
    async createTable(table) {
      const statement = createServiceTable(table, replicatedEngine(`${SERVICE_PATH}/${table.name}`))
      await replicas.onEach(({ engine }) => engine.run(statement))
    },
    run,
    change,
    async synchronize(tables) {
      const names = tables.map((table) => sql`evq.${raw(table)}`)
      const isDone = (replica: Replica): Promise<boolean> =>
        synchronize(replica.engine, names, { rowsOnly: true })
      if (await onEntry(isDone)) return
      // The server lags or has no connection to Keeper. Servers at another position that are up to date are preferred from now on.
      const { position: preferred, positions } = replicas
      for (const position of positions.filter((one) => one !== preferred)) {
        const entries = replicas.entries().filter((replica) => replica.position === position)
        if (entries.length === 0 || !(await replicas.onOne(entries, isDone))) continue
        replicas.position = position
        return
      }
    },
    ask: (query, about = {}) =>
      whileStale(() =>
        reading(async ({ entry }) => entry.with(await reads.settings(about)).ask(query)),
      ),
    async askEach(query) {
      const results = await Promise.allSettled(onEachUsed(({ engine }) => engine.ask(query)))
      return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    },
    load: inserts.load,
    confirmCopies: inserts.confirmCopies,
    read,
    async close() {
      replicas.close()
      await Promise.all(options.servers.map((server) => server.close()))
      return true
    },
  } satisfies Engine & { readonly history: typeof history }
  return engine
}

const ONE_REPLICA: Settings = { alter_sync: 1, mutations_sync: 1 }

/**
 * Runs a query over all shards. By default servers wait for a hanging server longer than the query timeout. A working server reports
 * its progress continuously.
 */
function readShards(
  entry: RemoteEngine,
  query: Sql,
  { settings, limits }: { readonly settings: Settings; readonly limits: ReadLimits },
): Promise<EngineResult> {
  const timeouts = {
    handshake_timeout_ms: 1_000,
    receive_timeout: Math.max(1, Math.round(limits.timeoutMs / 4_000)),
  }
  return entry.with({ ...timeouts, ...settings }).read(query, limits)
}

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
