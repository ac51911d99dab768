import { join } from 'node:path'
import type { Batch } from '../../../src/engine/batch.js'
import { batchHash } from '../../../src/engine/batch-hash.js'
import { openCluster } from '../../../src/engine/cluster/cluster.js'
import type { Engine, EngineResult } from '../../../src/engine/engine.js'
import { openStore, type Store } from '../../../src/engine/store.js'
import { raw } from '../../../src/sql/sql.js'
import { CLUSTER } from '../clickhouse-server.js'
import { temporaryDirectory } from '../temporary.js'
import { until } from '../until.js'

const scratch = temporaryDirectory()
let directories = 0
const names = new Map<number, number>()

const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const DISCONNECTED = /ATTEMPT_TO_READ_AFTER_EOF|NETWORK_ERROR|ALL_CONNECTION_TRIES_FAILED/

/** Nanoseconds since 1970. */
export const now = () => BigInt(Date.now()) * 1_000_000n

/** A service in front of a cluster, without its HTTP interface. */
export interface ClusterService {
  readonly store: Store
  readonly engine: Engine
  /** The messages for the operator. */
  readonly warnings: readonly string[]
}

interface ServiceOptions {
  readonly allowPartial?: boolean
  readonly writeCopies?: number
  /** The position of the server that is asked first; by default 0. */
  readonly first?: number
}

/** Opens a service in front of the servers at these URLs. */
export async function openService(
  nodes: readonly string[],
  { first = 0, ...options }: ServiceOptions = {},
): Promise<ClusterService> {
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  const engine = await openCluster({
    url: nodes[first]!,
    cluster: CLUSTER,
    nodes,
    warn,
    ...options,
  })
  const directory = join(scratch, `${directories++}`)
  return { store: await openStore({ directory, engine, now, warn }), engine, warnings }
}

/** Stores events; by default in the dataset `logs`, without a batch id. Resolves with their number. */
export async function ingest(
  { store }: ClusterService,
  events: readonly unknown[],
  options: Partial<Batch> = {},
): Promise<number> {
  const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
  const { ingested } = await store.ingest({
    dataset: 'logs',
    lines: { kind: 'bytes', bytes: Buffer.from(text) },
    arrivedAt: now(),
    timestampField: '_time',
    ...options,
  })
  return ingested
}

/** Returns `count` events with consecutive values of `n`. */
export function range(from: number, count: number): readonly { readonly n: number }[] {
  return Array.from({ length: count }, (_, i) => ({ n: from + i }))
}

/** Returns a new batch id that selects a shard of two, from 0. */
export function batchIdOf(shard: number): string {
  for (let n = names.get(shard) ?? 0; ; n++) {
    const id = `batch ${n}`
    if (Number(batchHash(id) % 2n) !== shard) continue
    names.set(shard, n + 1)
    return id
  }
}

/** Runs a query of the dataset after its FROM, like a request. */
export async function read(
  { engine, store }: ClusterService,
  query: string,
): Promise<EngineResult> {
  await store.refresh()
  const [, dataset = ''] = /\bFROM (\w+)/.exec(query) ?? []
  return await engine.read(raw(query), { ...LIMITS, datasets: [dataset] })
}

/** Returns the number `v` of a query. */
export async function value(service: ClusterService, query: string): Promise<number> {
  return numberOf(await read(service, query), 'v')
}

/** Returns the number of events of a dataset. */
export function count(service: ClusterService, dataset = 'logs'): Promise<number> {
  return value(service, `SELECT count() AS v FROM ${dataset}`)
}

/** Returns the number in the first row of a column. */
export function numberOf({ columns }: EngineResult, column: string): number {
  return Number(JSON.parse(columns.get(column) ?? '[]')[0])
}

/** Runs a statement on a server; resolves with its output, and rejects with its error. */
export async function run({ url }: { readonly url: string }, statement: string): Promise<string> {
  // The library aborts when another server resets a connection, and is started again.
  const response = await until(async () => {
    const sent = await fetch(url, { method: 'POST', body: statement })
    const text = (await sent.text()).trim()
    return !DISCONNECTED.test(text) && { isOk: sent.ok, text }
  }, `the server at ${url} responds`)
  if (!response.isOk) throw new Error(response.text)
  return response.text
}

/** Waits until the tables of a server are connected to Keeper, and so are those of all its replicas. */
export async function areConnected(server: { readonly url: string }): Promise<void> {
  const others =
    'SELECT countIf(is_readonly OR active_replicas < total_replicas) FROM system.replicas'
  await until(async () => (await run(server, others)) === '0', 'all replicas are connected')
}

/** Drops the name of a replica, once the session of its server in Keeper has expired. */
export async function dropReplica(drop: () => Promise<string>): Promise<void> {
  await until(
    () =>
      drop().then(
        () => true,
        (error: Error) => {
          if (error.message.includes('Code: 305')) return false
          throw error
        },
      ),
    'the session has expired',
  )
}

/** Resolves when a service uses a server again. */
export async function isUsed(
  service: ClusterService,
  { url }: { readonly url: string },
): Promise<void> {
  const message = `The ClickHouse server \`${url}\` is used again.`
  await until(() => (lastUse(service, url) ?? message) === message, `${url} is used`)
}

/** Resolves when a service does not use a server. */
export async function isNotUsed(
  service: ClusterService,
  { url }: { readonly url: string },
): Promise<void> {
  await until(() => lastUse(service, url)?.includes('is not used'), `${url} is not used`)
}

/** Returns the last message about the use of a server. */
function lastUse({ warnings }: ClusterService, url: string): string | undefined {
  const messages = warnings.filter((warning) => warning.includes(`\`${url}\``))
  return messages.findLast((warning) => /is (not used|used again)/.test(warning))
}
