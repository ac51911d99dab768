import { describe, expect, it } from 'vitest'
import { changeStatement, EngineError } from '../../../src/engine/engine.js'
import { type Sql, sql } from '../../../src/sql/sql.js'
import { rowsOf } from '../../support/ask.js'
import { needsEmbedded, wrapped } from '../../support/engine.js'
import { until } from '../../support/until.js'
import { ARRIVED, ndjson, TemporaryStore, type Wrap } from '../temporary-store.js'

/** Enough events for the next sample. */
const MANY = 1200

/** Enough events that the sample, of the newest 20,000, misses the first ones. */
const NEWEST = 20_100

const events = (count: number, event: (n: number) => object): string =>
  ndjson(Array.from({ length: count }, (_, n) => event(n)))

/** Waits until a field has this type and column. */
async function becomes(evq: TemporaryStore, name: string, field: string): Promise<void> {
  await until(
    () => evq.field(name) === field,
    () => `${name} is ${field}, not ${evq.field(name)}`,
  )
}

const isAdded = ({ text }: Sql): boolean => text.includes('ADD COLUMN')
const isCount = ({ text }: Sql): boolean => text.includes('(SELECT count() FROM')

/** An engine that pauses before it adds columns. */
function held(): { wrap: Wrap; reached: Promise<void>; release(): void } {
  const [reached, reach] = signal()
  const [released, release] = signal()
  const wrap: Wrap = (engine) =>
    wrapped(engine, {
      async change(change) {
        if (isAdded(changeStatement(change, () => sql`logs`))) {
          reach()
          await released
        }
        await engine.change(change)
      },
    })
  return { wrap, reached, release }
}

function signal(): [Promise<void>, () => void] {
  let give: (() => void) | undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return [given, () => give?.()]
}

describe('a field that becomes frequent later', () => {
  it('adds a column for a field that was null at first', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(events(3, () => ({ s: null, i: null, r: null, b: null, o: { s: null } })))
    const event = (n: number): object => ({
      s: `t${n}`,
      i: n,
      r: n + 0.5,
      b: n % 2 === 0,
      o: { s: 'x' },
    })
    await evq.ingest(events(MANY, event))
    await becomes(evq, 's', 'string · string · s:string')
    await becomes(evq, 'i', 'int · integer · i:int')
    await becomes(evq, 'r', 'real · float · r:real')
    await becomes(evq, 'b', 'bool · boolean · b:bool')
    await becomes(evq, 'o.s', 'string · string · o.s:string')
    expect(await evq.contradictions()).toEqual([])
  })

  it(
    'adds its column, an index and the number of sampled events in one statement, for which inserts wait',
    needsEmbedded,
    async () => {
      const changes: string[] = []
      const evq = await TemporaryStore.open((engine) =>
        wrapped(engine, {
          change(change) {
            changes.push(changeStatement(change, () => sql`logs`).text)
            return engine.change(change)
          },
        }),
      )
      await evq.ingest(events(3, () => ({ s: null })))
      const created = changes.length
      await evq.ingest(events(MANY, (n) => ({ s: `t${n}` })))
      await becomes(evq, 's', 'string · string · s:string')
      await evq.reopen()
      expect(changes.slice(created)).toEqual([
        expect.stringMatching(
          /^ALTER TABLE logs ADD COLUMN IF NOT EXISTS `s:string` .*, ADD INDEX \w+ .*`s:string`.*, MODIFY COMMENT 'sampled 1203'$/s,
        ),
      ])
    },
  )

  it('adds a column for a field that was rare at first', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(events(3000, (n) => (n === 70 ? { n, rare: 'x' } : { n })))
    expect(evq.field('rare')).toBe('string · string · no column')
    await evq.ingest(events(3000, (n) => ({ n, rare: `y${n % 5}` })))
    await becomes(evq, 'rare', 'string · string · rare:string')
    expect(await evq.contradictions()).toEqual([])
  })

  it('adds a column when its events are stored while the events before them are counted', async () => {
    const [counted, count] = signal()
    const [released, release] = signal()
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        async ask(question) {
          const answer = await engine.ask(question)
          if (isCount(question)) {
            count()
            await released
          }
          return answer
        },
      }),
    )
    await evq.ingest(events(100, (n) => (n === 70 ? { n, f: 1 } : { n })))
    await counted
    await evq.ingest(events(MANY, (n) => ({ f: n })))
    release()
    await becomes(evq, 'f', 'int · integer · f:int')
  })

  it('adds a column for a field with a backslash or a backquote in its name', async () => {
    const names = ['a\\b', 'C:\\', '`', '\\`x` Int8) --']
    const event = (value: (name: string) => unknown): object =>
      Object.fromEntries(names.map((name) => [name, value(name)]))
    const evq = await TemporaryStore.open()
    await evq.ingest(ndjson([event(() => null)]))
    await evq.ingest(events(MANY, (n) => event((name) => `${name}${n}`)))
    for (const name of names) await becomes(evq, name, `string · string · ${name}:string`)
    expect(await evq.contradictions()).toEqual([])
  })

  it('adds a column for arrays with numbers beyond 64 bits', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"list":null}\n')
    await evq.ingest('{"list":[1e20,"1e20",-0.5]}\n'.repeat(MANY))
    await becomes(evq, 'list', 'dynamic · array · list:array')
    const [row] = await rowsOf(
      evq.world,
      "['logs'] | where isnotnull(list) | project list, list[0]",
    )
    expect(row).toBe('[100000000000000000000,"1e20",-0.5] 100000000000000000000')
  })

  it('uses a dictionary for few distinct strings only', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"few":null,"many":null}\n')
    await evq.ingest(events(MANY, (n) => ({ few: `y${n % 5}`, many: `y${n}` })))
    await becomes(evq, 'few', 'string · string · few:string')
    expect(
      await evq.query(
        'SELECT toTypeName(`few:string`) AS few, toTypeName(`many:string`) AS many FROM logs LIMIT 1',
      ),
    ).toEqual({ few: ['"LowCardinality(Nullable(String))"'], many: ['"Nullable(String)"'] })
  })

  it('samples no events while all fields have a column or can have none', async () => {
    const questions: string[] = []
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        async ask(question) {
          if (isCount(question)) questions.push(question.text)
          return await engine.ask(question)
        },
      }),
    )
    const event = (n: number): object => ({
      n,
      list: [n],
      mixed: n % 2 === 0 ? n : 'x',
      group: n % 2 === 0 ? { s: 'x' } : 'x',
    })
    await evq.ingest(events(MANY, event))
    await evq.ingest(events(3 * MANY, event))
    await evq.reopen()
    expect(questions).toEqual([])
    await evq.ingest(events(MANY, (n) => ({ n, rare: n % 1000 === 0 ? 'x' : null })))
    await evq.ingest(events(9 * MANY, (n) => ({ n, rare: 'x' })))
    await becomes(evq, 'rare', 'string · string · rare:string')
  })

  it('adds no column for a field that is still rare', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"rare":null,"common":null}\n')
    await evq.ingest(events(MANY, (n) => (n === 8 ? { rare: 'x' } : { common: n })))
    await becomes(evq, 'common', 'int · integer · common:int')
    expect(evq.field('rare')).toBe('string · string · no column')
  })

  it('makes a field dynamic when an event has another type than its column', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"b":null,"c":null}\n')
    await evq.ingest(events(MANY, (n) => ({ b: n, c: n })))
    await becomes(evq, 'b', 'int · integer · b:int')
    await evq.ingest('{"b":"a text"}\n')
    expect(evq.field('b')).toBe('dynamic · ? · no column')
    expect(evq.field('c')).toBe('int · integer · c:int')
    await evq.reopen()
    expect(evq.field('b')).toBe('dynamic · ? · no column')
    expect(evq.field('c')).toBe('int · integer · c:int')
    expect(await evq.contradictions()).toEqual([])
  })

  it('has the same rows with and without the column', async () => {
    const { wrap, reached, release } = held()
    const evq = await TemporaryStore.open(wrap)
    const ask = async (apl: string): Promise<readonly string[]> => {
      const layout = evq.store.layout('logs')
      if (layout === undefined) throw new Error('no dataset')
      const datasets = new Map([['logs', { layout, fields: layout.fields }]])
      return await rowsOf(
        { engine: { ...noEngine, read: evq.store.read }, datasets, now: ARRIVED },
        apl,
      )
    }
    const questions = [
      "['logs'] | where s == 't7' | project s",
      "['logs'] | where isnull(s) | count",
      "['logs'] | where i > 1190 | project i, s | order by tolong(i) asc",
      "['logs'] | summarize total=sum(tolong(i))",
    ]
    const results = async (): Promise<unknown> => await Promise.all(questions.map(ask))

    await evq.ingest('{"s":null,"i":null}\n')
    await evq.ingest(events(MANY, (n) => ({ s: `t${n}`, i: n })))
    await reached
    const before = await results()
    expect(evq.field('s')).toBe('string · string · no column')
    release()
    await becomes(evq, 's', 'string · string · s:string')
    const rows = Array.from({ length: 9 }, (_, k) => `${k + 1191} "t${k + 1191}"`)
    expect(await results()).toEqual([['"t7"'], ['1'], rows, [String((1199 * 1200) / 2)]])
    expect(before).toEqual(await results())
  })
})

describe('a field whose older events have other types', () => {
  it('gets a column for the integers unless older events have objects or longer integers', async () => {
    const older = {
      text: '"x"',
      boolean: 'true',
      array: '[1]',
      object: '{}',
      wide: '18446744073709551615',
    }
    const names = Object.keys(older)
    const all = (value: (name: string) => number | string | null): string =>
      names.map((name) => `"${name}":${value(name)}`).join()
    const evq = await TemporaryStore.open()
    const types = (): readonly unknown[] => names.map((name) => evq.field(name))
    const many = (count: number, more: string): string =>
      Array.from({ length: count }, (_, n) => `{${all(() => n)},"${more}":${n}}\n`).join('')
    await evq.ingest(`{${all(() => null)},"other":null}\n`)
    for (const [name, value] of Object.entries(older)) await evq.ingest(`{"${name}":${value}}\n`)
    await evq.ingest(many(NEWEST, 'other'))
    await becomes(evq, 'other', 'int · integer · other:int')
    expect(types()).toEqual(names.map(() => 'dynamic · ? · no column'))
    await evq.reopen()
    await evq.ingest(many(NEWEST + 1_000, 'later'))
    expect(types()).toEqual(names.map(() => 'dynamic · ? · no column'))
    const columns = await evq.query(
      "SELECT name FROM system.columns WHERE database = 'datasets' AND match(name, '^(text|boolean|array|object|wide):')",
    )
    expect(columns.name).toEqual(['"text:int"', '"boolean:int"', '"array:int"'])
    const { n } = await evq.query(
      'SELECT [count(`text:int`), count(`boolean:int`), count(`array:int`)] AS n FROM logs',
    )
    expect(n).toEqual(Array(3).fill(String(2 * NEWEST + 1_000)))
  })

  it('widens the type when it holds the older values, too', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"f":null,"long":null,"only":null}\n')
    await evq.ingest('{"f":1.5,"long":9007199254740993,"only":1.5}\n')
    await evq.ingest(events(NEWEST, (n) => ({ f: n, long: n + 0.5, only: n + 0.5 })))
    await becomes(evq, 'only', 'real · float · only:real')
    expect(evq.field('long')).toBe('dynamic · ? · no column')
    await evq.ingest(events(NEWEST + 1_000, (n) => ({ f: n, long: n + 0.5, only: n })))
    await becomes(evq, 'f', 'real · float|integer · f:real')
    expect(evq.field('only')).toBe('real · float|integer · only:real')
    expect(evq.field('long')).toBe('dynamic · ? · no column')
    expect(await evq.contradictions()).toEqual([])
  })
})

describe('an interrupted change', () => {
  it('never leaves a wrong column, wherever it is interrupted', async () => {
    for (let left = 0; ; left++) {
      const { wrap, failed } = failing(left)
      const evq = await TemporaryStore.open(wrap)
      await evq.ingest('{"ok":null,"bad":null,"wide":null}\n')
      await evq.ingest('{"ok":1,"bad":"x","wide":0.5}\n')
      await evq.ingest(events(NEWEST, (n) => ({ ok: n, bad: n, wide: n })))
      const done = becomes(evq, 'ok', 'int · integer · ok:int').then(() => false)
      const wasCut = await Promise.race([failed.then(() => true), done])
      // Abandoned at once, as by a process that is killed.
      await evq.reopen()
      expect(await evq.contradictions()).toEqual([])
      await evq.ingest('{"ok":2,"bad":true,"wide":1}\n')
      await becomes(evq, 'ok', 'int · integer · ok:int')
      expect(evq.field('bad')).toBe('dynamic · ? · no column')
      expect(await evq.contradictions()).toEqual([])
      if (!wasCut) break
      expect(left).toBeLessThan(20)
    }
  })
})

const refuse = (): never => {
  throw new Error('not for reading')
}
const noEngine = {
  storedParts: sql``,
  createTable: refuse,
  run: refuse,
  change: refuse,
  ask: refuse,
  load: refuse,
  stream: refuse,
  close: refuse,
}

/** An engine that fails after a number of statements from the first added column on. */
function failing(left: number): { wrap: Wrap; failed: Promise<void> } {
  const [failed, fail] = signal()
  let hasBegun = false
  let statements = 0
  const check = (statement: Sql): void => {
    hasBegun ||= isAdded(statement)
    if (!hasBegun || statements++ < left) return
    fail()
    throw new EngineError(0, 'gone')
  }
  const wrap: Wrap = (engine) =>
    wrapped(engine, {
      async run(statement) {
        check(statement)
        await engine.run(statement)
      },
      async change(change) {
        check(changeStatement(change, () => sql`logs`))
        await engine.change(change)
      },
      async ask(query) {
        check(query)
        return await engine.ask(query)
      },
      async load(insert) {
        check(sql``)
        await engine.load(insert)
      },
    })
  return { wrap, failed }
}
