import { raw, type Sql, sql } from '../../sql/sql.js'
import { insertOnServers, retryConcurrent } from '../clickhouse/managed-engine.js'
import type { Engine } from '../engine.js'
import { createServiceTable, replicatedEngine } from '../table-engine.js'
import { askCluster, onEntry, readCluster } from './cluster-reads.js'
import { changeDataset, synchronizeOthers } from './dataset-change.js'
import { synchronize } from './replica-bootstrap.js'
import { ReplicaInserts } from './replica-insert.js'
import type { Cluster, Replica, ReplicaSet } from './replica-set.js'
import { openShardHistory, type ShardHistory } from './shard-history.js'
import { lostPartsOf, partsOf } from './shards.js'
import { SynchronizedReads } from './synchronized-reads.js'

// Each shard has several servers with the same events, and all servers have the same rows of the service's own tables.

/** The path in Keeper of a table that all servers have. */
const SERVICE_PATH = '/evq/all'

export function replicatedClusterEngine(
  cluster: Cluster,
  { hasKeeperMap }: { readonly hasKeeperMap: boolean },
) {
  const { replicas } = cluster
  const inserts = new ReplicaInserts(cluster, history)
  const reading = { ...cluster, reads: new SynchronizedReads(cluster) }
  let opened: Promise<ShardHistory> | undefined

  /** Resolves with the numbers of shards that the cluster had. */
  function history(): Promise<ShardHistory> {
    opened ??= openShardHistory(engine, cluster)
    return opened
  }

  const engine = {
    isShared: true,
    repeatsInserts: true,
    ...(hasKeeperMap && { hasKeeperMap }),
    storedParts: partsOf(cluster.name),
    lostParts: lostPartsOf(cluster.name),
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
    run: (statement) => runOnServers(statement, cluster),
    change: (change) => changeDataset(change, cluster),
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
      await Promise.all(replicas.all.map(({ server }) => server.close()))
      return true
    },
  } satisfies Engine & { readonly history: typeof history }
  return engine
}

/** Runs a statement on the service's tables; ClickHouse replicates the change to the other servers. */
async function runOnServers(statement: Sql, { replicas, copies }: Cluster): Promise<void> {
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
