import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql } from '../../sql/sql.js'
import { tableOf } from '../catalog/database.js'
import { retryConcurrent } from '../clickhouse/managed-engine.js'
import { REWRITE_TIMEOUT_MS } from '../clickhouse/remote.js'
import type { Settings } from '../clickhouse/settings.js'
import { changeStatement, type TableChange, type TableRename } from '../engine.js'
import { rowsIn } from '../response.js'
import { plainEngine, replicatedEngine } from '../table-engine.js'
import { CHANGE_MS, pathsInKeeper, renamed, setAside, shardTables } from './dataset-move.js'
import { synchronize } from './replica-bootstrap.js'
import type { Cluster, Replica, ReplicaSet } from './replica-set.js'
import { createWhole, shardOf } from './shards.js'

// Tables, and the columns of the tables over all shards, are created and changed on each server; ClickHouse replicates the rows,
// the mutations and the columns of replicated tables.

/** The path of the replicas of a dataset in one shard. */
const DATASET_PATH = '/evq/tables/{shard}'

/** Changes the tables of a dataset on all servers. */
export async function changeDataset(
  change: TableChange | TableRename,
  cluster: Cluster,
): Promise<void> {
  const { replicas } = cluster
  const { kind, dataset } = change
  switch (kind) {
    case 'create':
      return await createDataset(change, cluster)
    case 'alter':
      await onShards(change, cluster)
      return await onWholes(replicas, changeStatement(change, tableOf))
    case 'note':
      return await onWholes(replicas, changeStatement(change, tableOf))
    case 'events':
      return await onShards(change, cluster)
    case 'drop': {
      replicas.requireAll()
      const aside = await setAside(replicas, 'deleted', dataset)
      await onWholes(replicas, changeStatement(change, tableOf))
      return await onServers(replicas, change.statement(shardOf(aside), plainEngine))
    }
    case 'rename': {
      replicas.requireAll()
      const aside = await setAside(replicas, 'renamed', dataset)
      await onServers(replicas, renamed(aside, change.to))
      await onWholes(replicas, sql`DROP TABLE IF EXISTS ${tableOf(dataset)} SYNC`)
      return await onWholes(replicas, createWhole(change.to, cluster.name))
    }
    default:
      return kind satisfies never
  }
}

async function createDataset(change: TableChange, cluster: Cluster): Promise<void> {
  const { replicas } = cluster
  const { dataset } = change
  for (const shard of replicas.byShard.keys()) {
    if (!(await replicas.hasShard(shard))) replicas.requireAll()
  }
  const path = await freePath(dataset, cluster)
  await onServers(replicas, changeStatement(change, shardOf, replicatedEngine(path)))
  await onWholes(replicas, createWhole(dataset, cluster.name))
}

/**
 * Returns an unused path in Keeper for a new dataset. The path with its name may be in use: by a dataset that was renamed, which
 * keeps its path, or by the tables of a deleted dataset on a server that is away.
 */
async function freePath(dataset: string, cluster: Cluster): Promise<string> {
  const inKeeper = await allPathsInKeeper(cluster)
  for (let tries = 1; ; tries++) {
    const { own, others } = await paths(dataset, cluster)
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
  { replicas }: Cluster,
): Promise<{ readonly own: string | undefined; readonly others: ReadonlySet<string> }> {
  const each = await Promise.all(
    replicas.live.map((replica) =>
      replicas.onOne([replica], ({ engine }) => engine.ask(shardTables())),
    ),
  )
  const found = each.flatMap((result) => rowsIn(result, 'name', 'path'))
  const others = found.filter(({ name }) => name !== dataset)
  return {
    own: found.find(({ name }) => name === dataset)?.path,
    others: new Set(others.map(({ path }) => path)),
  }
}

async function allPathsInKeeper({ replicas, macrosOf }: Cluster): Promise<readonly string[]> {
  const each = await onEachShard(replicas, (replica) =>
    pathsInKeeper(replica.engine, DATASET_PATH.replace('{shard}', macrosOf(replica)?.shard ?? '')),
  )
  return each.flat().map((name) => `${DATASET_PATH}/${name}`)
}

function onEachShard<T>(
  replicas: ReplicaSet,
  work: (replica: Replica) => Promise<T>,
): Promise<readonly T[]> {
  return Promise.all(replicas.byShard.map((own) => replicas.onOne(own, work)))
}

const ONE_REPLICA: Settings = { alter_sync: 1, mutations_sync: 1 }

/** Changes a dataset on one replica of each shard and waits until the others have applied it. */
async function onShards(change: TableChange, { replicas }: Cluster): Promise<void> {
  await onEachShard(replicas, changer(changeStatement(change, shardOf)))
  await synchronizeOthers(replicas, shardOf(change.dataset))
}

/** Runs a statement on the tables over all shards; a server that is away gets it when it is back. */
async function onWholes(replicas: ReplicaSet, statement: Sql): Promise<void> {
  await replicas.onEach(({ engine }) => engine.run(statement))
}

async function onServers(replicas: ReplicaSet, statement: Sql): Promise<void> {
  await replicas.onEach(changer(statement))
}

/** Returns a function that runs a statement on a server's own tables. */
function changer(statement: Sql): (replica: Replica) => Promise<void> {
  return ({ engine }) =>
    retryConcurrent(() => engine.with(ONE_REPLICA).run(statement, REWRITE_TIMEOUT_MS))
}

/** Waits until all servers have the rows and the definition of a table. */
export async function synchronizeOthers(replicas: ReplicaSet, table: Sql): Promise<void> {
  await replicas.onEach(async ({ engine }) => void (await synchronize(engine, [table])))
}
