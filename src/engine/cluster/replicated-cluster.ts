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
import { type Cluster, type Replica, ReplicaSet } from './replica-set.js'
import { replicatedClusterEngine } from './replicated-engine.js'
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

interface ReplicatedClusterOptions extends Pick<Cluster, 'allowPartial' | 'copies' | 'warn'> {
  readonly cluster: string
  readonly topology: Topology
  /** The server whose configuration the topology is from. */
  readonly url: string
  /** The servers in the order of the topology. */
  readonly servers: readonly RemoteServer[]
  /** Identifies this service. */
  readonly name: string | undefined
}

/** Opens the servers of a cluster, some of which may be away. Throws a `ClusterError`. */
export async function openReplicatedCluster(options: ReplicatedClusterOptions): Promise<Engine> {
  const { cluster, allowPartial, copies, warn, name = randomUUID() } = options
  const checks = new ServerChecks(options)
  const replicas = replicaSet(options, checks, replicasOf(options, name))
  try {
    await joinAll(replicas, checks)
    await replicas.onEach(({ engine }) => engine.end(name))
    await replicas.recover()
    const hasKeeperMap = await replicas.onOne(replicas.entries(), ({ engine }) =>
      offersKeeperMap(engine),
    )
    const macrosOf = ({ url }: Replica) => checks.macros.get(url)
    const engine = replicatedClusterEngine(
      { name: cluster, replicas, copies, allowPartial, macrosOf, warn },
      { hasKeeperMap },
    )
    await engine.history()
    return engine
  } catch (error) {
    replicas.close()
    throw error
  }
}

function replicaSet(
  { cluster, topology, warn }: ReplicatedClusterOptions,
  checks: ServerChecks,
  replicas: readonly Replica[],
): ReplicaSet {
  return new ReplicaSet({
    replicas,
    shards: topology.shards.length,
    warn,
    async prepare(replica, others) {
      await checks.again(replica)
      const isComplete = others.length === replicas.length - 1
      await prepareReplica(replica, { others, isComplete, cluster })
    },
    async arePrepared(used) {
      await Promise.all(used.map((replica) => checks.again(replica)))
      return await arePrepared(used)
    },
  })
}

/** Prepares all servers that respond. Rejects when there is none. */
async function joinAll(replicas: ReplicaSet, checks: ServerChecks): Promise<void> {
  for (const replica of replicas.all) {
    try {
      await checks.first(replica)
      await createDatabases(replica.engine)
    } catch (error) {
      if (!isUnreachable(error)) throw error
      replicas.leave(replica, error)
    }
  }
  const { live } = replicas
  if (live.length === 0) throw new EngineError('NETWORK_ERROR', 'none of its servers responds')
  const isReady = await arePrepared(live).catch(() => false)
  if (!isReady) for (const replica of live) await replicas.join(replica)
}

/** The checks that the servers of a cluster have the same configuration. Each throws a `ClusterError` when they do not fit. */
class ServerChecks {
  /** The macros of the servers that were checked, by their addresses. */
  readonly macros = new Map<string, Macros>()
  private readonly options: ReplicatedClusterOptions

  constructor(options: ReplicatedClusterOptions) {
    this.options = options
  }

  async first(replica: Replica): Promise<void> {
    await this.check(replica, await topologyOf(replica.server, this.options.cluster))
  }

  /** Also rejects when the configuration of the server has changed since the service started. */
  async again(replica: Replica): Promise<void> {
    const { cluster, topology } = this.options
    const own = await topologyOf(replica.server, cluster)
    checkUnchanged(cluster, topology, own)
    await this.check(replica, own)
  }

  private async check({ engine, shard, url }: Replica, own: Topology): Promise<void> {
    const { cluster, topology, url: first } = this.options
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
    checkMacros([...new Map(this.macros).set(url, macros).values()])
    this.macros.set(url, macros)
    if (!keepsTokensIn(version)) throw new ClusterError(tooOldMessage(url))
    if (numberIn(found, 'plain') === 0) return
    throw new ClusterError(
      `The server \`${url}\` has tables of evq that are not replicated: they were created while it was used alone. Use other servers for the cluster \`${cluster}\`, and move the data (\`evq help clickhouse\` says how).`,
    )
  }
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
