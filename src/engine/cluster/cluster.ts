import { randomUUID } from 'node:crypto'
import { DATASETS } from '../catalog/database.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import { RemoteServer, type ServerAddress } from '../clickhouse/remote-server.js'
import { type Engine, isUnreachable } from '../engine.js'
import { type ClusterOptions, clusterEngine, SHARDS } from './cluster-engine.js'
import { bootstrapNodes } from './node-bootstrap.js'
import { hasReplicatedTables, openReplicatedCluster } from './replicated-cluster.js'
import { ClusterError, checkAgreement, SYSTEM, type Topology, topologyOf } from './topology.js'

export interface ClusterAddress extends ServerAddress, ClusterOptions {
  /** The HTTP addresses of all servers; by default they differ from `url` only in the host. */
  readonly nodes?: readonly string[]
  /** In a cluster with replicas, the number of copies of an event that a response requires; by default two where possible. */
  readonly writeCopies?: number
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

/** Opens a cluster of ClickHouse servers, given one of them. Rejects with a `ClusterError` when it can't be used. */
export async function openCluster(address: ClusterAddress): Promise<Engine> {
  const servers: RemoteServer[] = []
  try {
    const { entry, topology } = await firstOf(address, servers)
    const nodes: RemoteServer[] = []
    for (const url of nodesOf(address, topology)) {
      nodes.push(await RemoteServer.open({ ...address, url }))
    }
    servers.push(...nodes)
    const hasReplicas = topology.shards.length < topology.hosts.length
    if (hasReplicas || (await hasReplicatedTables(entry))) {
      const engine = await openReplicatedCluster({
        cluster: address.cluster,
        topology,
        url: entry.url,
        servers: nodes,
        name: address.name,
        allowPartial: address.allowPartial === true,
        copies: address.writeCopies,
        warn: (message) => address.warn?.(message),
      })
      await entry.close()
      return engine
    }
    await prepare(nodes, { address, topology })
    const { name = randomUUID() } = address
    const shards = topology.shards.length
    await Promise.all(nodes.map((server) => new RemoteEngine(server).end(name)))
    return clusterEngine({ ...address, entry, all: nodes, shards, name })
  } catch (error) {
    for (const server of servers) await server.close()
    throw error
  }
}

/** Returns the first server that responds, and the cluster as it is configured there. */
async function firstOf(
  address: ClusterAddress,
  opened: RemoteServer[],
): Promise<{ readonly entry: RemoteServer; readonly topology: Topology }> {
  let last: unknown
  for (const url of new Set([address.url, ...(address.nodes ?? [])])) {
    const entry = await RemoteServer.open({ ...address, url })
    opened.push(entry)
    try {
      return { entry, topology: await topologyOf(entry, address.cluster) }
    } catch (error) {
      if (!isUnreachable(error)) throw error
      last ??= error
    }
  }
  throw last
}

/** Checks that all servers have the same cluster, and creates missing tables. */
async function prepare(
  servers: readonly RemoteServer[],
  { address, topology }: { readonly address: ClusterAddress; readonly topology: Topology },
): Promise<void> {
  const { cluster, url } = address
  for (const server of servers) {
    const own = await topologyOf(server, cluster)
    checkAgreement(cluster, { url, topology }, { url: server.url, topology: own })
  }
  for (const database of [DATASETS, SHARDS]) {
    const statement = `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`
    await Promise.all(servers.map((server) => server.send({ statement, settings: SYSTEM })))
  }
  const each = servers.map((server) => new RemoteEngine(server, { settings: SYSTEM }))
  await bootstrapNodes(each, cluster)
}

function nodesOf({ url, cluster, nodes }: ClusterAddress, { hosts }: Topology): readonly string[] {
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
