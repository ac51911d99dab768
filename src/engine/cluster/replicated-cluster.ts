import { randomUUID } from 'node:crypto'
import { type Sql, sql, text } from '../../sql/sql.js'
import { keepsTokensIn, offersKeeperMap } from '../clickhouse/managed-engine.js'
import { tooOldMessage } from '../clickhouse/open-address.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import type { Settings } from '../clickhouse/settings.js'
import { type Engine, EngineError, isUnreachable } from '../engine.js'
import { numberIn, stringsIn } from '../response.js'
import { arePrepared, createDatabases, prepareReplica } from './replica-bootstrap.js'
import { type Replica, ReplicaSet } from './replica-set.js'
import { type ReplicatedEngineOptions, replicatedClusterEngine } from './replicated-engine.js'
import {
  ClusterError,
  checkAgreement,
  checkMacros,
  checkUnchanged,
  type Macros,
  macrosOf,
  SYSTEM,
  type Topology,
  topologyOf,
} from './topology.js'

interface ReplicatedClusterOptions
  extends Pick<ReplicatedEngineOptions, 'cluster' | 'allowPartial' | 'copies' | 'warn'> {
  readonly topology: Topology
  /** The server whose configuration the topology is from. */
  readonly url: string
  /** The servers in the order of the topology. */
  readonly servers: readonly RemoteServer[]
  readonly name: string | undefined
}

/** Opens the servers of a cluster, some of which may be away. Throws a `ClusterError`. */
export async function openReplicatedCluster(options: ReplicatedClusterOptions): Promise<Engine> {
  const { topology, servers, allowPartial, name = randomUUID() } = options
  const shards = topology.shards.length
  const all = replicasOf(options, name)
  const known = new Map<string, Macros>()
  const replicas = new ReplicaSet({
    replicas: all,
    shards,
    warn: options.warn,
    async prepare(replica, others) {
      const { cluster } = options
      await checkAgain(replica)
      const isComplete = others.length === all.length - 1
      await prepareReplica(replica, { others, isComplete, cluster })
    },
    async arePrepared(used) {
      await Promise.all(used.map(checkAgain))
      return await arePrepared(used)
    },
  })
  /** Throws a `ClusterError` when the configuration of a server has changed, or does not fit the others. */
  async function checkAgain(replica: Replica): Promise<void> {
    const { cluster } = options
    const own = await topologyOf(replica.server, cluster)
    checkUnchanged(cluster, topology, own)
    await check(replica, { ...options, own }, known)
  }
  try {
    const reachable: Replica[] = []
    for (const replica of all) {
      try {
        const own = await topologyOf(replica.server, options.cluster)
        await check(replica, { ...options, own }, known)
        await createDatabases(replica.engine)
        reachable.push(replica)
      } catch (error) {
        if (!isUnreachable(error)) throw error
        replicas.leave(replica, error)
      }
    }
    if (reachable.length === 0) {
      throw new EngineError('NETWORK_ERROR', 'none of its servers responds')
    }
    const isReady = await arePrepared(reachable).catch(() => false)
    if (!isReady) for (const replica of reachable) await replicas.join(replica)
    await replicas.onEach(({ engine }) => engine.end(name))
    await replicas.recover()
    const hasKeeperMap = await replicas.onOne(replicas.entries(), ({ engine }) =>
      offersKeeperMap(engine),
    )
    const engine = replicatedClusterEngine({
      ...options,
      replicas,
      shards,
      allowPartial,
      servers,
      hasKeeperMap,
      macrosOf: ({ url }) => known.get(url),
    })
    await engine.history()
    return engine
  } catch (error) {
    replicas.close()
    throw error
  }
}

/** Throws a `ClusterError` when a server does not fit the others. */
async function check(
  { engine, shard, url }: Replica,
  options: ReplicatedClusterOptions & { readonly own: Topology },
  known: Map<string, Macros>,
): Promise<void> {
  const { cluster, topology, own, url: first } = options
  checkAgreement(cluster, { url: first, topology }, { url, topology: own })
  const macro = (name: string): Sql =>
    sql`(SELECT any(substitution) FROM system.macros WHERE macro = ${text(name)})`
  const found = await engine.ask(sql`
    SELECT version() AS version, ${macro('shard')} AS shard, ${macro('replica')} AS replica,
      (SELECT toUInt32(count()) FROM system.tables WHERE database = 'evq'
        AND endsWith(engine, 'MergeTree') AND NOT startsWith(engine, 'Replicated')) AS plain`)
  const [version = '', ownShard = '', ownReplica = ''] = ['version', 'shard', 'replica'].flatMap(
    (column) => stringsIn(found, column),
  )
  const macros = macrosOf({ url, shard }, { shard: ownShard, replica: ownReplica })
  checkMacros([...new Map(known).set(url, macros).values()])
  known.set(url, macros)
  if (!keepsTokensIn(version)) throw new ClusterError(tooOldMessage(url))
  if (numberIn(found, 'plain') === 0) return
  throw new ClusterError(
    `The server \`${url}\` has tables of evq that are not replicated: they were created while it was used alone. Use other servers for the cluster \`${cluster}\`, and move the data (\`evq help clickhouse\` says how).`,
  )
}

/** Subqueries read all shards of a dataset, not only the local one. */
const GLOBAL_SUBQUERIES: Settings = { distributed_product_mode: 'global' }

function replicasOf(
  { topology, servers }: ReplicatedClusterOptions,
  name: string,
): readonly Replica[] {
  const places = topology.shards.flatMap((hosts, shard) =>
    hosts.map((_, position) => ({ shard, position })),
  )
  return servers.map((server, i) => ({
    url: server.url,
    ...places[i]!,
    server,
    engine: new RemoteEngine(server, { settings: SYSTEM, name }),
    entry: new RemoteEngine(server, { settings: GLOBAL_SUBQUERIES, name }),
  }))
}
