import { raw, type Sql, sql } from '../../sql/sql.js'
import { insertOnServers, retryConcurrent } from '../clickhouse/managed-engine.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import type { Engine } from '../engine.js'
import { createServiceTable, replicatedEngine } from '../table-engine.js'
import { askCluster, onEntry, readCluster } from './cluster-reads.js'
import { type ChangedCluster, changeDataset, synchronizeOthers } from './dataset-change.js'
import { synchronize } from './replica-bootstrap.js'
import { type ReplicaInsertOptions, ReplicaInserts } from './replica-insert.js'
import type { Replica, ReplicaSet } from './replica-set.js'
import { openShardHistory, type ShardHistory } from './shard-history.js'
import { lostPartsOf, partsOf } from './shards.js'
import { SynchronizedReads, type SynchronizedReadsOptions } from './synchronized-reads.js'

// Each shard has several servers with the same events, and all servers have the same rows of the service's own tables.

export interface ReplicatedEngineOptions
  extends SynchronizedReadsOptions,
    ChangedCluster,
    Omit<ReplicaInsertOptions, 'history'> {
  readonly allowPartial: boolean
  readonly hasKeeperMap: boolean
  /** The connections to close with the engine. */
  readonly servers: readonly RemoteServer[]
}

/** The path in Keeper of a table that all servers have. */
const SERVICE_PATH = '/evq/all'

/** Returns the servers of a cluster as one engine. */
export function replicatedClusterEngine(options: ReplicatedEngineOptions) {
  const { replicas, cluster, allowPartial, hasKeeperMap } = options
  const inserts = new ReplicaInserts({ ...options, history })
  const reading = { replicas, allowPartial, reads: new SynchronizedReads(options) }
  let opened: Promise<ShardHistory> | undefined

  /** Resolves with the numbers of shards that the cluster had. */
  function history(): Promise<ShardHistory> {
    opened ??= openShardHistory(engine, options).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
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
    replication: () => ({ servers: replicas.states, singleCopyInserts: inserts.singleCopies }),
    async createTable(table) {
      const statement = createServiceTable(table, replicatedEngine(`${SERVICE_PATH}/${table.name}`))
      await replicas.onEach(({ engine }) => engine.run(statement))
    },
    run: (statement) => runOnServers(statement, options),
    change: (change) => changeDataset(change, options),
    synchronize: (tables) => synchronizeEntry(tables, replicas),
    ask: (query, about = {}) => askCluster(query, about, reading),
    async askEach(query) {
      const results = await Promise.allSettled(
        replicas.live.map((replica) =>
          replicas.onOne([replica], ({ engine }) => engine.ask(query)),
        ),
      )
      return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
    },
    load: (insert) => inserts.load(insert),
    confirmCopies: (dataset) => inserts.confirmCopies(dataset),
    read: (query, limits) => readCluster(query, limits, reading),
    async close() {
      replicas.close()
      await Promise.all(options.servers.map((server) => server.close()))
      return true
    },
  } satisfies Engine & { readonly history: typeof history }
  return engine
}

/** Runs a statement on the service's tables; ClickHouse replicates the change to the other servers. */
async function runOnServers(
  statement: Sql,
  { replicas, copies }: Pick<ReplicatedEngineOptions, 'replicas' | 'copies'>,
): Promise<void> {
  const isInsert = /^\s*INSERT/.test(statement.text)
  await onEntry(replicas, async ({ engine }) => {
    if (!isInsert) return await retryConcurrent(() => engine.run(statement))
    const servers = copies !== 1 && replicas.all.length > 1 ? 2 : 1
    await insertOnServers(engine, statement, { servers, isRequired: copies !== undefined })
  })
  // The rows of `KeeperMap` tables are in Keeper.
  const table = /^\s*ALTER TABLE (evq\.(?!keeper_)\w+)/.exec(statement.text)?.[1]
  if (table !== undefined) await synchronizeOthers(replicas, raw(table))
}

/** Waits until a server that is read has all rows of tables of the service; selects another one when it has not. */
async function synchronizeEntry(tables: readonly string[], replicas: ReplicaSet): Promise<void> {
  const names = tables.map((table) => sql`evq.${raw(table)}`)
  const isDone = (replica: Replica): Promise<boolean> =>
    synchronize(replica.engine, names, { rowsOnly: true })
  if (await onEntry(replicas, isDone)) return
  // The server lags or has no connection to Keeper. Servers at another position that are up to date are preferred from now on.
  const { position: preferred, positions } = replicas
  for (const position of positions.filter((one) => one !== preferred)) {
    const entries = replicas.entries().filter((replica) => replica.position === position)
    if (entries.length === 0 || !(await replicas.onOne(entries, isDone))) continue
    replicas.position = position
    return
  }
}
