import { randomUUID } from 'node:crypto'
import { sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import { RemoteServer, type ServerAddress } from '../clickhouse/remote-server.js'
import { stringsIn } from '../clickhouse/response.js'
import type { Settings } from '../clickhouse/settings.js'
import type { Engine } from '../engine.js'
import { ClusterEngine, type ClusterOptions, SHARDS } from './cluster-engine.js'
import { bootstrapNodes } from './node-bootstrap.js'

interface ClusterAddress extends ServerAddress, ClusterOptions {
  /** The HTTP addresses of all servers; by default they differ from `url` only in the host. */
  readonly nodes?: readonly string[]
}

/** The cluster can't be used; the message is for users. */
export class ClusterError extends Error {}

/** Opens a cluster of ClickHouse servers, given one of them. Rejects with a `ClusterError` when it can't be used. */
export async function openCluster(address: ClusterAddress): Promise<Engine> {
  const servers: RemoteServer[] = []
  try {
    const entry = await RemoteServer.open(address)
    servers.push(entry)
    const shards = await shardsOf(entry, address.cluster)
    for (const url of nodesOf(address, shards)) {
      servers.push(await RemoteServer.open({ ...address, url }))
    }
    const all = servers.slice(1)
    await prepare(all, { address, count: shards.count })
    const { name = randomUUID() } = address
    const cluster = new ClusterEngine({ entry, all, shards: shards.count, options: address, name })
    await cluster.end(name)
    return cluster
  } catch (error) {
    for (const server of servers) await server.close()
    throw error
  }
}

/** The databases of evq may not exist yet. */
const SYSTEM: Settings = { database: 'system' }

/** Checks that all servers have the same cluster, and creates missing tables. */
async function prepare(
  servers: readonly RemoteServer[],
  { address, count }: { readonly address: ClusterAddress; readonly count: number },
): Promise<void> {
  const { cluster, url } = address
  for (const server of servers) {
    const own = await shardsOf(server, cluster)
    if (own.count !== count) throw disagreement(cluster, { [url]: count, [server.url]: own.count })
  }
  for (const database of [DATASETS, SHARDS]) {
    const statement = `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`
    await Promise.all(servers.map((server) => server.send({ statement, settings: SYSTEM })))
  }
  const each = servers.map((server) => new RemoteEngine(server, { settings: SYSTEM }))
  await bootstrapNodes(each, { cluster, shards: SHARDS })
}

function disagreement(cluster: string, counts: Readonly<Record<string, number>>): ClusterError {
  const each = Object.entries(counts).map(([url, count]) => `${count} for \`${url}\``)
  return new ClusterError(
    `The cluster \`${cluster}\` has a different number of servers in their configurations: ${each.join(', ')}. Make \`remote_servers\` identical on all of them.`,
  )
}

interface Shards {
  readonly count: number
  readonly hosts: readonly string[]
}

async function shardsOf(server: RemoteServer, cluster: string): Promise<Shards> {
  const result = await new RemoteEngine(server, { settings: SYSTEM }).ask(sql`
    SELECT host_name, toString(shard_num) AS shard FROM system.clusters
    WHERE cluster = ${text(cluster)} ORDER BY shard_num, replica_num`)
  const hosts = stringsIn(result, 'host_name')
  if (hosts.length === 0) {
    throw new ClusterError(`The server \`${server.url}\` has no cluster \`${cluster}\`.`)
  }
  const count = new Set(stringsIn(result, 'shard')).size
  if (count < hosts.length) {
    throw new ClusterError(
      `The cluster \`${cluster}\` has replicas. Only clusters with one server per shard are supported.`,
    )
  }
  return { count, hosts }
}

function nodesOf({ url, cluster, nodes }: ClusterAddress, { hosts }: Shards): readonly string[] {
  if (nodes === undefined) return hosts.map((host) => urlOf(url, host))
  if (nodes.length === hosts.length) return nodes
  throw new ClusterError(
    `The cluster \`${cluster}\` has ${hosts.length} servers, and \`nodes\` names ${nodes.length}.`,
  )
}

function urlOf(url: string, host: string): string {
  const found = new URL(url)
  found.hostname = host.includes(':') ? `[${host}]` : host
  return found.href
}
