import { RemoteServer, type ServerAddress } from '../clickhouse/remote-server.js'
import { type Engine, isUnreachable } from '../engine.js'
import { openReplicatedCluster } from './replicated-cluster.js'
import { ClusterError, type Topology, topologyOf } from './topology.js'

export interface ClusterAddress extends ServerAddress {
  /** The name of the cluster in the configuration of the servers. */
  readonly cluster: string
  /** Allows partial results when servers can't be reached. */
  readonly allowPartial?: boolean
  /** The HTTP addresses of all servers; by default they differ from `url` only in the host. */
  readonly nodes?: readonly string[]
  /** The number of copies of an event that a response requires; by default two where possible. */
  readonly writeCopies?: number
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

/** Opens a cluster of ClickHouse servers, given one of them. Rejects with a `ClusterError` when it can't be used. */
export async function openCluster(address: ClusterAddress): Promise<Engine> {
  const { cluster, name, allowPartial = false, writeCopies: copies } = address
  const first = await firstOf(address)
  const servers: RemoteServer[] = []
  try {
    for (const url of nodesOf(address, first.topology)) {
      servers.push(await RemoteServer.open({ ...address, url }))
    }
    const warn = (message: string): void => address.warn?.(message)
    const options = { ...first, cluster, name, allowPartial, copies, warn, servers }
    return await openReplicatedCluster(options)
  } catch (error) {
    for (const server of servers) await server.close()
    throw error
  }
}

/** Returns the address of the first server that responds, and the cluster as it is configured there. */
async function firstOf(
  address: ClusterAddress,
): Promise<{ readonly url: string; readonly topology: Topology }> {
  let last: unknown
  for (const url of new Set([address.url, ...(address.nodes ?? [])])) {
    const server = await RemoteServer.open({ ...address, url })
    try {
      return { url, topology: await topologyOf(server, address.cluster) }
    } catch (error) {
      if (!isUnreachable(error)) throw error
      last ??= error
    } finally {
      await server.close()
    }
  }
  throw last
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
