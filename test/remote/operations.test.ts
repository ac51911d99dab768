import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { CLUSTER as OPERATIONS } from '../../src/cli/help/topic/cluster.js'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'
import { CLUSTER } from '../support/clickhouse-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { areConnected, dropReplica } from '../support/replicas/service.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

// Runs the statements of `evq help cluster`, in the order of the topic, with the names of servers and backups there.

const scratch = temporaryDirectory()
const backups = join(scratch, 'backups')
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const BATCHES = 4
const EVENTS = 10
const now = () => BigInt(Date.now()) * 1_000_000n

/** Returns the statements under a heading; `{ replaced: by }` changes names in them. */
function statements(heading: string, names: Readonly<Record<string, string>> = {}): string[] {
  const at = OPERATIONS.findIndex((block) => block.kind === 'heading' && block.text === heading)
  const end = OPERATIONS.findIndex((block, i) => i > at && block.kind === 'heading')
  expect(at).toBeGreaterThan(-1)
  return OPERATIONS.slice(at, end)
    .flatMap((block) => (block.kind === 'code' ? block.lines.join('\n').split(/\n(?! )/) : []))
    .map((statement) =>
      Object.entries(names).reduce((text, [from, to]) => text.replaceAll(from, to), statement),
    )
}

interface Service {
  readonly store: Store
  readonly engine: Engine
}

let directories = 0

async function service(nodes: readonly string[]): Promise<Service> {
  const engine = await openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes, warn: () => {} })
  const directory = join(scratch, `${directories++}`)
  return { engine, store: await openStore({ directory, engine, now, warn: () => {} }) }
}

/** Sends the same named batches each time. */
async function send({ store }: Service): Promise<void> {
  for (let batch = 0; batch < BATCHES; batch++) {
    const events = Array.from({ length: EVENTS }, (_, i) => ({ n: batch * EVENTS + i }))
    const { ingested } = await store.ingest({
      dataset: 'logs',
      lines: {
        kind: 'bytes',
        bytes: Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join('')),
      },
      arrivedAt: now(),
      timestampField: '_time',
      batchId: `batch ${batch}`,
    })
    expect(ingested).toBe(EVENTS)
  }
}

/** The number of events and of different ones on replicas that have all of them, like a request: fetches may still be running. */
async function counts({ store, engine }: Service): Promise<readonly string[]> {
  await store.refresh()
  const query = 'SELECT toString(count()) AS a, toString(uniqExact(`n:int`)) AS b FROM logs'
  const { columns } = await engine.read(raw(query), { ...LIMITS, datasets: ['logs'] })
  return ['a', 'b'].map((name) => JSON.parse(columns.get(name) ?? '[]')[0])
}

const ALL = [String(BATCHES * EVENTS), String(BATCHES * EVENTS)]
const COUNT = 'SELECT count() FROM datasets_shard.logs'

function statementsOn(replicas: Replicas): (name: string, statement: string) => Promise<string> {
  return async (name, statement) => {
    const server = replicas.servers.find((one) => one.name === name)
    if (server === undefined) throw new Error(`no server ${name}`)
    const response = await until(
      () => fetch(server.url, { method: 'POST', body: statement }),
      `${name} responds`,
    )
    const text = (await response.text()).trim()
    if (!response.ok) throw new Error(`${statement}: ${text}`)
    return text
  }
}

/** Makes the first `count` servers the cluster, in the configuration of each server. */
async function reconfigure(replicas: Replicas, count: number): Promise<void> {
  replicas.know(count)
  for (const server of replicas.servers) await server.kill()
  await Promise.all(replicas.servers.map((server) => server.start()))
}

describe('a replica', needsReplicas, () => {
  it('is added and removed without losing events', async () => {
    const replicas = await startReplicas({ shards: 1, replicas: 3, known: 2 })
    const on = statementsOn(replicas)
    let current = await service(replicas.urls.slice(0, 2))
    await send(current)
    await current.store.close()

    await reconfigure(replicas, 3)
    current = await service(replicas.urls)
    const [wait = ''] = statements('Add a replica')
    await until(() => on('s1r3', wait).then(() => true), 'the replica has the tables')
    expect(await on('s1r3', COUNT)).toBe(ALL[0])
    const states = statements('State')
    for (const statement of states) expect(await on('s1r3', statement)).toContain('logs')
    await current.store.close()

    await reconfigure(replicas, 2)
    current = await service(replicas.urls.slice(0, 2))
    await send(current)
    const [synchronize = '', remove = ''] = statements('Remove a replica')
    for (const name of ['s1r1', 's1r2']) await on(name, synchronize)
    await areConnected(replicas.servers[0]!)
    await expect(on('s1r1', remove)).rejects.toThrow('Code: 305')
    await replicas.servers[2]!.kill()
    await dropReplica(() => on('s1r1', remove))
    expect(await counts(current)).toEqual(ALL)
    const totals = 'SELECT groupUniqArray(total_replicas) FROM system.replicas'
    expect(await on('s1r1', totals)).toBe('[2]')
    await current.store.close()
    await replicas.stop()
  })
})

describe('two shards', needsReplicas, () => {
  const nameOf: Record<string, Record<string, string>> = {
    s1r1: {},
    s2r1: { 'monday-1': 'monday-2', 'tuesday-1': 'tuesday-2' },
  }
  let replicas: Replicas
  let on: ReturnType<typeof statementsOn>
  let current: Service

  async function onEachShard(heading: string, line: number): Promise<void> {
    for (const [server, names] of Object.entries(nameOf)) {
      await on(server, statements(heading, names)[line]!)
    }
  }

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2, known: 2, backups })
    on = statementsOn(replicas)
    current = await service(replicas.urls.slice(0, 2))
    await send(current)
    await current.store.close()
    return () => replicas.stop()
  })

  it('one is added: batches that were stored before are recognized', async () => {
    await reconfigure(replicas, 4)
    current = await service(replicas.urls)
    await send(current)
    expect(await counts(current)).toEqual(ALL)
    // Unnamed batches go to each shard in turn.
    for (const n of [1_000, 1_001]) await ingestOne(n)
    await until(async () => Number(await on('s2r2', COUNT)) > 0, 'the new shard has some')
  })

  async function ingestOne(n: number): Promise<void> {
    const bytes = Buffer.from(`${JSON.stringify({ n })}\n`)
    const lines = { kind: 'bytes', bytes } as const
    await current.store.ingest({
      ...{ dataset: 'logs', lines, arrivedAt: now(), timestampField: '_time' },
    })
  }

  /** Waits until both replicas of each shard have the same rows. */
  async function untilCopied(): Promise<void> {
    for (const shard of ['s1', 's2']) {
      const counts = () => Promise.all(['r1', 'r2'].map((name) => on(`${shard}${name}`, COUNT)))
      await until(async () => {
        const [one, other] = await counts()
        return Number(one) > 0 && one === other
      }, `both replicas of ${shard} have its rows`)
    }
  }

  const both = [String(BATCHES * EVENTS + 2), String(BATCHES * EVENTS + 2)]

  it('are backed up, and a deleted dataset is restored', async () => {
    await current.store.starredQueries.put({ id: 'q', body: '{}' })
    // On a busy machine, one of the replicas may have stored an event alone.
    await untilCopied()
    await onEachShard('Back up', 0)
    await onEachShard('Back up', 1)
    expect(await current.store.remove('logs')).toBe(true)
    await current.store.close()
    await onEachShard('Restore', 0)
    await on('s1r1', statements('Restore')[1]!)
    current = await service(replicas.urls)
    expect(await counts(current)).toEqual(both)
    expect(current.store.schema.fields('logs')).toContainEqual({
      name: 'n',
      type: 'int',
      wireType: 'integer',
    })
    await send(current)
    expect(await counts(current)).toEqual(both)
    await untilCopied()
  })

  it('one is removed: its events are in the other one', async () => {
    await current.store.close()
    const [backUp = '', restore = '', ...drops] = statements('Remove a shard')
    await on('s2r1', backUp)
    await on('s1r1', restore)
    await reconfigure(replicas, 2)
    current = await service(replicas.urls.slice(0, 2))
    expect(await counts(current)).toEqual(both)
    await send(current)
    expect(await counts(current)).toEqual(both)
    for (const server of replicas.servers.slice(2)) await server.kill()
    expect(drops).toHaveLength(2)
    for (const statement of drops) await dropReplica(() => on('s1r1', statement))
    await until(async () => (await on('s1r2', COUNT)) === both[0], 'the other replica has them')
    await current.store.close()
  })

  it('are restored into empty servers, also from a backup that continues another one', async () => {
    const restored = await startReplicas({ shards: 2, replicas: 2, backups })
    on = statementsOn(restored)
    for (const [server, names] of Object.entries(nameOf)) {
      const latest = Object.keys(names).length > 0 ? 'tuesday-2' : 'tuesday-1'
      await on(server, statements('Restore', { 'monday-1': latest })[2]!)
    }
    await on('s1r1', statements('Restore')[3]!)
    current = await service(restored.urls)
    expect(await counts(current)).toEqual(both)
    expect(await current.store.starredQueries.list()).toEqual([{ id: 'q', body: '{}' }])
    await send(current)
    expect(await counts(current)).toEqual(both)
    await untilCopied()
    await current.store.close()
    await restored.stop()
  })
})
