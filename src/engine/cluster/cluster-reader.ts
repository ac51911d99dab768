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
import { stringsIn } from '../response.js'

interface ReaderOptions {
  /** The server that queries are sent to. */
  readonly entry: RemoteEngine
  readonly cluster: string
  readonly shards: number
  readonly allowPartial: boolean
}

/** Runs users' queries over all shards of a cluster, with partial results where they are allowed. */
export class ClusterReader {
  private readonly options: ReaderOptions

  constructor(options: ReaderOptions) {
    this.options = options
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    return this.options.allowPartial
      ? await this.readAvailable(query, limits)
      : await this.readAll(query, limits)
  }

  /** Reads all shards, or rejects, unless the settings allow less. */
  async readAll(query: Sql, limits: ReadLimits, settings: Settings = {}): Promise<EngineResult> {
    const all = { ...networkTimeouts(limits), ...settings }
    return await this.options.entry.readWith(query, limits, all)
  }

  /** Reads the shards that respond; the result says when some do not. */
  async readAvailable(
    query: Sql,
    limits: ReadLimits,
    settings: Settings = {},
  ): Promise<EngineResult> {
    const began = performance.now()
    const leftMs = (): number => Math.ceil(limits.timeoutMs - (performance.now() - began))
    const isComplete = (): Promise<boolean> =>
      this.isComplete({ ...limits, timeoutMs: checkTimeoutMs(leftMs()) })
    const wasComplete = await isComplete()
    const ask = async (): Promise<EngineResult> => {
      const timeoutMs = leftMs()
      if (timeoutMs <= 0) throw this.hangError()
      const available = { ...SKIP_UNREACHABLE, ...settings }
      return await this.readAll(query, { ...limits, timeoutMs }, available).catch(
        (error: unknown) => {
          throw isTimeout(error) && !wasComplete ? this.hangError() : error
        },
      )
    }
    const result = await ask().catch((error: unknown) => {
      // A server that disconnects during the query is skipped in the next attempt.
      if (!isUnreachable(error)) throw error
      return ask()
    })
    return wasComplete && (await isComplete()) ? result : { ...result, isPartial: true }
  }

  /** Resolves with true when all shards respond. */
  private async isComplete(limits: ReadLimits): Promise<boolean> {
    const { cluster, shards } = this.options
    const query = sql`SELECT toString(count()) AS shards FROM cluster(${text(cluster)}, system.one)`
    try {
      const result = await this.readAll(query, limits, SKIP_UNREACHABLE)
      return Number(stringsIn(result, 'shards')[0] ?? 0) === shards
    } catch (error) {
      if (isUnreachable(error) || isTimeout(error)) return false
      throw error
    }
  }

  private hangError(): EngineError {
    const message = `a server of the cluster \`${this.options.cluster}\` does not respond`
    return new EngineError('SOCKET_TIMEOUT', message)
  }
}

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
