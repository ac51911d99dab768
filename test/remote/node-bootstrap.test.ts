import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'
import {
  CLUSTER,
  type ClickHouseServers,
  needsServers,
  startServers,
} from '../support/clickhouse-server.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const NOW = 1_767_225_600_000_000_000n
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const QUERY = { id: 'q', body: '{"name":"mine"}' }

describe('a server that joins a cluster later', needsServers, () => {
  let servers: ClickHouseServers
  let urls: readonly string[]
  let engine: Engine
  let store: Store
  let files = 0

  beforeAll(async () => {
    servers = await startServers(3, 2)
    urls = servers.servers.map(({ url }) => url)
    await open(urls[0]!, 2)
    await ingest('one', '{"n":1,"s":"x"}\n{"n":2}\n')
    await ingest('two', '{"n":3.5,"more":true}\n')
    await ingest('three', '{"n":4}\nno event\n')
    await store.starredQueries.put(QUERY)
    await store.tokens.put({ id: 'gone', body: '{}' })
    await store.tokens.remove('gone')
    await store.close()
  })

  afterAll(async () => {
    await servers.stop()
  })

  async function open(url: string, count: number): Promise<void> {
    engine = await openCluster({ url, cluster: CLUSTER, nodes: urls.slice(0, count) })
    store = await openStore({ directory: join(scratch, `${files++}`), engine, now: () => NOW })
  }

  async function ingest(batchId: string, text: string): Promise<unknown> {
    const path = join(store.spool, `body-${files++}`)
    writeFileSync(path, text)
    const { ingested, rejected } = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path },
      arrivedAt: NOW,
      timestampField: '_time',
      batchId,
    })
    return [ingested, rejected.length]
  }

  async function value(statement: string): Promise<unknown> {
    const { columns } = await engine.read(raw(statement), LIMITS)
    return JSON.parse(columns.get('v') ?? '[]')[0]
  }

  async function restart(number: number): Promise<void> {
    await servers.servers[number]!.kill()
    await servers.servers[number]!.start()
  }

  it('must be in the configuration of the others', async () => {
    servers.know(3)
    await restart(2)
    await expect(openCluster({ url: urls[2]!, cluster: CLUSTER, nodes: urls })).rejects.toThrow(
      /has 3 servers in the configuration of `\S+`, and 2 in the configuration of `\S+`\. Make `remote_servers` identical on all servers\.$/,
    )
  })

  it('gets the tables and rows of the others, also as the first server', async () => {
    await restart(0)
    await restart(1)
    await open(urls[2]!, 3)
    const fields = store.schema.fields('logs')?.map(({ name, type }) => `${name} ${type}`)
    expect(fields?.sort()).toEqual([
      '_sysTime datetime',
      '_time datetime',
      'more bool',
      'n real',
      's string',
    ])
    expect(await value('SELECT sum(`n:real`) AS v FROM logs')).toBe(1 + 2 + 3.5 + 4)
    expect(await store.starredQueries.list()).toEqual([QUERY])
    expect(await store.tokens.list()).toEqual([])
    expect(await ingest('two', '{"n":99}\n')).toEqual([1, 0])
    expect(await ingest('three', '{"n":99}\n')).toEqual([1, 1])
  })

  it('stores its share of new events', async () => {
    for (let batch = 0; batch < 6; batch++) {
      await ingest(`later ${batch}`, `{"n":0,"batch":${batch}}\n`)
    }
    expect(await value('SELECT uniqExact(_shard_num) AS v FROM logs WHERE `batch:int` >= 0')).toBe(
      3,
    )
    const { schema } = store
    await store.close()
    await open(urls[0]!, 3)
    expect(store.schema.fields('logs')).toEqual(schema.fields('logs'))
    expect(await value('SELECT count() AS v FROM logs')).toBe(10)
    await store.close()
  })
})
