import { describe, expect, it } from 'vitest'
import { ndjson, TemporaryStore } from '../temporary-store.js'

/** `{"k0": 0, "k1": 1, …}`. */
function wide(count: number, prefix = 'k'): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]))
}

/** Events with a distinct user each. */
function users(first: number, count: number): string {
  return ndjson(
    Array.from({ length: count }, (_, i) => ({
      level: 'info',
      users: { [`u-${first + i}`]: { x: first + i } },
    })),
  )
}

function names(evq: TemporaryStore): readonly string[] {
  return evq.store.layout('logs')?.fields.map(({ name }) => name) ?? []
}

describe('events', () => {
  it('rejects an event with more than 10,000 keys and stores the others', async () => {
    const evq = await TemporaryStore.open()
    const outcome = await evq.ingest(ndjson([{ a: 1 }, wide(10_001), { a: 2 }]))
    expect(outcome).toMatchObject({
      ingested: 2,
      rejected: [
        { index: 1, line: 2, reason: 'more than 10,000 keys, those of nested objects included' },
      ],
    })
    expect(names(evq)).toEqual(['_sysTime', '_time', 'a'])
  })

  it('stores an event with more than 10,000 colons in strings, also in maps', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(users(0, 2_000))
    const text = ':'.repeat(20_000)
    const events = [{ users: wide(10_000) }, { level: text, users: { u: 1 } }]
    expect(await evq.ingest(ndjson(events))).toMatchObject({
      ingested: 1,
      rejected: [{ index: 0, reason: 'more than 10,000 keys, those of nested objects included' }],
    })
    expect(await evq.values('length(line) > 20000')).toContain('1')
  })
})

describe('an object with more than 1,024 fields', () => {
  it('makes an object with more than 1,024 fields one dynamic field', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(users(0, 1_024))
    expect(names(evq)).toHaveLength(3 + 1_024)
    await evq.ingest(users(1_024, 1))
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    expect(evq.field('users')).toBe('dynamic · ? · no column')
    expect(evq.field('level')).toBe('string · string · level:string')
    await evq.ingest(users(1_025, 2_000))
    await evq.ingest('{"users":5}\n{"users":[1]}\n')
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    await evq.reopen()
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    expect(await evq.count()).toBe(3_027)
    expect(await evq.contradictions()).toEqual([])
  })

  it('drops the typed columns inside an object that becomes a map', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"users":{"admin":{"x":1}}}\n')
    expect(evq.field('users.admin.x')).toBe('int · integer · users.admin.x:int')
    await evq.ingest(users(0, 2_000))
    await evq.ingest('{"users":{"admin":{"x":"one"}}}\n')
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    await evq.reopen()
    await evq.ingest('{"users":{"admin":{"x":true}}}\n')
    const admins = await evq.values(`JSONExtractRaw(line, 'users', 'admin', 'x')`)
    expect(admins.filter((text) => text !== '""')).toEqual(['"1"', '"\\"one\\""', '"true"'])
  })

  it('keeps the fields of the object around a map', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ in: { users: wide(2_000), level: 'info' } }]))
    expect(names(evq)).toEqual(['_sysTime', '_time', 'in.level', 'in.users'])
  })

  it('makes the outer object a map when its inner objects have few fields each', async () => {
    const evq = await TemporaryStore.open()
    const teams = Object.fromEntries(
      Array.from({ length: 60 }, (_, team) => [`t${team}`, wide(20, 'u')]),
    )
    await evq.ingest(ndjson([{ teams, level: 'info' }]))
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'teams'])
  })
})

describe('a dataset with 2,048 fields', () => {
  it('adds no fields beyond 2,048, whose values are read from `_source`', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"level":"info","n":1}\n')
    await evq.ingest(ndjson([wide(2_100)]))
    expect(names(evq)).toHaveLength(2 + 2_048 + 1)
    expect(evq.field('_source')).toBe('dynamic · ? · line')
    const before = names(evq)
    expect(await evq.ingest(ndjson([wide(2_100, 'z'), { n: 2, new: { deep: 1 } }]))).toMatchObject({
      ingested: 2,
      rejected: [],
    })
    expect(names(evq)).toEqual(before)
    await evq.reopen()
    expect(names(evq)).toEqual(before)
    expect(await evq.count()).toBe(4)
    expect(await evq.contradictions()).toEqual([])
  })

  it('widens the type of a field in a dataset with 2,048 fields', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"s":"a","n":1,"o":"x","deep":{"n":1}}\n')
    await evq.ingest(ndjson([wide(2_100)]))
    await evq.ingest('{"n":"one"}\n{"s":{"k":1}}\n{"o":{}}\n{"deep":[5,6]}\n{"deep":7}\n')
    expect(await evq.count()).toBe(7)
    for (const name of ['n', 's', 'o']) expect(evq.field(name)).toBe('dynamic · ? · no column')
    expect(evq.field('deep.n')).toBe('int · integer · deep.n:int')
    expect(await evq.contradictions()).toEqual([])
  })

  it('rejects lines that are not events in a dataset with 2,048 fields', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([wide(2_100)]))
    const { ingested, rejected } = await evq.ingest('{"":1}\n{"a":1}\n[1]\n{"b":}\n')
    expect(ingested).toBe(1)
    expect(rejected.map(({ index }) => index)).toEqual([0, 2, 3])
  })
})

describe('a dataset with 256 columns', () => {
  it('adds none for a new field when a batch retires one, which is kept', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson(Array.from({ length: 100 }, () => wide(256))))
    expect(evq.field('k255')).toBe('int · integer · k255:int')
    await evq.ingest(ndjson(Array.from({ length: 100 }, () => ({ k0: 'x', new: 1 }))))
    expect(evq.field('k0')).toContain('no column')
    expect(evq.field('new')).toBe('int · integer · no column')
  })
})
