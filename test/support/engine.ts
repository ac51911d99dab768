import { mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { openEmbedded } from '../../src/engine/clickhouse/embedded.js'
import { openRemote } from '../../src/engine/clickhouse/open-address.js'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import { type Engine, isUnreachable } from '../../src/engine/engine.js'
import type { ClickHouseOptions } from '../../src/local/clickhouse.js'
import { CLUSTER, type ClickHouseServers, serveFlags, startServers } from './clickhouse-server.js'
import { needs } from './needs.js'
import { removeDirectory } from './remove-directory.js'
import { type Replicas, startReplicas } from './replicas/replicas.js'
import { temporaryDirectory } from './temporary.js'

/** The engine of the tests. */
export type TestEngine = 'embedded' | 'server' | 'replicas'

/** The kind of engine of this test run. */
export const TEST_ENGINE = kindOf(process.env.EVQ_TEST_ENGINE)

export const needsEmbedded = needs(TEST_ENGINE === 'embedded', 'the embedded engine')

/** A real engine with temporary data, which `close` removes. */
export async function openTestEngine(): Promise<Engine> {
  const directory = await mkdtemp(join(tmpdir(), 'evq-engine-'))
  await forgetData()
  const engine = await openEngineIn(directory)
  return wrapped(engine, {
    async close() {
      const isReleased = await engine.close()
      await removeDirectory(directory)
      return isReleased
    },
  })
}

/** Opens data of an earlier engine: those in the directory, or those of the servers. */
export async function openEngineIn(directory: string): Promise<Engine> {
  switch (TEST_ENGINE) {
    case 'embedded':
      return await openEmbedded({ directory })
    case 'server':
      return wrapped(await openRemote({ url: (await running()).servers[0]!.url }), {})
    case 'replicas': {
      const replicas = await runningReplicas()
      const nodes = replicas.urls
      return steady(await openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes }), replicas)
    }
    default:
      return TEST_ENGINE satisfies never
  }
}

/**
 * Opens the engine of a data directory unless it is the embedded one, which the store opens itself. A directory without files
 * has no data.
 */
export async function openSharedEngine(directory: string): Promise<Engine | undefined> {
  if (TEST_ENGINE === 'embedded') return undefined
  if ((await readdir(directory)).length === 0) await forgetData()
  return await openEngineIn(directory)
}

/** Returns the flags of `evq serve` for the engine of this test run, without data. */
export async function testEngineFlags(): Promise<readonly string[]> {
  if (TEST_ENGINE === 'embedded') return []
  return serveFlags(await emptyServers(), temporaryDirectory())
}

/** Returns the options of a data directory for the engine of this test run, without data. */
export async function testClickHouse(): Promise<{ readonly clickHouse?: ClickHouseOptions }> {
  if (TEST_ENGINE === 'embedded') return {}
  const nodes = await emptyServers()
  const url = nodes[0]!
  return { clickHouse: nodes.length === 1 ? { url } : { url, cluster: CLUSTER, nodes } }
}

async function emptyServers(): Promise<readonly string[]> {
  const { servers } = TEST_ENGINE === 'replicas' ? await runningReplicas() : await running()
  await forgetData()
  return servers.map(({ url }) => url)
}

/** Reads again when a server aborted meanwhile. */
function steady(engine: Engine, servers: Pick<ClickHouseServers, 'despiteCrashes'>): Engine {
  return wrapped(engine, {
    async read(query, limits) {
      const result = await servers.despiteCrashes(
        () => engine.read(query, limits).catch((error: unknown) => ({ error })),
        (one) => 'error' in one && isUnreachable(one.error),
      )
      if ('error' in result) throw result.error
      return result
    },
  })
}

/** Empties the servers, if there are any. */
export async function forgetData(): Promise<void> {
  for (const { url } of (await started)?.servers ?? []) {
    for (const database of ['datasets', 'datasets_shard', 'evq']) {
      const body = `DROP DATABASE IF EXISTS ${database} SYNC`
      const response = await fetch(url, { method: 'POST', body })
      if (!response.ok) throw new Error(await response.text())
    }
  }
}

/** An engine with some operations replaced. */
export function wrapped(engine: Engine, changes: Partial<Engine>): Engine {
  return {
    ...(engine.isShared && { isShared: engine.isShared }),
    ...(engine.repeatsInserts && { repeatsInserts: engine.repeatsInserts }),
    ...(engine.hasKeeperMap && { hasKeeperMap: engine.hasKeeperMap }),
    ...(engine.synchronize && { synchronize: (tables) => engine.synchronize!(tables) }),
    ...(engine.replication && { replication: () => engine.replication!() }),
    storedParts: engine.storedParts,
    createTable: (table) => engine.createTable(table),
    run: (statement) => engine.run(statement),
    change: (change) => engine.change(change),
    ask: (query) => engine.ask(query),
    load: (insert) => engine.load(insert),
    read: (query, limits) => engine.read(query, limits),
    close: () => engine.close(),
    ...changes,
  }
}

let started: Promise<ClickHouseServers | Replicas> | undefined
let servers: Promise<ClickHouseServers> | undefined
let replicas: Promise<Replicas> | undefined

/** One set of servers for all tests of a file: they take a while to start. */
function running(): Promise<ClickHouseServers> {
  servers ??= startServers(1)
  started = servers
  return servers
}

/** Two shards of two replicas each. */
function runningReplicas(): Promise<Replicas> {
  replicas ??= startReplicas({ shards: 2, replicas: 2 })
  started = replicas
  return replicas
}

afterAll(async () => (await started)?.stop())

function kindOf(name = 'embedded'): TestEngine {
  if (name === 'embedded' || name === 'server' || name === 'replicas') return name
  throw new Error(`EVQ_TEST_ENGINE is \`${name}\``)
}
