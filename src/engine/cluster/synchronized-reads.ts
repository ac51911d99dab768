import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { list, sql, text } from '../../sql/sql.js'
import { startedAfterCall } from '../../text/shared-work.js'
import type { Settings } from '../clickhouse/settings.js'
import { EngineError, isUnreachable, type ReadLimits } from '../engine.js'
import { hasAllInserts } from '../maintenance/table-parts.js'
import { MAX_LAG_SECONDS } from '../replication.js'
import { rowsIn } from '../response.js'
import { synchronize } from './replica-bootstrap.js'
import { type Cluster, isTableMissing, type Replica, type ReplicaSet } from './replica-set.js'
import { SHARDS, shardOf } from './shards.js'

// An event is acknowledged once some replicas of its shard have it, by default two. Where a shard has more replicas, or had fewer
// in use, the replicas that a query reads are synchronized first: each compares its parts with the log in Keeper and waits for the
// parts that it lacks.

/** The time that the preferred replicas have before others are synchronized, too. */
const PREFERENCE_MS = 1_000
/** The time after a miss from which on queries rely on the positions of replicas again. */
const MISSED_MS = 60_000
/** The time after a synchronization that failed in which queries compare replicas instead: while Keeper hangs, each one takes seconds. */
const FAILED_MS = 10_000

/** Selects replicas that have all acknowledged events. */
export class SynchronizedReads {
  private readonly cluster: Cluster
  private readonly mayLag: boolean
  /** The synchronizations of datasets on replicas. */
  private readonly runs = new Map<string, () => Promise<boolean>>()
  private misses = 0
  private missedAt = Number.NEGATIVE_INFINITY
  private failedAt = Number.NEGATIVE_INFINITY

  constructor(cluster: Cluster) {
    const { replicas, copies = 1 } = cluster
    this.cluster = cluster
    this.mayLag = replicas.positions.length > Math.max(1, copies)
  }

  /**
   * Returns the settings of a query that reads replicas with all events of datasets that were acknowledged before the call.
   * Rejects when a shard has no such replica, with a `MissingShardError` when it has none in use.
   */
  async settings({ datasets = [] }: Pick<ReadLimits, 'datasets'>): Promise<Settings> {
    const { replicas } = this.cluster
    if (datasets.length === 0 || !(this.mayLag || replicas.hasLaggingShard)) {
      return settingsAt(replicas.position)
    }
    replicas.requireShards()
    const found = await this.selection(datasets)
    if (found !== undefined) return settingsOf(found, datasets, this.cluster)
    const message = 'no replica of a shard can be synchronized'
    throw new EngineError('ALL_REPLICAS_ARE_STALE', message)
  }

  /** Called when a query reached a replica that was not selected: a server was lost, or `nodes` has another order than its servers. */
  recordMiss(): void {
    this.misses += 1
    this.missedAt = performance.now()
  }

  private async selection(datasets: readonly string[]): Promise<Selection | undefined> {
    if (!this.mayLag) return await withoutKeeper(datasets, this.cluster)
    if (!isRecent(this.failedAt, FAILED_MS)) {
      return (await this.synchronized(datasets)) ?? (await withoutKeeper(datasets, this.cluster))
    }
    return (await withoutKeeper(datasets, this.cluster)) ?? (await this.synchronized(datasets))
  }

  private async synchronized(datasets: readonly string[]): Promise<Selection | undefined> {
    const found = isRecent(this.missedAt, MISSED_MS)
      ? await this.allUpToDate(datasets)
      : await this.bestSelection(datasets)
    if (found === undefined) this.failedAt = performance.now()
    return found
  }

  /** Selects the replicas at the preferred position, or at another one that is up to date earlier. */
  private async bestSelection(datasets: readonly string[]): Promise<Selection | undefined> {
    const { replicas } = this.cluster
    const preferred = replicas.position
    const first = this.upToDate(preferred, datasets)
    const soon = await Promise.race([first, sleep(PREFERENCE_MS, undefined, { ref: false })])
    if (soon !== undefined) return soon
    const others = replicas.positions
      .filter((position) => position !== preferred)
      .map((position) => this.upToDate(position, datasets))
    const found = await firstDefined([first, ...others])
    if (found !== undefined) replicas.position = found.position
    return found
  }

  /** Selects all replicas that are up to date, at any position; each miss selects the next position to read first. */
  private async allUpToDate(datasets: readonly string[]): Promise<Selection | undefined> {
    const { replicas } = this.cluster
    const upToDate: Replica[] = []
    for (const used of replicas.byShard) {
      const each = await Promise.all(used.map((replica) => this.areUpToDate([replica], datasets)))
      const own = used.filter((_, i) => each[i])
      if (used.length > 0 && own.length === 0) return undefined
      upToDate.push(...own)
    }
    const position = (replicas.position + this.misses) % replicas.positions.length
    return { position, replicas: upToDate }
  }

  /**
   * Resolves with the replicas at a position, once they have all events of datasets; with undefined when they can't be
   * synchronized. In place of a replica that is not in use, all others of its shard are selected.
   */
  private async upToDate(
    position: number,
    datasets: readonly string[],
  ): Promise<Selection | undefined> {
    const selected = this.cluster.replicas.byShard.flatMap((used) => {
      const own = used.filter((replica) => replica.position === position)
      return own.length > 0 ? own : used
    })
    const isUpToDate = await this.areUpToDate(selected, datasets)
    return isUpToDate ? { position, replicas: selected } : undefined
  }

  private async areUpToDate(
    replicas: readonly Replica[],
    datasets: readonly string[],
  ): Promise<boolean> {
    const each = replicas.flatMap((replica) =>
      datasets.map((dataset) => this.isDatasetUpToDate(replica, dataset)),
    )
    return (await Promise.all(each)).every((isUpToDate) => isUpToDate)
  }

  private isDatasetUpToDate(replica: Replica, dataset: string): Promise<boolean> {
    const key = `${replica.url} ${dataset}`
    // Calls of the same moment share a run.
    const run =
      this.runs.get(key) ??
      startedAfterCall(() => this.synchronizeDataset(replica, dataset), setImmediate)
    this.runs.set(key, run)
    return run()
  }

  private async synchronizeDataset(replica: Replica, dataset: string): Promise<boolean> {
    try {
      return await this.cluster.replicas.onOne([replica], ({ engine }) =>
        synchronize(engine, [shardOf(dataset)], { rowsOnly: true }),
      )
    } catch (error) {
      // The query of a dataset that was deleted reports that.
      if (isTableMissing(error)) return true
      if (isUnreachable(error)) return false
      throw error
    }
  }
}

/**
 * Selects replicas that have all events, although none can be compared with the log in Keeper: ClickHouse counts them as stale
 * when Keeper hangs. Resolves with undefined when a shard has no such replica.
 */
async function withoutKeeper(
  datasets: readonly string[],
  cluster: Cluster,
): Promise<Selection | undefined> {
  const { replicas } = cluster
  const complete = await Promise.all(
    replicas.byShard.map((used, shard) => completeReplicas({ used, shard }, datasets, cluster)),
  )
  if (complete.some((own) => own.length === 0)) return undefined
  const positions = [replicas.position, ...replicas.positions]
  const position = positions.find((one) =>
    complete.every((own) => own.some((replica) => replica.position === one)),
  )
  const staleness = position === undefined ? STALE_LAST : STALE_TOO
  return { position: position ?? replicas.position, replicas: complete.flat(), staleness }
}

/**
 * Resolves with the replicas of a shard that have each event which another one has, or has read of in the log. An acknowledged
 * event is on two replicas, or on as many as were asked for; a single copy of it can be on a replica that is away, of which
 * others know when they have read the log.
 */
async function completeReplicas(
  { used, shard }: { readonly used: readonly Replica[]; readonly shard: number },
  datasets: readonly string[],
  { replicas, copies }: Cluster,
): Promise<readonly Replica[]> {
  const all = replicas.all.filter((replica) => replica.shard === shard)
  const asked = await Promise.all(
    used.map(async (replica) => {
      const inserts = await insertsOf(replica, datasets, replicas)
      return inserts === undefined ? [] : [{ replica, inserts }]
    }),
  )
  const found = asked.flat()
  const missing = all.length - found.length
  if (missing >= (copies ?? 2)) return []
  const mayLackSingle = missing > 0 && copies === undefined
  return found
    .filter(({ replica }) => !(mayLackSingle && replicas.isLagging(replica)))
    .filter(({ inserts }) => found.every((other) => hasAll(inserts, other.inserts)))
    .map(({ replica }) => replica)
}

/** Resolves with the inserts of datasets that a replica knows; with undefined when it does not respond. */
async function insertsOf(
  replica: Replica,
  datasets: readonly string[],
  replicas: ReplicaSet,
): Promise<readonly Insert[] | undefined> {
  const isOwn = sql`database = ${text(SHARDS)} AND table IN (${list(datasets.map(text))})`
  const query = sql`
    SELECT table, name, '1' AS stored FROM system.parts WHERE active AND rows > 0 AND ${isOwn}
    UNION ALL SELECT table, new_part_name, '' FROM system.replication_queue
    WHERE type IN ('GET_PART', 'ATTACH_PART') AND ${isOwn}`
  try {
    const result = await replicas.onOne([replica], ({ engine }) => engine.ask(query))
    return rowsIn(result, 'table', 'name', 'stored')
  } catch (error) {
    if (isUnreachable(error)) return undefined
    throw error
  }
}

/** Returns settings with which a query fails on other replicas: ClickHouse reads one when a selected replica disconnects. */
function settingsOf(
  { position, replicas, staleness }: Selection,
  datasets: readonly string[],
  { macrosOf }: Cluster,
): Settings {
  const names = list(replicas.map((replica) => text(macrosOf(replica)?.replica ?? '')))
  const isSelected = sql`CAST(if(getMacro('replica') IN (${names}), '1', ${text(NOT_SELECTED)}), 'UInt8') = 1`
  const filters = datasets.map(
    (dataset) => sql`${text(`${SHARDS}.${dataset}`)}: ${text(isSelected.text)}`,
  )
  const additional_table_filters = `{${list(filters).text}}`
  return { ...settingsAt(position), ...staleness, additional_table_filters }
}

/** Replicas that have all events, and the position at which one of each shard is read. */
interface Selection {
  readonly position: number
  readonly replicas: readonly Replica[]
  /** Given when replicas that ClickHouse counts as stale may be read. */
  readonly staleness?: Settings
}

/** True while a time since an event has not passed. */
function isRecent(at: number, withinMs: number): boolean {
  return performance.now() - at < withinMs
}

/** Replicas are read in the order of their positions, stale or not. */
const STALE_TOO: Settings = { max_replica_delay_for_distributed_queries: 0 }
/** Stale replicas are read after all others. */
const STALE_LAST: Settings = { fallback_to_stale_replicas_for_distributed_queries: 1 }

/** The inserts of a dataset that are in a part of a replica, or that it has read of in the log. */
interface Insert {
  readonly table: string
  readonly name: string
  /** `1` for inserts that the replica has stored. */
  readonly stored: string
}

/** True when a replica has stored all inserts of another one. */
function hasAll(own: readonly Insert[], others: readonly Insert[]): boolean {
  const stored = own.filter((insert) => insert.stored === '1')
  const names = new Set(stored.map(keyOf))
  return others.every((insert) => {
    if (names.has(keyOf(insert))) return true
    const parts = stored.filter(({ table }) => table === insert.table)
    return hasAllInserts(insert.name, parts)
  })
}

function keyOf({ table, name }: Insert): string {
  return `${table}/${name}`
}

const NOT_SELECTED = 'this replica is not selected'

/** True for the error of a query that reached a replica which was not selected for it. */
export function isNotSelected(error: unknown): boolean {
  return error instanceof EngineError && error.message.includes(`'${NOT_SELECTED}'`)
}

/** Returns the settings of a query that reads the replica at a position in each shard, or another one where it is away. */
export function settingsAt(position: number): Settings {
  return {
    load_balancing: 'first_or_random',
    load_balancing_first_offset: position,
    prefer_localhost_replica: 0,
    max_replica_delay_for_distributed_queries: MAX_LAG_SECONDS,
    fallback_to_stale_replicas_for_distributed_queries: 0,
    max_parallel_replicas: 1,
  }
}

/** Resolves with the first value that is not undefined; with undefined when there is none. */
async function firstDefined<T>(all: readonly Promise<T | undefined>[]): Promise<T | undefined> {
  const defined = all.map(async (each) => {
    const value = await each
    if (value === undefined) throw new Error('undefined')
    return value
  })
  return await Promise.any(defined).catch(() => undefined)
}
