/** A server of a cluster with replicas, as one service sees it. */
export interface ServerState {
  readonly url: string
  /** From 1. */
  readonly shard: number
  /** False when the server did not respond to the last request. */
  readonly isUp: boolean
  /** False while the server is away, or lacks tables. */
  readonly isUsed: boolean
  /** The age of the oldest change that the server lacks; undefined when it is unknown. */
  readonly lagSeconds: number | undefined
}

/** The state of the replicas of a cluster, as one service sees it. */
export interface Replication {
  readonly servers: readonly ServerState[]
  /** The number of inserts since the service started that stored a single copy of their events. */
  readonly singleCopyInserts: number
}

/** A shard some of whose replicas are not used, or lag. */
export interface DegradedShard {
  /** From 1. */
  readonly shard: number
  readonly servers: number
  readonly used: number
  readonly lagging: number
}

/** The longest lag, in seconds: replicas that lag more are not read unless partial results are allowed. */
export const MAX_LAG_SECONDS = 5

/** Returns true for a replica that lags too much to be read. */
export function isLagging({ lagSeconds = 0 }: Pick<ServerState, 'lagSeconds'>): boolean {
  return lagSeconds > MAX_LAG_SECONDS
}

/** Returns the shards some of whose replicas are not used, or lag, in the order of their numbers. */
export function degradedShards({ servers }: Replication): readonly DegradedShard[] {
  const numbers = [...new Set(servers.map(({ shard }) => shard))].sort((a, b) => a - b)
  return numbers
    .map((shard) => {
      const own = servers.filter((server) => server.shard === shard)
      const used = own.filter(({ isUsed }) => isUsed)
      const lagging = used.filter(isLagging).length
      return { shard, servers: own.length, used: used.length, lagging }
    })
    .filter((shard) => shard.used < shard.servers || shard.lagging > 0)
}
