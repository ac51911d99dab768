import { identifier, raw, type Sql, sql, text } from '../../sql/sql.js'
import { tableOf } from '../catalog/database.js'
import type { FileStatement } from '../clickhouse/file-statement.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import { stringsIn } from '../clickhouse/response.js'
import type { Settings } from '../clickhouse/settings.js'
import {
  type ChangeKind,
  changeStatement,
  type Engine,
  EngineError,
  type EngineResult,
  isTimeout,
  isUnreachable,
  type ReadLimits,
  SOCKET_TIMEOUT,
  type StreamOptions,
  type TableChange,
  type TableRename,
} from '../engine.js'
import { createServiceTable, type ServiceTable } from '../table-engine.js'

// Each server has its shard of the events, and a copy of everything else. Statements that change something are sent to each
// server: not every cluster supports ON CLUSTER.

/** The database with a server's own shard of each dataset. */
export const SHARDS = 'datasets_shard'

/** Returns the table with a server's own shard of a dataset. */
function shardOf(dataset: string): Sql {
  return sql`${raw(SHARDS)}.${identifier(dataset)}`
}

export interface ClusterOptions {
  /** The name of the cluster in the configuration of the servers. */
  readonly cluster: string
  /** Allows partial results when servers can't be reached. */
  readonly allowPartial?: boolean
}

/** Several ClickHouse servers as one engine; statements that change something run on all of them. */
export class ClusterEngine implements Engine {
  private readonly entry: RemoteEngine
  private readonly servers: readonly RemoteServer[]
  private readonly all: readonly RemoteEngine[]
  private readonly shards: number
  private readonly options: ClusterOptions
  readonly isShared = true
  readonly storedParts: Sql
  private loads = 0

  constructor(options: {
    readonly entry: RemoteServer
    readonly all: readonly RemoteServer[]
    readonly shards: number
    readonly options: ClusterOptions
    readonly name: string
  }) {
    this.servers = [options.entry, ...options.all]
    const { name } = options
    this.entry = new RemoteEngine(options.entry, { settings: GLOBAL_SUBQUERIES, name })
    this.all = options.all.map((server) => new RemoteEngine(server))
    this.shards = options.shards
    this.options = options.options
    const { cluster } = options.options
    this.storedParts = sql`(SELECT * FROM cluster(${text(cluster)}, system.parts) WHERE database = ${text(SHARDS)})`
  }

  async createTable(table: ServiceTable): Promise<void> {
    await this.run(createServiceTable(table))
  }

  async run(statement: Sql): Promise<void> {
    await Promise.all(this.all.map((server) => server.run(statement)))
  }

  async change(change: TableChange | TableRename): Promise<void> {
    const { kind, dataset } = change
    const own = changeStatement(change, shardOf)
    switch (kind) {
      case 'create':
        await this.run(own)
        return await this.createWhole(dataset)
      case 'alter':
        await this.alter(kind, own)
        return await this.alter(kind, changeStatement(change, tableOf))
      case 'drop':
        await this.alter(kind, changeStatement(change, tableOf))
        return await this.alter(kind, own)
      case 'events':
        return await this.alter(kind, own)
      case 'rename':
        await this.alter('drop', sql`DROP TABLE IF EXISTS ${tableOf(dataset)} SYNC`)
        await this.alter(kind, own)
        return await this.createWhole(change.to)
      default:
        return kind satisfies never
    }
  }

  /** Creates the table over the shards of a dataset. */
  private async createWhole(dataset: string): Promise<void> {
    const { cluster } = this.options
    await this.run(sql`
      CREATE TABLE IF NOT EXISTS ${tableOf(dataset)} AS ${shardOf(dataset)}
      ENGINE = Distributed(${text(cluster)}, ${text(SHARDS)}, ${text(dataset)})`)
  }

  async ask(query: Sql): Promise<EngineResult> {
    return await this.entry.ask(query)
  }

  async inspect(query: FileStatement): Promise<EngineResult> {
    return await this.entry.inspect(query)
  }

  /** An insert goes to a single shard, so that it is atomic. */
  async load(insert: FileStatement): Promise<void> {
    const shard = (this.loads++ % this.shards) + 1
    const end = async (id: string): Promise<void> => {
      // A statement on a server that can't be reached can't be ended; its rows can't be found either.
      await Promise.allSettled(this.all.map((server) => server.end(id)))
    }
    await this.entry.loadWith(insert, { insert_shard_id: shard }, end)
  }

  /** Ends the statements on all servers whose ids have a prefix. */
  async end(name: string): Promise<void> {
    await Promise.all(this.all.map((server) => server.end(name)))
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    if (this.options.allowPartial !== true) {
      return await this.entry.readWith(query, limits, networkTimeouts(limits))
    }
    const began = performance.now()
    const leftMs = (): number => Math.ceil(limits.timeoutMs - (performance.now() - began))
    const isComplete = (): Promise<boolean> =>
      this.isComplete({ ...limits, timeoutMs: checkTimeoutMs(leftMs()) })
    const wasComplete = await isComplete()
    const ask = async (): Promise<EngineResult> => {
      const timeoutMs = leftMs()
      if (timeoutMs <= 0) throw this.hangError()
      return await this.readReachable(query, { ...limits, timeoutMs }).catch((error: unknown) => {
        throw isTimeout(error) && !wasComplete ? this.hangError() : error
      })
    }
    const result = await ask().catch((error: unknown) => {
      // A server that disconnects during the query is skipped in the next attempt.
      if (!isUnreachable(error)) throw error
      return ask()
    })
    return wasComplete && (await isComplete()) ? result : { ...result, isPartial: true }
  }

  /** Rows can't be taken back, so that a stream is never partial. */
  stream(query: Sql, options: StreamOptions): AsyncGenerator<Buffer, void> {
    return this.entry.streamWith(query, options, networkTimeouts(options))
  }

  /** Distributed tables have no parts: each server reports its own. */
  async estimate(query: Sql, limits: ReadLimits): Promise<number> {
    const each = this.all.map((server) =>
      server.estimateIn(SHARDS, { query, limits }).catch((error: unknown) => {
        // Its events are missing in the result, too.
        if (this.options.allowPartial === true && isUnreachable(error)) return 0
        throw error
      }),
    )
    return (await Promise.all(each)).reduce((sum, count) => sum + count, 0)
  }

  async close(): Promise<boolean> {
    await Promise.all(this.servers.map((server) => server.close()))
    return true
  }

  private async alter(kind: ChangeKind, statement: Sql): Promise<void> {
    await Promise.all(this.all.map((server) => server.alter(kind, statement)))
  }

  private readReachable(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    return this.entry.readWith(query, limits, { ...networkTimeouts(limits), ...SKIP_UNREACHABLE })
  }

  /** Resolves with true when all shards respond. */
  private async isComplete(limits: ReadLimits): Promise<boolean> {
    const query = sql`SELECT toString(count()) AS shards FROM cluster(${text(this.options.cluster)}, system.one)`
    try {
      const result = await this.readReachable(query, limits)
      return Number(stringsIn(result, 'shards')[0] ?? 0) === this.shards
    } catch (error) {
      if (isUnreachable(error) || isTimeout(error)) return false
      throw error
    }
  }

  private hangError(): EngineError {
    const message = `a server of the cluster \`${this.options.cluster}\` does not respond`
    return new EngineError({ code: SOCKET_TIMEOUT, message })
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
const GLOBAL_SUBQUERIES: Settings = { distributed_product_mode: 'global' }
