import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import type { BatchOutcome } from '../../src/engine/batch.js'
import { openRemote } from '../../src/engine/clickhouse/open-address.js'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import type { Engine, EngineResult } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { compile } from '../../src/sql/compile.js'
import { raw, type Sql, sql } from '../../src/sql/sql.js'
import { CLUSTER } from '../support/clickhouse-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const NOW = 1_767_225_600_000_000_000n
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }

describe('a cluster of two shards', needsReplicas, () => {
  let servers: Replicas
  let nodes: readonly string[]
  let engine: Engine
  let store: Store
  let files = 0

  beforeAll(async () => {
    servers = await startReplicas({ shards: 2, replicas: 1 })
    nodes = servers.servers.map(({ url }) => url)
    engine = await openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes })
    store = await openStore({ directory: join(scratch, 'first'), engine, now: () => NOW })
  })

  afterAll(async () => {
    await store.close()
    await servers.stop()
  })

  async function ingest(into: Store, text: string, batchId?: string): Promise<BatchOutcome> {
    const path = join(into.spool, `body-${files++}`)
    writeFileSync(path, text)
    return await into.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path },
      arrivedAt: NOW,
      timestampField: '_time',
      ...(batchId !== undefined && { batchId }),
    })
  }

  async function ask(statement: string, of: Engine = engine): Promise<Record<string, unknown>> {
    return rowsOf(await of.read(raw(statement), LIMITS))
  }

  it('stores each batch in one shard and distributes batches over the shards', async () => {
    for (let batch = 0; batch < 6; batch++) {
      const lines = Array.from({ length: 500 }, (_, i) => `{"batch":${batch},"i":${i}}\n`)
      expect(await ingest(store, lines.join(''), `${batch}`)).toMatchObject({ ingested: 500 })
    }
    const found = await ask(
      'SELECT _shard_num AS shard, `batch:int` AS batch, count() AS events FROM logs GROUP BY ALL ORDER BY batch',
    )
    expect(found.batch).toEqual([0, 1, 2, 3, 4, 5])
    expect(found.events).toEqual([500, 500, 500, 500, 500, 500])
    expect(new Set(found.shard as number[])).toEqual(new Set([1, 2]))
  })

  it('stores a batch with a repeated id once, whichever shard has it', async () => {
    expect(await ingest(store, '{"batch":9}\n', '3')).toMatchObject({ ingested: 500 })
    expect(await ask('SELECT count() AS n FROM logs')).toEqual({ n: [3000] })
  })

  it('adds columns on all shards', async () => {
    const more = '{"batch":6,"new":"x"}\n{"batch":6.5}\n'
    expect(await ingest(store, more)).toMatchObject({ ingested: 2 })
    const types = await ask(
      "SELECT name FROM system.columns WHERE database IN ('datasets', 'datasets_shard') AND name = 'batch:real'",
    )
    expect(types.name).toHaveLength(2)
    const { sum } = await ask('SELECT sum(`batch:real`) AS sum FROM logs')
    expect(sum).toEqual([(0 + 1 + 2 + 3 + 4 + 5) * 500 + 6 + 6.5])
  })

  it('joins and looks up events of all shards', async () => {
    const found = await ask(`
      SELECT count() AS n FROM logs WHERE \`i:int\` IN (SELECT \`i:int\` FROM logs WHERE \`batch:real\` = 0)
        AND \`batch:real\` = 1`)
    expect(found).toEqual({ n: [500] })
    const joined = await ask(`
      SELECT count() AS n FROM logs AS one JOIN logs AS other ON one.\`i:int\` = other.\`i:int\`
      WHERE one.\`batch:real\` = 0 AND other.\`batch:real\` = 1`)
    expect(joined).toEqual({ n: [500] })
  })

  it('groups the messages of all shards by their pattern', async () => {
    const analyzed = analyze('logs | where batch < 6 | reduce by strcat("batch ", tostring(i))', {
      schema: store.schema,
      now: NOW,
    })
    if ('problems' in analyzed) throw new Error(JSON.stringify(analyzed.problems))
    const { statement } = compile(analyzed.query, {
      layout: (dataset) => store.layout(dataset)!,
      range: {},
      limit: 10n,
    })
    const [pattern, count, share, example] = Object.values(
      rowsOf(await engine.read(statement, LIMITS)),
    )
    expect({ pattern, count, share, example }).toEqual({
      pattern: ['batch *'],
      count: [3000],
      share: [1],
      example: ['batch 0'],
    })
  })

  it('is opened by another service with the same schema', async () => {
    const other = await openCluster({ url: nodes[1]!, cluster: CLUSTER, nodes })
    const second = await openStore({
      directory: join(scratch, 'second'),
      engine: other,
      now: () => NOW,
    })
    expect(second.schema.fields('logs')).toEqual(store.schema.fields('logs'))
    expect(await ingest(second, '{"batch":9}\n', '5')).toMatchObject({ ingested: 500 })
    await second.close()
  })

  it('rejects a cluster when some of its servers are not named', async () => {
    const few = openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes: nodes.slice(1) })
    await expect(few).rejects.toThrow('has 2 servers, and `nodes` names 1')
    const unknown = openCluster({ url: nodes[0]!, cluster: 'trio', nodes })
    await expect(unknown).rejects.toThrow('has no cluster `trio`')
  })

  describe('with an unreachable shard', () => {
    let lenient: Engine

    beforeAll(async () => {
      lenient = await openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes, allowPartial: true })
      await isWhole(sql`SELECT count() AS n FROM logs`)
      await servers.servers[1]!.kill()
    })

    afterAll(async () => {
      await lenient.close()
    })

    /** On a busy machine, a server may take too long to accept a connection. */
    async function isWhole(query: Sql): Promise<void> {
      const isPartial = async () => (await lenient.read(query, LIMITS)).isPartial === true
      await until(async () => !(await isPartial()), 'the result is whole')
    }

    it('rejects queries by default', async () => {
      await expect(ask('SELECT count() AS n FROM logs')).rejects.toMatchObject({ code: 369 })
    })

    it('returns marked partial results when they are allowed', async () => {
      const result = await lenient.read(sql`SELECT count() AS n FROM logs`, LIMITS)
      expect(result.isPartial).toBe(true)
      const [n] = rowsOf(result).n as number[]
      expect(n).toBeGreaterThan(0)
      expect(n).toBeLessThan(3002)
    })

    it('keeps all acknowledged events after the shard is back', async () => {
      await servers.servers[1]!.start()
      expect(await ask('SELECT count() AS n FROM logs')).toEqual({ n: [3002] })
      await isWhole(sql`SELECT 1 AS n`)
    })
  })
})

it('a server that was used alone is refused as a part of a cluster', needsReplicas, async () => {
  const servers = await startReplicas({ shards: 1, replicas: 1 })
  const { url } = servers.servers[0]!
  const alone = await openRemote({ url })
  const store = await openStore({
    directory: join(scratch, 'alone'),
    engine: alone,
    now: () => NOW,
  })
  await store.close()
  await expect(openCluster({ url, cluster: CLUSTER, nodes: [url] })).rejects.toThrow(
    `The server \`${url}\` has tables of evq that are not replicated: they were created while it was used alone.`,
  )
  await servers.stop()
})

function rowsOf({ columns }: EngineResult): Record<string, unknown> {
  return Object.fromEntries([...columns].map(([name, json]) => [name, JSON.parse(json)]))
}
