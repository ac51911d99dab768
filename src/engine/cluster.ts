import { identifier, raw, type Sql, sql, text } from '../sql/sql.js'
import { textsIn } from './answer.js'
import { DATASETS, tableOf } from './database.js'
import {
  type Engine,
  EngineError,
  type EngineResult,
  isTimeout,
  isUnreachable,
  type ReadLimits,
  type TableChange,
} from './engine.js'
import type { FileStatement } from './file-statement.js'
import { Remote } from './remote.js'
import { RemoteServer, type ServerAddress, SILENT } from './remote-server.js'
import type { Settings } from './settings.js'

// Each server holds its share of the events in a table of its own, and all of what is not events.
// Statements that change something are sent to each server: not every cluster can pass them on.

/** The database in which a server has its own part of each dataset. */
const SHARDS = 'datasets_shard'

export interface ClusterAddress extends ServerAddress {
  /** What the servers call the cluster. */
  readonly cluster: string
  /** The HTTP addresses of all its servers; by default they differ from `url` in the host alone. */
  readonly nodes?: readonly string[]
  /** Whether a query may go without the events of servers that can't be reached. */
  readonly allowPartial?: boolean
}

/** The cluster is not one that events can be kept in; the message is for users. */
export class ClusterError extends Error {}

/** Opens a cluster of ClickHouse servers by one of them. */
export async function openCluster(address: ClusterAddress): Promise<Engine> {
  const servers: RemoteServer[] = []
  try {
    const entry = await RemoteServer.open(address)
    servers.push(entry)
    const shards = await shardsOf(new Remote(entry, SYSTEM), address.cluster)
    const nodes = address.nodes ?? shards.hosts.map((host) => urlOf(address.url, host))
    if (nodes.length !== shards.hosts.length) {
      throw new ClusterError(
        `The cluster \`${address.cluster}\` has ${shards.hosts.length} servers, and \`nodes\` names ${nodes.length}.`,
      )
    }
    for (const url of nodes) servers.push(await RemoteServer.open({ ...address, url }))
    const all = servers.slice(1)
    for (const database of [DATASETS, SHARDS]) {
      const statement = `CREATE DATABASE IF NOT EXISTS ${database} ENGINE = Atomic`
      await Promise.all(all.map((server) => server.send({ statement, settings: SYSTEM })))
    }
    return new Cluster({ entry, all, shards: shards.count, address })
  } catch (error) {
    for (const server of servers) await server.close()
    throw error
  }
}

/** The databases of evq need not be there yet. */
const SYSTEM: Settings = { database: 'system' }

interface Shards {
  readonly count: number
  readonly hosts: readonly string[]
}

async function shardsOf(entry: Remote, cluster: string): Promise<Shards> {
  const answer = await entry.ask(sql`
    SELECT host_name, toString(shard_num) AS shard FROM system.clusters
    WHERE cluster = ${text(cluster)} ORDER BY shard_num, replica_num`)
  const hosts = textsIn(answer, 'host_name')
  if (hosts.length === 0) {
    throw new ClusterError(`The server knows no cluster \`${cluster}\`.`)
  }
  const count = new Set(textsIn(answer, 'shard')).size
  if (count < hosts.length) {
    throw new ClusterError(
      `The cluster \`${cluster}\` has replicas. Only clusters with one server a shard are supported.`,
    )
  }
  return { count, hosts }
}

function urlOf(url: string, host: string): string {
  const found = new URL(url)
  found.hostname = host.includes(':') ? `[${host}]` : host
  return found.href
}

class Cluster implements Engine {
  private readonly entry: Remote
  private readonly servers: readonly RemoteServer[]
  private readonly all: readonly Remote[]
  private readonly shards: number
  private readonly address: ClusterAddress
  readonly isShared = true
  readonly storedParts: Sql
  private loads = 0

  constructor(options: {
    readonly entry: RemoteServer
    readonly all: readonly RemoteServer[]
    readonly shards: number
    readonly address: ClusterAddress
  }) {
    this.servers = [options.entry, ...options.all]
    this.entry = new Remote(options.entry, ACROSS)
    this.all = options.all.map((server) => new Remote(server))
    this.shards = options.shards
    this.address = options.address
    const { cluster } = options.address
    this.storedParts = sql`(SELECT * FROM cluster(${text(cluster)}, system.parts) WHERE database = ${text(SHARDS)})`
  }

  async run(statement: Sql): Promise<void> {
    await Promise.all(this.all.map((server) => server.run(statement)))
  }

  async change({ kind, dataset, statement }: TableChange): Promise<void> {
    const own = sql`${raw(SHARDS)}.${identifier(dataset)}`
    const whole = tableOf(dataset)
    switch (kind) {
      case 'create': {
        await this.run(statement(own))
        const { cluster } = this.address
        return await this.run(sql`
          CREATE TABLE IF NOT EXISTS ${whole} AS ${own}
          ENGINE = Distributed(${text(cluster)}, ${text(SHARDS)}, ${text(dataset)})`)
      }
      case 'alter':
        await this.alter(kind, statement(own))
        return await this.alter(kind, statement(whole))
      case 'drop':
        await this.alter(kind, statement(whole))
        return await this.alter(kind, statement(own))
      case 'events':
        return await this.alter(kind, statement(own))
      default:
        return kind satisfies never
    }
  }

  async ask(query: Sql): Promise<EngineResult> {
    return await this.entry.ask(query)
  }

  async inspect(query: FileStatement): Promise<EngineResult> {
    return await this.entry.inspect(query)
  }

  /** One insert goes to one shard, whole: it is stored there, or nowhere. */
  async load(insert: FileStatement): Promise<void> {
    const shard = (this.loads++ % this.shards) + 1
    await this.entry.loadWith(insert, { insert_shard_id: shard })
  }

  async read(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    if (this.address.allowPartial !== true) {
      return await this.entry.readWith(query, limits, prompt(limits))
    }
    const began = performance.now()
    const left = (): number => Math.ceil(limits.timeoutMs - (performance.now() - began))
    const look = (): Promise<boolean> => this.isWhole({ ...limits, timeoutMs: lookMs(left()) })
    const wasWhole = await look()
    const ask = async (): Promise<EngineResult> => {
      const timeoutMs = left()
      if (timeoutMs <= 0) throw this.standsStill()
      return await this.readReachable(query, { ...limits, timeoutMs }).catch((error: unknown) => {
        throw isTimeout(error) && !wasWhole ? this.standsStill() : error
      })
    }
    const answer = await ask().catch((error: unknown) => {
      // A server that goes away while it answers is one that can't be reached the next time.
      if (!isUnreachable(error)) throw error
      return ask()
    })
    return wasWhole && (await look()) ? answer : { ...answer, isPartial: true }
  }

  async close(): Promise<boolean> {
    await Promise.all(this.servers.map((server) => server.close()))
    return true
  }

  private async alter(kind: TableChange['kind'], statement: Sql): Promise<void> {
    await Promise.all(this.all.map((server) => server.alter(kind, statement)))
  }

  private readReachable(query: Sql, limits: ReadLimits): Promise<EngineResult> {
    return this.entry.readWith(query, limits, { ...prompt(limits), ...SKIPPING })
  }

  /** Whether all shards answer. */
  private async isWhole(limits: ReadLimits): Promise<boolean> {
    const query = sql`SELECT toString(count()) AS shards FROM cluster(${text(this.address.cluster)}, system.one)`
    try {
      const answer = await this.readReachable(query, limits)
      return Number(textsIn(answer, 'shards')[0] ?? 0) === this.shards
    } catch (error) {
      if (isUnreachable(error) || isTimeout(error)) return false
      throw error
    }
  }

  private standsStill(): EngineError {
    const message = `a server of the cluster \`${this.address.cluster}\` stands still`
    return new EngineError({ code: SILENT, message })
  }
}

/**
 * Servers among themselves wait longer for one that stands still than a query may take. One that works
 * tells of its progress all the time.
 */
function prompt({ timeoutMs }: ReadLimits): Settings {
  return {
    handshake_timeout_ms: 1_000,
    receive_timeout: Math.max(1, Math.round(timeoutMs / 4_000)),
  }
}

const SKIPPING: Settings = { skip_unavailable_shards: 1, connections_with_failover_max_tries: 1 }

/** How long to look who is there, whatever time the query has left. */
function lookMs(leftMs: number): number {
  return Math.min(5_000, Math.max(1_000, Math.floor(leftMs / 3)))
}

/** A dataset within a query within a query is whole there too, not each server's part of it. */
const ACROSS: Settings = { distributed_product_mode: 'global' }
