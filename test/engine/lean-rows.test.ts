import { describe, expect, it } from 'vitest'
import { ask } from '../support/ask.js'
import { TEST_ENGINE } from '../support/engine.js'
import { randomFrom } from '../support/events.js'
import { RUNS } from '../support/runs.js'
import { until } from '../support/until.js'
import { randomEvent } from './random-events.js'
import { ndjson, TemporaryStore } from './temporary-store.js'

/** Returns the fields with a value of each event of `logs`, by name, as canonical JSON; by the value of `id`. */
async function stored(evq: TemporaryStore): Promise<Map<string, Record<string, string>>> {
  const { names, rows } = await ask(evq.world, "['logs']", { limit: 100_000n })
  const own = names.map((name) => !name.startsWith('_'))
  return new Map(
    rows.map((row) => {
      const values = row.flatMap((cell, i) =>
        own[i] && cell !== 'null' ? [[names[i]!, canonical(cell)] as const] : [],
      )
      const event = Object.fromEntries(values)
      return [event.id ?? '', event]
    }),
  )
}

/** Escapes of strings may differ. */
function canonical(cell: string): string {
  return cell.startsWith('"') ? JSON.stringify(JSON.parse(cell)) : cell
}

async function leanRows(evq: TemporaryStore): Promise<number> {
  return Number((await evq.query("SELECT countIf(line = '') AS n FROM logs")).n?.[0])
}

/** Returns the typed columns of `logs`, former ones included. */
async function columns(evq: TemporaryStore): Promise<readonly string[]> {
  const { name = [] } = await evq.query(
    "SELECT name FROM system.columns WHERE database = 'datasets' AND table = 'logs' AND position(name, ':') > 0 ORDER BY name",
  )
  return name.map((one): string => JSON.parse(one))
}

/** Merges the parts of `logs`, which gives columns the values of their defaults. */
async function merge(evq: TemporaryStore): Promise<void> {
  const hasShards = TEST_ENGINE === 'replicas'
  const database = hasShards ? 'datasets_shard' : 'datasets'
  await evq.change(`OPTIMIZE TABLE ${database}.logs FINAL`)
}

const BATCHES = 10

/** Numbers of the generated sequences of batches. */
const SEEDS = Array.from({ length: Math.ceil(RUNS / 100) }, (_, i) => i + 1)

describe('events in lean rows', () => {
  it.each(SEEDS)(
    'have the same values as they were sent with, while fields and types change (%i)',
    async (seed) => {
      const random = randomFrom(seed)
      const evq = await TemporaryStore.open()
      const expected = new Map<string, Record<string, string>>()
      for (let batch = 0; batch < BATCHES; batch++) {
        let text = ''
        for (let i = 0; i < 40; i++) {
          const id = String(expected.size)
          const event = randomEvent(random, batch, BATCHES)
          text += `{"id":${id},${event.text === '{}' ? '"x":null}' : event.text.slice(1)}\n`
          expected.set(id, { id, ...Object.fromEntries(event.fields) })
        }
        // A batch that only repeats known types takes another statement than one that brings news.
        expect(await evq.ingest(text)).toMatchObject({ rejected: [] })
        if (random(4) === 0) await evq.reopen()
        if (random(4) === 0) await merge(evq)
        if (batch % 3 === 0) expect(await stored(evq)).toEqual(expected)
      }
      expect(await stored(evq)).toEqual(expected)
      expect(await leanRows(evq)).toBeGreaterThan(20)
    },
  )

  it('have all values in a field that was typed as integers, then as reals, then not at all', async () => {
    const evq = await TemporaryStore.open()
    const values = ['1', '9007199254740992', '0.5', '1e300', '"text"', '[1]', '7']
    for (const [id, value] of values.entries()) {
      await evq.ingest(`{"id":${id},"f":${value}}\n`)
      if (id === 3) {
        expect(evq.field('f')).toBe('real · float|integer · f:real')
        expect(await leanRows(evq)).toBe(4)
      }
    }
    const shown = ['1', '9007199254740992', '0.5', '1e300', '"text"', '[1]', '7']
    const all = new Map(shown.map((f, id) => [`${id}`, { id: `${id}`, f }]))
    expect(await stored(evq)).toEqual(all)
    await evq.reopen()
    expect(await columns(evq)).toEqual(['f:int', 'f:real', 'id:int'])
    expect(await stored(evq)).toEqual(all)
    await merge(evq)
    expect(await stored(evq)).toEqual(all)
  })

  it('keep the text of an event while one of its columns is pending, and not after that', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([{ id: 0, f: null }]))
    const before = Array.from({ length: 1_500 }, (_, n) => ({ id: n + 1, f: n }))
    await evq.ingest(ndjson(before))
    expect(await leanRows(evq)).toBe(1)
    // With other services, a column is used two minutes later, when all of them fill it.
    const hasColumn = (): boolean => evq.field('f') === 'int · integer · f:int'
    await until(hasColumn, 'a column for `f`', 240_000)
    await evq.ingest(ndjson([{ id: 2_000, f: 5 }]))
    expect(await leanRows(evq)).toBe(2)
    await evq.ingest(ndjson([{ id: 2_001, f: 'text' }]))
    const events = await stored(evq)
    expect(['0', '1', '1500', '2000', '2001'].map((id) => events.get(id)?.f)).toEqual([
      undefined,
      '0',
      '1499',
      '5',
      '"text"',
    ])
  })

  it('have fields of which most blocks of a batch have no value', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"id":0,"n":0,"text":"first"}\n')
    const events = Array.from({ length: 40_000 }, (_, i) => ({
      id: i + 1,
      ...(i % 20_000 === 19_999 && { n: i, text: `of ${i}` }),
    }))
    await evq.ingest(ndjson(events))
    await evq.ingest(ndjson([{ id: 40_001 }]))
    const { rows } = await ask(
      evq.world,
      "['logs'] | where isnotnull(n) | project id, n, text | sort by id asc",
    )
    expect(rows).toEqual([
      ['0', '0', '"first"'],
      ['20000', '19999', '"of 19999"'],
      ['40000', '39999', '"of 39999"'],
    ])
    expect(await evq.count()).toBe(40_002)
    expect(await leanRows(evq)).toBe(40_002)
  })

  it('are lean with nulls, also in a field that never had a value', async () => {
    const evq = await TemporaryStore.open()
    for (let id = 0; id < 3; id++) await evq.ingest(`{"id":${id},"never":null,"g":{"x":null}}\n`)
    expect(await leanRows(evq)).toBe(3)
    expect(await stored(evq)).toEqual(new Map(['0', '1', '2'].map((id) => [id, { id }])))
  })

  it('are lean with braces in strings, which the fast check of the schema can not pass', async () => {
    const evq = await TemporaryStore.open()
    for (let id = 0; id < 3; id++) await evq.ingest(`{"id":${id},"s":"{","g":{"x":${id}}}\n`)
    expect(await leanRows(evq)).toBe(3)
  })

  it('keep an object without keys in a field that has no column', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"id":0,"f":1}\n{"id":1,"f":"x"}\n')
    await evq.ingest('{"id":2,"f":{}}\n')
    expect((await stored(evq)).get('2')).toEqual({ id: '2', f: '{}' })
  })
})

describe('lean rows of a dataset that reaches the limits of fields', () => {
  it('are whole events in `_source`', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"id":0,"s":"a/b","geo":{"x":1.5,"in":{"y":true}},"f":1}\n')
    await evq.ingest('{"id":1,"f":0.5}\n')
    expect(await leanRows(evq)).toBe(2)
    const wide = Object.fromEntries(Array.from({ length: 2_100 }, (_, n) => [`k${n}`, n]))
    await evq.ingest(ndjson([{ id: 2, ...wide }]))
    const sources = async (): Promise<readonly unknown[]> =>
      (await evq.values('line')).slice(0, 2).map((one) => JSON.parse(JSON.parse(one)))
    const whole = [
      { id: 0, s: 'a/b', geo: { x: 1.5, in: { y: true } }, f: 1 },
      { id: 1, f: 0.5 },
    ]
    expect(await sources()).toEqual(whole)
    const field = evq.store.layout('logs')?.fields.find(({ name }) => name === '_source')
    expect(field?.inColumns?.map(({ column }) => column).sort()).toEqual(
      await columns(evq)
        .then((all) => all.filter((name) => !name.startsWith('k')))
        .then((own) => expect.arrayContaining(own)),
    )
    await evq.reopen()
    expect(await sources()).toEqual(whole)
  })

  it('have the members of an object that became a map', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"id":0,"users":{"a":1,"b":{"c":"x"}}}\n')
    expect(await leanRows(evq)).toBe(1)
    const many = Object.fromEntries(Array.from({ length: 1_100 }, (_, n) => [`u${n}`, n]))
    await evq.ingest(ndjson([{ id: 1, users: many }]))
    expect(evq.field('users')).toBe('dynamic · ? · no column')
    expect((await stored(evq)).get('0')).toEqual({ id: '0', users: '{"a":1,"b":{"c":"x"}}' })
    await evq.reopen()
    expect((await stored(evq)).get('0')).toEqual({ id: '0', users: '{"a":1,"b":{"c":"x"}}' })
    // Another path with the name of a former column.
    await evq.ingest('{"id":2,"users.a":5}\n')
    const events = await stored(evq)
    expect(events.get('0')).toEqual({ id: '0', users: '{"a":1,"b":{"c":"x"}}' })
    expect(events.get('2')).toEqual({ id: '2', 'users.a': '5' })
  })
})
