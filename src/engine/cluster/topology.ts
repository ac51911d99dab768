import { sql, text } from '../../sql/sql.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import type { Settings } from '../clickhouse/settings.js'
import { stringsIn } from '../response.js'

/** The cluster can't be used; the message is for users. */
export class ClusterError extends Error {}

/** The databases of evq may not exist yet. */
export const SYSTEM: Settings = { database: 'system' }

/** The servers of a cluster in the configuration of one of them. */
export interface Topology {
  readonly shards: readonly (readonly string[])[]
  readonly hosts: readonly string[]
}

/** Returns the cluster that a server knows. Throws a `ClusterError` when it can't be used. */
export async function topologyOf(server: RemoteServer, cluster: string): Promise<Topology> {
  const result = await new RemoteEngine(server, { settings: SYSTEM }).ask(sql`
    SELECT host_name, toString(shard_num) AS shard, toString(internal_replication) AS replicates
    FROM system.clusters WHERE cluster = ${text(cluster)} ORDER BY shard_num, replica_num`)
  const hosts = stringsIn(result, 'host_name')
  if (hosts.length === 0) {
    throw new ClusterError(`The server \`${server.url}\` has no cluster \`${cluster}\`.`)
  }
  const numbers = stringsIn(result, 'shard')
  const shards = [...new Set(numbers)].map((number) =>
    hosts.filter((_, i) => numbers[i] === number),
  )
  const hasReplicas = shards.length < hosts.length
  if (hasReplicas && stringsIn(result, 'replicates').includes('0')) {
    throw new ClusterError(
      `The cluster \`${cluster}\` has replicas, and \`internal_replication\` is not \`true\` in all of its shards. Without it, ClickHouse would store each event twice. Set it in \`remote_servers\` on all servers.`,
    )
  }
  return { shards, hosts }
}

/** Throws a `ClusterError` when two servers have different configurations of the cluster. */
export function checkAgreement(
  cluster: string,
  one: { readonly url: string; readonly topology: Topology },
  other: { readonly url: string; readonly topology: Topology },
): void {
  const [first, second] = [one, other].map(({ topology }) => serversByShard(topology))
  if (first === second) return
  throw new ClusterError(
    `The cluster \`${cluster}\` differs in the configurations of \`${one.url}\` and \`${other.url}\` (servers by shard: ${first} and ${second}). Make \`remote_servers\` identical on all servers.`,
  )
}

/** Throws a `ClusterError` when a server's configuration of the cluster has changed since the service started. */
export function checkUnchanged(cluster: string, before: Topology, now: Topology): void {
  const [then, found] = [before, now].map(serversByShard)
  if (then === found) return
  throw new ClusterError(
    `its configuration of the cluster \`${cluster}\` has changed since the service started (servers by shard: ${then} before, ${found} now). Once all servers have the new configuration, restart \`evq serve\`.`,
  )
}

function serversByShard({ shards }: Topology): string {
  return shards.map((hosts) => hosts.length).join(' + ')
}

/** The macros with which a server names its replica of a table. */
export interface Macros {
  readonly url: string
  /** The number of the shard in the configuration of the cluster. */
  readonly number: number
  readonly shard: string
  readonly replica: string
}

/** Returns the macros of a server. Throws a `ClusterError` when one is missing. */
export function macrosOf(
  { url, shard: number }: { readonly url: string; readonly shard: number },
  { shard, replica }: { readonly shard: string; readonly replica: string },
): Macros {
  if (shard && replica) return { url, number, shard, replica }
  throw new ClusterError(
    `The server \`${url}\` has no macro \`${shard ? 'replica' : 'shard'}\`. The servers of a cluster need ClickHouse Keeper, and \`<macros><shard>…</shard><replica>…</replica></macros>\` in their configuration: the same \`shard\` in all replicas of a shard, and a different \`replica\` in each server.`,
  )
}

/** Throws a `ClusterError` when replicas of one shard would not share their tables, or servers of different shards would. */
export function checkMacros(all: readonly Macros[]): void {
  for (const [i, one] of all.entries()) {
    for (const other of all.slice(i + 1)) {
      const where = `\`${one.url}\` and \`${other.url}\``
      if (one.replica === other.replica) {
        throw new ClusterError(
          `The servers ${where} have the same macro \`replica\`, \`${one.replica}\`. Give each server of the cluster a different \`replica\`.`,
        )
      }
      if ((one.shard === other.shard) === (one.number === other.number)) continue
      throw new ClusterError(
        one.number === other.number
          ? `The servers ${where} are replicas of one shard and have different macros \`shard\`: \`${one.shard}\` and \`${other.shard}\`. Make them equal.`
          : `The servers ${where} are in different shards and have the same macro \`shard\`, \`${one.shard}\`. Give each shard a different \`shard\`.`,
      )
    }
  }
}
