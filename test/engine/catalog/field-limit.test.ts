import { describe, expect, it } from 'vitest'
import { ndjson, TemporaryStore } from '../temporary-store.js'

/** `{"k0": 0, "k1": 1, …}`. */
function wide(count: number, prefix = 'k'): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, i]))
}

/** Events that each have one user of their own. */
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

/** Leaves what a version without a limit of fields saved. */
async function savePaths(evq: TemporaryStore, path: string): Promise<void> {
  await evq.change(
    `INSERT INTO evq.path (dataset, path, kinds) SELECT 'logs', ${path}, 0 FROM numbers(130000)`,
  )
  await evq.reopen()
}

describe('an event', () => {
  it('with more than 10,000 keys is rejected, and the others of its request are stored', async () => {
    const evq = await TemporaryStore.open()
    const answer = await evq.ingest(ndjson([{ a: 1 }, wide(100_000), { a: 2 }]))
    expect(answer).toMatchObject({
      ingested: 2,
      rejected: [
        { index: 1, line: 2, reason: 'more than 10,000 keys, those of nested objects included' },
      ],
    })
    expect(names(evq)).toEqual(['_sysTime', '_time', 'a'])
  })

  it('with as many colons in its texts is stored, also where anything may stand', async () => {
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
  it('becomes one dynamic field', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(users(0, 1_024))
    expect(names(evq)).toHaveLength(3 + 1_024)
    await evq.ingest(users(1_024, 1))
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    expect(evq.field('users')).toBe('dynamic · ? · no column')
    expect(evq.field('level')).toBe('string · string · level:string')
    await evq.ingest(users(1_025, 100_000))
    await evq.ingest('{"users":5}\n{"users":[1]}\n')
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    await evq.reopen()
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    expect(await evq.count()).toBe(101_027)
    expect(await evq.contradictions()).toEqual([])
  })

  it('no longer has typed columns inside', async () => {
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

  it('leaves the object around it as it is', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ in: { users: wide(2_000), level: 'info' } }]))
    expect(names(evq)).toEqual(['_sysTime', '_time', 'in.level', 'in.users'])
  })

  it('is the one around objects with few fields each', async () => {
    const evq = await TemporaryStore.open()
    const teams = Object.fromEntries(
      Array.from({ length: 60 }, (_, team) => [`t${team}`, wide(20, 'u')]),
    )
    await evq.ingest(ndjson([{ teams, level: 'info' }]))
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'teams'])
  })
})

describe('a dataset with 2,048 fields', () => {
  it('takes further ones as parts of `_source`', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"level":"info","n":1}\n')
    await evq.ingest(ndjson([wide(9_000)]))
    expect(names(evq)).toHaveLength(2 + 2_048 + 1)
    expect(evq.field('_source')).toBe('dynamic · ? · line')
    const before = names(evq)
    expect(await evq.ingest(ndjson([wide(9_000, 'z'), { n: 2, new: { deep: 1 } }]))).toMatchObject({
      ingested: 2,
      rejected: [],
    })
    expect(names(evq)).toEqual(before)
    await evq.reopen()
    expect(names(evq)).toEqual(before)
    expect(await evq.count()).toBe(4)
    expect(await evq.contradictions()).toEqual([])
  })

  it('still finds out that a field holds other values', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"s":"a","n":1,"o":"x","deep":{"n":1}}\n')
    await evq.ingest(ndjson([wide(9_000)]))
    await evq.ingest('{"n":"one"}\n{"s":{"k":1}}\n{"o":{}}\n{"deep":[5,6]}\n{"deep":7}\n')
    expect(await evq.count()).toBe(7)
    for (const name of ['n', 's', 'o']) expect(evq.field(name)).toBe('dynamic · ? · no column')
    expect(evq.field('deep.n')).toBe('int · integer · deep.n:int')
    expect(await evq.contradictions()).toEqual([])
  })

  it('still rejects what is no event', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([wide(9_000)]))
    const { ingested, rejected } = await evq.ingest('{"":1}\n{"a":1}\n[1]\n{"b":}\n')
    expect(ingested).toBe(1)
    expect(rejected.map(({ index }) => index)).toEqual([0, 2, 3])
  })
})

describe('a dataset with 130,000 saved paths', () => {
  it('is stored to and read again, with its typed columns and some of the others', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"zone":"a"}\n')
    await savePaths(evq, `concat('["f', toString(number), '"]')`)
    expect(names(evq)).toHaveLength(2 + 2_048 + 1)
    expect(names(evq)).toContain('zone')
    expect(names(evq)).toContain('_source')
    expect(await evq.ingest('{"f129999":1,"zone":"b"}\n{"more":1}\n')).toMatchObject({
      ingested: 2,
    })
    expect(await evq.values('`zone:string`')).toEqual(['"a"', '"b"', 'null'])
    const before = names(evq)
    await evq.reopen()
    expect(names(evq)).toEqual(before)
    const { n } = await evq.query('SELECT uniqExact(path) AS n FROM evq.path')
    expect(n).toEqual(['2049'])
  })

  it('gets one field for an object of ids', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"level":"info"}\n')
    await savePaths(evq, `concat('["users","u-', toString(number), '"]')`)
    expect(names(evq)).toEqual(['_sysTime', '_time', 'level', 'users'])
    expect(await evq.ingest('{"users":{"u-new":1}}\n')).toMatchObject({ ingested: 1 })
    const { n } = await evq.query('SELECT uniqExact(path) AS n FROM evq.path')
    expect(n).toEqual(['2'])
  })
})
