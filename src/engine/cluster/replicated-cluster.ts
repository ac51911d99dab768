import { randomUUID } from 'node:crypto'
import { sql } from '../../sql/sql.js'
import { keepsTokens, offersKeeperMap } from '../clickhouse/managed-engine.js'
import { tooOldMessage } from '../clickhouse/open-address.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import { stringsIn } from '../clickhouse/response.js'
import { type Engine, EngineError, isUnreachable, NETWORK_ERROR } from '../engine.js'
import { ClusterReader, GLOBAL_SUBQUERIES } from './cluster-reader.js'
import { createDatabases, prepareReplica } from './replica-bootstrap.js'
import { type Replica, ReplicaSet } from './replica-set.js'
import { ReplicatedEngine } from './replicated-engine.js'
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

interface ReplicatedClusterOptions {
  readonly cluster: string
  readonly topology: Topology
  /** The server whose configuration the topology is from. */
  readonly url: string
  /** The servers in the order of the topology. */
  readonly servers: readonly RemoteServer[]
  readonly name: string | undefined
  readonly allowPartial: boolean
  /** The number of copies of an event that a response requires; by default two where possible. */
  readonly copies: number | undefined
  warn(message: string): void
}

/** Opens the servers of a cluster with replicas, some of which may be away. Throws a `ClusterError`. */
export async function openReplicatedCluster(options: ReplicatedClusterOptions): Promise<Engine> {
  const { topology, servers, allowPartial, name = randomUUID() } = options
  const shards = topology.shards.length
  const all = replicasOf(options, name)
  const known: Macros[] = []
  const replicas = new ReplicaSet({
    replicas: all,
    shards,
    warn: options.warn,
    async prepare(replica, others) {
      const { cluster } = options
      checkUnchanged(cluster, topology, await topologyOf(replica.server, cluster))
      await check(replica, options, known)
      const isComplete = others.length === all.length - 1
      await prepareReplica(replica, { others, isComplete, cluster })
    },
  })
  try {
    const reachable: Replica[] = []
    for (const replica of all) {
      try {
        await check(replica, options, known)
        await createDatabases(replica.engine)
        reachable.push(replica)
      } catch (error) {
        if (!isUnreachable(error)) throw error
        replicas.leave(replica, error)
      }
    }
    if (reachable.length === 0) {
      throw new EngineError({ code: NETWORK_ERROR, message: 'none of its servers responds' })
    }
    for (const replica of reachable) await replicas.join(replica)
    await replicas.onEach(({ engine }) => engine.end(name))
    await replicas.recover()
    const hasKeeperMap = await replicas.onOne(replicas.entries(), ({ engine }) =>
      offersKeeperMap(engine),
    )
    const engine = new ReplicatedEngine({
      ...options,
      replicas,
      shards,
      allowPartial,
      servers,
      hasKeeperMap,
      macrosOf: ({ url }) => known.find((macros) => macros.url === url),
    })
    await engine.history()
    return engine
  } catch (error) {
    replicas.close()
    throw error
  }
}

/** True when a server has tables of evq that are replicated. */
export async function hasReplicatedTables(server: RemoteServer): Promise<boolean> {
  const engines = await enginesOf(server)
  return engines.some((engine) => engine.startsWith('Replicated'))
}

async function enginesOf(server: RemoteServer): Promise<readonly string[]> {
  const result = await new RemoteEngine(server, { settings: SYSTEM }).ask(
    sql`SELECT engine FROM system.tables WHERE database = 'evq' AND endsWith(engine, 'MergeTree')`,
  )
  return stringsIn(result, 'engine')
}

/** Throws a `ClusterError` when a server does not fit the others. */
async function check(
  { server, engine, shard, url }: Replica,
  { cluster, topology, url: first }: ReplicatedClusterOptions,
  known: Macros[],
): Promise<void> {
  const own = await topologyOf(server, cluster)
  checkAgreement(cluster, { url: first, topology }, { url, topology: own })
  const others = known.filter((macros) => macros.url !== url)
  const macros = await macrosOf(server, shard)
  checkMacros([...others, macros])
  known.splice(0, known.length, ...others, macros)
  if (!(await keepsTokens(engine))) throw new ClusterError(tooOldMessage(url))
  const plain = (await enginesOf(server)).some((engine) => !engine.startsWith('Replicated'))
  if (!plain) return
  throw new ClusterError(
    `The server \`${url}\` has tables of evq that are not replicated: they were created when the cluster \`${cluster}\` had no replicas. Move the data to a new cluster (\`evq help clickhouse\` says how).`,
  )
}

function replicasOf(
  { cluster, topology, servers, allowPartial }: ReplicatedClusterOptions,
  name: string,
): readonly Replica[] {
  const places = topology.shards.flatMap((hosts, shard) =>
    hosts.map((_, position) => ({ shard, position })),
  )
  const shards = topology.shards.length
  return servers.map((server, i) => {
    const entry = new RemoteEngine(server, { settings: GLOBAL_SUBQUERIES, name })
    return {
      url: server.url,
      ...places[i]!,
      server,
      engine: new RemoteEngine(server, { settings: SYSTEM, name }),
      entry,
      reader: new ClusterReader({ entry, cluster, shards, allowPartial }),
    }
  })
}
