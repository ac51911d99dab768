import { type Sql, sql, text } from '../../sql/sql.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import type { Settings } from '../clickhouse/settings.js'
import {
  EngineError,
  type EngineResult,
  isTimeout,
  isUnreachable,
  type ReadLimits,
} from '../engine.js'
import { numberIn } from '../response.js'

interface ReaderOptions {
  /** The server that queries are sent to. */
  readonly entry: RemoteEngine
  readonly cluster: string
  readonly shards: number
}

/** Returns functions that run users' queries over all shards of a cluster. */
export function clusterReader({ entry, cluster, shards }: ReaderOptions) {
  /** Reads all shards, or rejects, unless the settings allow less. */
  async function readAll(
    query: Sql,
    limits: ReadLimits,
    settings: Settings = {},
  ): Promise<EngineResult> {
    const all = { ...networkTimeouts(limits), ...settings }
    return await entry.readWith(query, limits, all)
  }

  /** Reads the shards that respond; the result says when some do not. */
  async function readAvailable(
    query: Sql,
    limits: ReadLimits,
    settings: Settings = {},
  ): Promise<EngineResult> {
    const began = performance.now()
    const leftMs = (): number => Math.ceil(limits.timeoutMs - (performance.now() - began))
    const isComplete = (): Promise<boolean> =>
      allRespond({ ...limits, timeoutMs: checkTimeoutMs(leftMs()) })
    const wasComplete = await isComplete()
    const ask = async (): Promise<EngineResult> => {
      const timeoutMs = leftMs()
      if (timeoutMs <= 0) throw hangError()
      const available = { ...SKIP_UNREACHABLE, ...settings }
      return await readAll(query, { ...limits, timeoutMs }, available).catch((error: unknown) => {
        throw isTimeout(error) && !wasComplete ? hangError() : error
      })
    }
    const result = await ask().catch((error: unknown) => {
      // A server that disconnects during the query is skipped in the next attempt.
      if (!isUnreachable(error)) throw error
      return ask()
    })
    return wasComplete && (await isComplete()) ? result : { ...result, isPartial: true }
  }

  async function allRespond(limits: ReadLimits): Promise<boolean> {
    const query = sql`SELECT count() AS shards FROM cluster(${text(cluster)}, system.one)`
    try {
      const result = await readAll(query, limits, SKIP_UNREACHABLE)
      return numberIn(result, 'shards') === shards
    } catch (error) {
      if (isUnreachable(error) || isTimeout(error)) return false
      throw error
    }
  }

  function hangError(): EngineError {
    const message = `a server of the cluster \`${cluster}\` does not respond`
    return new EngineError('SOCKET_TIMEOUT', message)
  }

  return { readAll, readAvailable }
}

export type ClusterReader = ReturnType<typeof clusterReader>

/**
 * By default servers wait for a hanging server longer than the query timeout. A working server reports its progress
 * continuously.
 */
function networkTimeouts({ timeoutMs }: ReadLimits): Settings {
  return {
    handshake_timeout_ms: 1_000,
    receive_timeout: Math.max(1, Math.round(timeoutMs / 4_000)),
  }
}

const SKIP_UNREACHABLE: Settings = {
  skip_unavailable_shards: 1,
  connections_with_failover_max_tries: 1,
}

/** Returns the timeout for checking which shards respond, given the remaining time of the query. */
function checkTimeoutMs(leftMs: number): number {
  return Math.min(5_000, Math.max(1_000, Math.floor(leftMs / 3)))
}

/** Subqueries read all shards of a dataset, not only the local one. */
export const GLOBAL_SUBQUERIES: Settings = { distributed_product_mode: 'global' }
