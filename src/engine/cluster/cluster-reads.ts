import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../sql/sql.js'
import { Countdown } from '../../text/countdown.js'
import { remainingLimits } from '../clickhouse/deadline.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import type { Settings } from '../clickhouse/settings.js'
import {
  EngineError,
  type EngineResult,
  hasCode,
  isDisconnection,
  isUnreachable,
  MissingShardError,
  type ReadLimits,
} from '../engine.js'
import type { Cluster, Replica, ReplicaSet } from './replica-set.js'
import { isNotSelected, type SynchronizedReads, settingsAt } from './synchronized-reads.js'

/** The time in which a replica that has just started is expected to read the log in Keeper. */
const START_MS = 10_000
/** The attempts of a query that reaches replicas which were not selected for it. */
const MAX_READS = 5

interface ReadCluster extends Cluster {
  readonly reads: SynchronizedReads
}

/** Runs a user's query on all shards. */
export async function readCluster(
  query: Sql,
  limits: ReadLimits,
  cluster: ReadCluster,
): Promise<EngineResult> {
  const { replicas, allowPartial, reads } = cluster
  const left = remainingLimits(limits)
  if (allowPartial && replicas.byShard.some((own) => own.length === 0))
    return await readAvailable(query, left, cluster)
  try {
    return await reading(cluster, async ({ entry }) =>
      readShards(entry, query, { settings: await reads.settings(limits), limits: left() }),
    )
  } catch (error) {
    if (!allowPartial || !isUnreachable(error)) throw error
    return await readAvailable(query, left, cluster)
  }
}

/** Reads the shards that respond, also replicas that lag: some events may be missing. */
async function readAvailable(
  query: Sql,
  left: () => ReadLimits,
  cluster: ReadCluster,
): Promise<EngineResult> {
  const settings = {
    ...settingsAt(cluster.replicas.position),
    fallback_to_stale_replicas_for_distributed_queries: 1,
    skip_unavailable_shards: 1,
    connections_with_failover_max_tries: 1,
  }
  const result = await reading(cluster, ({ entry }) =>
    readShards(entry, query, { settings, limits: left() }),
  )
  return { ...result, isPartial: true }
}

/** Runs an internal query, which reads all acknowledged events of the given datasets. */
export async function askCluster(
  query: Sql,
  about: Pick<ReadLimits, 'datasets'>,
  cluster: ReadCluster,
): Promise<EngineResult> {
  return await whileStale(cluster.replicas, () =>
    reading(cluster, async ({ entry }) =>
      entry.with(await cluster.reads.settings(about)).ask(query),
    ),
  )
}

/** Runs a query, and again when a server could not read from another one: the repetition reads another replica. */
async function reading<T>(
  { replicas, reads }: ReadCluster,
  work: (replica: Replica) => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await onEntry(replicas, work)
    } catch (error) {
      const isOther = isNotSelected(error)
      if (isOther) reads.recordMiss()
      const isRepeated = isUnreachable(error) && !isDisconnection(error) && !isStale(error)
      if (tries === (isOther ? MAX_READS : 2)) throw isOther ? staleError(error) : error
      if (!isOther && !isRepeated) throw error
    }
  }
}

/** Runs work on a server that responds. */
export async function onEntry<T>(
  replicas: ReplicaSet,
  work: (replica: Replica) => Promise<T>,
): Promise<T> {
  await replicas.recover()
  return await replicas.onOne(replicas.entries(), work)
}

/**
 * Runs a query over all shards. By default servers wait for a hanging server longer than the query timeout. A working server reports
 * its progress continuously.
 */
function readShards(
  entry: RemoteEngine,
  query: Sql,
  { settings, limits }: { readonly settings: Settings; readonly limits: ReadLimits },
): Promise<EngineResult> {
  const timeouts = {
    handshake_timeout_ms: 1_000,
    receive_timeout: Math.max(1, Math.round(limits.timeoutMs / 4_000)),
  }
  return entry.with({ ...timeouts, ...settings }).read(query, limits)
}

/**
 * Repeats an internal query while all replicas of a shard restart or lag: replicas that have just started count as lagging until
 * they have read the log in Keeper.
 */
async function whileStale<T>(replicas: ReplicaSet, query: () => Promise<T>): Promise<T> {
  let start: Countdown | undefined
  for (;;) {
    try {
      return await query()
    } catch (error) {
      if (!isStale(error) && !(error instanceof MissingShardError)) throw error
      await replicas.awaitShards()
      start ??= new Countdown(START_MS)
      if (start.isOver) throw error
      await sleep(START_MS / 50)
    }
  }
}

function staleError(cause: unknown): EngineError {
  const message = 'the selected replica of a shard is not reached'
  return new EngineError('ALL_REPLICAS_ARE_STALE', message, { cause })
}

function isStale(error: unknown): boolean {
  return hasCode(error, 'ALL_REPLICAS_ARE_STALE')
}
