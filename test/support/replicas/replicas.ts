import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  CLUSTER,
  type ClickHouseServer,
  clickHouseServer,
  despiteCrashes,
  freePorts,
} from '../clickhouse-server.js'
import { needs } from '../needs.js'
import { removeDirectory } from '../remove-directory.js'
import { type Keeper, startKeeper } from './keeper.js'
import { buildIdOf, KNOWN_BUILDS } from './library-build.js'

/** True where the servers of replicas start: their library is patched in memory, which is possible for known builds only. */
export const isKnownBuild = process.platform === 'linux' && process.arch === 'x64' && knowsBuild()

export const needsReplicas = needs(
  isKnownBuild,
  'Linux on x64 with a build of chdb listed in test/support/replicas/library-build.js, to start replicas of ClickHouse',
)

/** A real ClickHouse server that is a replica of a shard. */
export interface Replica extends ClickHouseServer {
  /** From 1. */
  readonly shard: number
  /** The macro `{replica}`. */
  readonly name: string
  /** Kills it and deletes its disk. */
  loseDisk(): Promise<void>
}

/** Servers with replicated tables, and their ZooKeeper. */
export interface Replicas {
  /** The servers by shard and replica. */
  readonly servers: readonly Replica[]
  readonly keeper: Keeper
  /** Returns the URLs of the servers that are in use. */
  readonly urls: readonly string[]
  /** Makes the first `count` servers the cluster, for servers that start from now on. */
  know(count: number): void
  despiteCrashes<T>(attempt: () => Promise<T>, isCut: (result: T) => boolean): Promise<T>
  stop(): Promise<void>
}

interface ReplicasOptions {
  readonly shards: number
  readonly replicas: number
  /** The number of servers in the cluster; by default all. Only these are started. */
  readonly known?: number
  /** Returns the macros of a server; by default its shard and its name. */
  macrosOf?(place: { readonly shard: number; readonly name: string }): string
  /** Offers no `KeeperMap` tables. */
  readonly hasNoKeeperMap?: boolean
  /** The directory that `BACKUP … TO File` may use. */
  readonly backups?: string
}

interface Place {
  readonly shard: number
  readonly name: string
  readonly http: number
  readonly tcp: number
}

/** Starts the servers of a cluster: each shard has the same number of replicas. */
export async function startReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { shards, replicas } = options
  const count = shards * replicas
  const { known: first = count } = options
  const root = mkdtempSync(join(tmpdir(), 'evq-replicas-'))
  const keeper = await startKeeper()
  const ports = await freePorts(2 * count)
  const places = Array.from({ length: count }, (_, i): Place => {
    const shard = Math.floor(i / replicas) + 1
    const name = `s${shard}r${(i % replicas) + 1}`
    return { shard, name, http: ports[i]!, tcp: ports[count + i]! }
  })
  const know = (known: number): void => {
    for (const place of places) {
      const config = configOf(place, places.slice(0, known), { ...options, keeper })
      writeFileSync(join(root, `${place.name}.xml`), config)
    }
  }
  know(first)
  const servers = places.map((place) => replica(place, root))
  await Promise.all(servers.slice(0, first).map((one) => one.start()))
  return {
    servers,
    keeper,
    urls: servers.map(({ url }) => url),
    know,
    despiteCrashes: (attempt, isCut) => despiteCrashes(servers, attempt, isCut),
    async stop() {
      await Promise.all(servers.map((one) => one.kill()))
      keeper.stop()
      await removeDirectory(root)
    },
  }
}

function replica({ shard, name, http, tcp }: Place, root: string): Replica {
  const directory = join(root, name)
  const config = join(root, `${name}.xml`)
  mkdirSync(directory)
  const server = clickHouseServer({
    directory,
    config,
    http,
    tcp,
    interserver: `${INTERSERVER_HOST}:${http}`,
  })
  return {
    ...server,
    shard,
    name,
    async loseDisk() {
      await server.kill()
      await rm(directory, { recursive: true })
      mkdirSync(directory)
    },
  }
}

/** The address on which each server serves the other replicas, at the port of its HTTP interface. */
const INTERSERVER_HOST = '127.0.0.2'

function configOf(
  own: Place,
  all: readonly Place[],
  options: ReplicasOptions & { readonly keeper: Keeper },
): string {
  const { shard, name } = own
  const { keeper, macrosOf = defaultMacros, hasNoKeeperMap, backups } = options
  const shards = [...new Set(all.map((place) => place.shard))].map((number) => {
    const replicas = all.filter((place) => place.shard === number)
    return `
      <shard>
        <internal_replication>true</internal_replication>
        ${replicas.map(({ tcp }) => `<replica><host>127.0.0.1</host><port>${tcp}</port></replica>`).join('')}
      </shard>`
  })
  // All servers of the library have the same id: a path of their own keeps them from ending each other's sessions.
  return `<clickhouse>
    <logger><level>none</level></logger>
    <listen_host>127.0.0.1</listen_host>
    <listen_host>${INTERSERVER_HOST}</listen_host>
    <zookeeper>
      <node><host>127.0.0.1</host><port>${keeper.port}</port></node>
      <session_timeout_ms>3000</session_timeout_ms>
      <sessions_path>/clickhouse/sessions/${name}</sessions_path>
    </zookeeper>
    ${hasNoKeeperMap ? '' : '<keeper_map_path_prefix>/keeper_map</keeper_map_path_prefix>'}
    ${backups === undefined ? '' : `<backups><allowed_path>${backups}</allowed_path></backups>`}
    <macros>${macrosOf({ shard, name })}</macros>
    <remote_servers><${CLUSTER}>${shards.join('')}</${CLUSTER}></remote_servers>
  </clickhouse>`
}

function defaultMacros({ shard, name }: { readonly shard: number; readonly name: string }): string {
  return `<shard>${shard}</shard><replica>${name}</replica>`
}

function knowsBuild(): boolean {
  try {
    const { libchdbPath } = createRequire(import.meta.url)('chdb/libchdb')
    const id = buildIdOf(libchdbPath())
    return id !== undefined && id in KNOWN_BUILDS
  } catch {
    return false
  }
}
