import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Batch, BatchOutcome } from '../../src/engine/batch.js'
import { GroupCommit } from '../../src/engine/ingest/group-commit.js'
import { needsEmbedded, wrapped } from '../support/engine.js'
import { ARRIVED, TemporaryStore } from './temporary-store.js'

/** Stores batches in memory concurrently. */
async function storeAll(
  evq: TemporaryStore,
  texts: readonly string[],
  options: (index: number) => Partial<Batch> = () => ({}),
): Promise<readonly Pick<BatchOutcome, 'ingested' | 'rejected' | 'blocksCreated'>[]> {
  const outcomes = texts.map((text, i) =>
    evq.store.ingest({
      dataset: 'logs',
      lines: { kind: 'bytes', bytes: Buffer.from(text) },
      arrivedAt: ARRIVED,
      timestampField: '_time',
      ...options(i),
    }),
  )
  return (await Promise.all(outcomes)).map(({ ingested, rejected, blocksCreated }) => ({
    ingested,
    rejected,
    blocksCreated,
  }))
}

const stored = (ingested: number) => ({ ingested, rejected: [], blocksCreated: 1 })

describe('batches in memory', () => {
  it('create their dataset once, and ask once for the rest of an earlier one', async () => {
    const asked: string[] = []
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        ask: (query) => {
          asked.push(query.text)
          return engine.ask(query)
        },
      }),
    )
    let created = 0
    const texts = Array.from({ length: 30 }, (_, i) => `{"n":${i}}`)
    await storeAll(evq, texts, () => ({ onCreated: () => created++ }))
    await storeAll(evq, texts, () => ({ onCreated: () => created++ }))
    expect(created).toBe(1)
    expect(asked.filter((text) => text.includes('SELECT 1 AS found FROM evq.path'))).toHaveLength(1)
  })

  it('stores batches together, each event once and with the options of its batch', async () => {
    const evq = await TemporaryStore.open()
    const texts = Array.from({ length: 30 }, (_, i) => `{"n":${i}}\n{"n":${i}}`)
    const arrivedAt = (i: number) => ARRIVED + BigInt(i) * 1_000_000_000n
    await storeAll(evq, ['{"n":-1}'])
    const outcomes = await storeAll(evq, texts, (i) => ({
      arrivedAt: arrivedAt(i),
      batchId: `${i}`,
    }))
    expect(outcomes).toEqual(texts.map(() => stored(2)))
    const { n, at, ids } = await evq.query(
      'SELECT `n:int` AS n, toUnixTimestamp(_sysTime) AS at, uniqExact(_batch) OVER (PARTITION BY _sysTime) AS ids FROM logs WHERE `n:int` >= 0 ORDER BY n, _seq',
    )
    const twice = texts.flatMap((_, i) => [i, i])
    expect(n).toEqual(twice.map(String))
    expect(at).toEqual(twice.map((i) => String(arrivedAt(i) / 1_000_000_000n)))
    expect(ids).toEqual(twice.map(() => '1'))
    expect(
      await evq.query('SELECT uniqExact(_batch) AS b, uniqExact(_seq) AS s FROM logs'),
    ).toEqual({
      b: ['31'],
      s: ['61'],
    })
    const parts = await evq.query(
      'SELECT uniqExact(_part) < 10 AS few FROM logs WHERE `n:int` >= 0',
    )
    expect(parts.few).toEqual(['1'])
    expect(await readdir(evq.store.spool)).toEqual([])
  })

  it('returns the outcome of each batch when some have invalid lines', async () => {
    const evq = await TemporaryStore.open()
    await storeAll(evq, ['{"n":0}'])
    const outcomes = await storeAll(evq, [
      '{"n":1}\n',
      '\r\n \n{"n":2}\r\nbad\r\n',
      '\ufeff{"n":3}\n{"n":4,"_time":"Fri, 02 Jan 2026 00:00:00 GMT"}',
      'bad',
      '\ufeff\n\n',
      '[1]\n{"new":{"field":true}}\n\n{"_time":"never"}\n',
    ])
    expect(outcomes).toMatchObject([
      stored(1),
      { ingested: 1, rejected: [{ index: 1, line: 4 }] },
      stored(2),
      { ingested: 0, rejected: [{ index: 0, line: 1 }], blocksCreated: 0 },
      { ingested: 0, rejected: [], blocksCreated: 0 },
      {
        ingested: 1,
        rejected: [
          { index: 0, line: 1 },
          { index: 2, line: 4 },
        ],
      },
    ])
    expect(await evq.values('line')).toEqual(
      [
        '{"n":0}',
        '{"n":1}',
        '{"n":2}',
        '{"n":3}',
        // The time of an event is in a column of its own.
        '{"n":4}',
        '{"new":{"field":true}}',
      ].map((line) => JSON.stringify(line)),
    )
    expect(await evq.contradictions()).toEqual([])
    expect(await readdir(evq.store.spool)).toEqual([])
  })

  it('rejects only the extremely nested events of batches stored together', async () => {
    const evq = await TemporaryStore.open()
    const deep = 100_000
    const [outcome] = await storeAll(evq, [
      `{"ok":1}\n{"a":${'['.repeat(deep)}\n${'{"a":'.repeat(deep)}1${'}'.repeat(deep)}\n{"ok":2}\n`,
    ])
    expect(outcome).toMatchObject({
      ingested: 2,
      rejected: [
        { line: 2, reason: 'nested deeper than 1,000 levels' },
        { line: 3, reason: 'nested deeper than 1,000 levels' },
      ],
    })
  })

  it('creates the dataset of concurrent batches once', async () => {
    const evq = await TemporaryStore.open()
    const texts = ['{"a":1}', 'bad', '{"b":"x"}\n', '{"a":2}']
    expect(await storeAll(evq, texts)).toMatchObject([
      stored(1),
      { ingested: 0, rejected: [{ index: 0, line: 1 }] },
      stored(1),
      stored(1),
    ])
    expect(evq.field('a')).toBe('int · integer · a:int')
    expect(evq.field('b')).toContain('string')
  })

  it('builds no index of the events before they are merged', needsEmbedded, async () => {
    const evq = await TemporaryStore.open()
    await storeAll(evq, ['{"n":0}'])
    await storeAll(evq, ['{"n":1}', '{"n":2}'])
    const indexed = async () =>
      await evq.query(
        "SELECT sum(secondary_indices_marks_bytes) > 0 AS indexed, sum(rows) AS n FROM system.parts WHERE active AND database = 'datasets'",
      )
    expect(await indexed()).toEqual({ indexed: ['0'], n: ['3'] })
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    expect(await indexed()).toEqual({ indexed: ['1'], n: ['3'] })
  })

  it('stores batches with different timestamp fields separately', async () => {
    const evq = await TemporaryStore.open()
    const outcomes = await storeAll(
      evq,
      Array.from({ length: 12 }, () => '{"_time":1767225601,"when":1767225602}'),
      (i) => ({ timestampField: i % 2 === 0 ? '_time' : 'when' }),
    )
    expect(outcomes).toEqual(outcomes.map(() => stored(1)))
    expect(
      await evq.query(
        'SELECT toUnixTimestamp(_time) AS t, count() AS n FROM logs GROUP BY t ORDER BY t',
      ),
    ).toEqual({ t: ['1767225601', '1767225602'], n: ['6', '6'] })
  })
})

describe('group commit', () => {
  /** A group commit policy with a manual clock. */
  function gathering(): { gathering: GroupCommit; at(ms: number): void } {
    let now = 0
    return {
      gathering: new GroupCommit(() => now),
      at(ms) {
        now = ms
      },
    }
  }
  const small = (count: number) => ({ count, bytes: count * 300 })

  it('does not delay a batch after an idle time or batches sent one by one', () => {
    const { gathering: one, at } = gathering()
    one.added()
    expect(one.delay(small(1))).toBe(0)
    one.started({ count: 1, left: 0 })
    at(7)
    one.finished()
    one.added()
    expect(one.delay(small(1))).toBe(0)
  })

  it('delays batches briefly when others were stored together before', () => {
    const { gathering: some, at } = gathering()
    some.added()
    some.started({ count: 1, left: 0 })
    for (const ms of [1, 3, 5]) {
      at(ms)
      some.added()
    }
    at(30)
    some.added()
    at(32)
    some.finished()
    expect(some.delay(small(4))).toBe(6)
    for (let ms = 33; ms < 50; ms += 2) {
      at(ms)
      some.added()
      expect(some.delay(small(5))).toBeGreaterThan(0)
    }
    at(51)
    expect(some.delay(small(20))).toBe(0)
  })

  it('delays small batches no longer than storing the last ones took', () => {
    const { gathering: some, at } = gathering()
    some.added()
    some.started({ count: 8, left: 0 })
    for (const ms of [3, 6, 9]) {
      at(ms)
      some.added()
    }
    at(10)
    some.finished()
    expect(some.delay(small(3))).toBe(7)
    at(16)
    some.added()
    expect(some.delay(small(4))).toBe(4)
    at(20)
    some.added()
    expect(some.delay(small(5))).toBe(0)
  })

  it.each([
    { took: 7, delay: 7 },
    { took: 30, delay: 8 },
  ])(
    'delays a small batch for $delay ms when storing the last ones took $took ms',
    ({ took, delay }) => {
      const { gathering: full, at } = gathering()
      full.added()
      full.started({ count: 8, left: 0 })
      at(took)
      full.finished()
      full.added()
      expect(full.delay(small(1))).toBe(delay)
      at(took + delay)
      expect(full.delay(small(1))).toBe(0)
    },
  )

  it('delays large batches until there are as many as before, or enough bytes', () => {
    const { gathering: some, at } = gathering()
    const large = (count: number) => ({ count, bytes: count * 1_000_000 })
    some.added()
    expect(some.delay(large(1))).toBe(0)
    some.started({ count: 4, left: 0 })
    at(100)
    some.finished()
    some.added()
    expect(some.delay(large(1))).toBe(40)
    expect(some.delay(large(3))).toBe(40)
    expect(some.delay(large(4))).toBe(0)
    expect(some.delay({ count: 2, bytes: 12 * 1024 * 1024 })).toBe(0)
    for (let ms = 120; ms < 300; ms += 20) {
      at(ms)
      some.added()
      expect(some.delay(large(3))).toBeGreaterThan(0)
    }
    at(300)
    expect(some.delay(large(3))).toBe(0)
    // A smaller group may be an exception.
    some.started({ count: 1, left: 0 })
    some.finished()
    some.added()
    expect(some.delay(large(2))).toBe(40)
    expect(some.delay(large(3))).toBe(0)
  })
})
