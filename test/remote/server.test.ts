import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch, BatchOutcome } from '../../src/engine/batch.js'
import { openRemote } from '../../src/engine/clickhouse/open-address.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw, sql } from '../../src/sql/sql.js'
import { type ClickHouseServers, needsServers, startServers } from '../support/clickhouse-server.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const directory = temporaryDirectory()
const ARRIVED = 1_767_225_600_000_000_000n
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }

describe('a ClickHouse server', needsServers, () => {
  let servers: ClickHouseServers
  let engine: Engine
  let store: Store

  beforeAll(async () => {
    servers = await startServers(1)
    engine = await openRemote({ url: servers.servers[0]!.url })
    mkdirSync(join(directory, 'spool'))
    store = await openStore({ directory, engine, now: () => ARRIVED })
  })

  afterAll(async () => {
    await store.close()
    await servers.stop()
  })

  async function ingest(lines: Batch['lines'], more: Partial<Batch> = {}): Promise<BatchOutcome> {
    return await store.ingest({
      dataset: 'logs',
      lines,
      arrivedAt: ARRIVED,
      timestampField: '_time',
      ...more,
    })
  }

  function file(name: string, text: string): Batch['lines'] {
    const path = join(store.spool, name)
    writeFileSync(path, text)
    return { kind: 'file', path }
  }

  async function values(expression: string, dataset = 'logs'): Promise<readonly unknown[]> {
    const { columns } = await store.read(
      raw(`SELECT ${expression} AS v FROM (SELECT * FROM \`${dataset}\` ORDER BY _seq)`),
      LIMITS,
    )
    return JSON.parse(columns.get('v') ?? '[]')
  }

  it('stores the lines of local files in order', async () => {
    const lines = Array.from({ length: 200_000 }, (_, i) => `{"i":${i},"file":"a"}\n`).join('')
    await ingest(file('a', lines), { dataset: 'many' })
    expect(await values('count()', 'many')).toEqual([200_000])
    const { columns } = await store.read(
      sql`SELECT countIf(i + 1 != place) AS moved
        FROM (SELECT \`i:int\` AS i, row_number() OVER (ORDER BY _seq) AS place FROM many)`,
      LIMITS,
    )
    expect(columns.get('moved')).toBe('[0]')
  })

  it('asks clients to retry a batch while a table has too many parts', async () => {
    const dataset = 'parts'
    const one = (batchId: string) =>
      ingest({ kind: 'bytes', bytes: Buffer.from('{"n":1}\n') }, { dataset, batchId })
    await one('first')
    await engine.run(raw(`ALTER TABLE ${dataset} MODIFY SETTING parts_to_throw_insert = 1`))
    await expect(one('second')).rejects.toMatchObject({ reason: 'unavailable' })
    await engine.run(raw(`ALTER TABLE ${dataset} RESET SETTING parts_to_throw_insert`))
    await one('second')
    expect(await values('count()', dataset)).toEqual([2])
  })

  it('separates the lines of several files stored together', async () => {
    await ingest(file('first', '{"n":0,"of":"first"}\n'), { dataset: 'apart' })
    // With line feeds and without, with a byte-order mark, blank lines and carriage returns.
    const texts = [
      '{"n":1,"of":"b"}\n\n{"n":2,"of":"b"}',
      '\uFEFF{"n":1,"of":"c"}\r\n\r\n{"n":2,"of":"c"}\r\n',
      '{"n":1,"of":"d"}',
    ]
    const stored = await Promise.all(
      texts.map((text, i) =>
        ingest(file(`body-${i}`, text), {
          dataset: 'apart',
          batchId: `batch ${i}`,
          arrivedAt: ARRIVED + BigInt(i) * 1_000_000_000n,
        }),
      ),
    )
    expect(stored.map(({ ingested }) => ingested)).toEqual([2, 2, 1])
    const rows = await values(
      "concat(`of:string`, toString(`n:int`), ' ', toString(toSecond(_sysTime)))",
      'apart',
    )
    expect([...rows].sort()).toEqual(['b1 0', 'b2 0', 'c1 1', 'c2 1', 'd1 2', 'first0 0'])
    expect(await values('uniqExact(_batch)', 'apart')).toEqual([4])
  })

  it('rejects lines and overrides times like the embedded engine', async () => {
    await ingest(file('sound', '{"n":1}\n'))
    const text =
      '{"n":2}\n{"n":\n[3]\n{"n":4,"_time":"Thu, 01 Jan 2026 00:00:07 GMT"}\n{"n":5,"new":{"deep":"x"}}\n'
    const { ingested, rejected } = await ingest(file('odd', text))
    expect(ingested).toBe(3)
    expect(rejected.map(({ line }) => line)).toEqual([2, 3])
    expect(await values("concat(toString(`n:int`), ' ', toString(toSecond(_time)))")).toEqual([
      '1 0',
      '2 0',
      '4 7',
      '5 0',
    ])
    expect(store.schema.fields('logs')?.map(({ name }) => name)).toContain('new.deep')
  })

  it('stores a batch with a repeated id once', async () => {
    const first = await ingest(file('named', '{"n":1}\n{"n":2}\n'), {
      dataset: 'once',
      batchId: 'b',
    })
    expect(await ingest(file('named', '{"n":3}\n'), { dataset: 'once', batchId: 'b' })).toEqual(
      first,
    )
    expect(await values('count()', 'once')).toEqual([2])
  })

  it('reports error codes, also after part of the response is sent', async () => {
    const late = sql`SELECT throwIf(number = 999999) AS v FROM numbers(1000000)`
    await expect(store.read(late, LIMITS)).rejects.toMatchObject({ name: 'EngineError', code: 395 })
    const slow = sql`SELECT count() AS v FROM numbers(100) WHERE NOT ignore(sleepEachRow(0.02), number)`
    await expect(store.read(slow, { ...LIMITS, timeoutMs: 200 })).rejects.toMatchObject({
      code: 159,
    })
  })

  it('allows queries to read only', async () => {
    await expect(store.read(sql`DROP TABLE once`, LIMITS)).rejects.toMatchObject({ code: 164 })
    await expect(store.read(sql`SELECT * FROM file('x', LineAsString)`, LIMITS)).rejects.toThrow()
    await expect(
      store.read(sql`SELECT 1 AS v SETTINGS readonly = 0`, LIMITS),
    ).rejects.toMatchObject({ code: 164 })
  })

  it('kills an aborted query', async () => {
    const abort = new AbortController()
    const slow = sql`SELECT count() AS v FROM numbers(20000000) WHERE NOT ignore(sleepEachRow(0.00001), number)`
    const read = store.read(slow, { ...LIMITS, signal: abort.signal })
    const running = async (): Promise<string | undefined> =>
      (
        await engine.ask(
          sql`SELECT count() AS n FROM system.processes WHERE query LIKE '%FROM numbers(20000000)%' AND query NOT LIKE '%system.processes%'`,
        )
      ).columns.get('n')
    await until(async () => (await running()) === '[1]', 'the query runs')
    abort.abort(new Error('nobody waits'))
    await expect(read).rejects.toThrow('nobody waits')
    await until(async () => (await running()) === '[0]', 'the query has ended')
  })

  it('runs statements longer than a URL', async () => {
    const fields = Array.from({ length: 2_000 }, (_, i) => `"field number ${i}":"x"`).join(',')
    const { ingested, rejected } = await ingest(file('wide', `{${fields}}\nbad\n`), {
      dataset: 'wide',
    })
    expect([ingested, rejected.length]).toEqual([1, 1])
    expect(
      await ingest(file('wide', `{${fields}}\n{${fields},"more":1}\n`), { dataset: 'wide' }),
    ).toMatchObject({ ingested: 2 })
    expect(store.schema.fields('wide')?.length).toBe(2_003)
  })

  it("reports a server that can't be reached", async () => {
    const gone = openRemote({ url: 'http://127.0.0.1:1' })
    await expect(gone).rejects.toMatchObject({ name: 'EngineError', code: 210 })
  })
})
