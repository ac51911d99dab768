import { describe, expect, it } from 'vitest'
import { numberIn } from '../../src/engine/response.js'
import { raw } from '../../src/sql/sql.js'
import { compiled } from '../support/ask.js'
import { needsEmbedded } from '../support/engine.js'
import { limits, TemporaryStore } from './temporary-store.js'

const EVENTS = 30_000

/** Events of several granules; one has a needle in place of a number's text. */
function events(write: (i: number, word: string) => object, needle: string): string {
  const at = EVENTS / 2
  const each = (_: unknown, i: number) => JSON.stringify(write(i, i === at ? needle : `w${i}`))
  return `${Array.from({ length: EVENTS }, each).join('\n')}\n`
}

/** Returns the number of bytes that a search for a term reads. */
async function bytesRead(evq: TemporaryStore, term: string, divides: boolean): Promise<number> {
  const { engine } = evq.world
  const all = async (): Promise<number> => {
    const event = raw("SELECT value FROM system.events WHERE event = 'SelectedBytes'")
    return numberIn(await engine.ask(event), 'value')
  }
  const options = { dividesSearches: divides }
  const result = compiled(evq.world, `logs | search "${term}" | count`, options)
  if ('problems' in result) throw new Error(term)
  const before = await all()
  const { columns } = await engine.read(result.query.statement, limits)
  expect([...columns.values()]).toEqual([`[${EVENTS / 2}]`])
  return (await all()) - before
}

/** Returns the number of events that a query finds, and the number that it reads. */
async function searched(evq: TemporaryStore, apl: string): Promise<[found: string, read: number]> {
  const result = compiled(evq.world, `${apl} | count`)
  if ('problems' in result) throw new Error(apl)
  const { columns, rowsExamined } = await evq.world.engine.read(result.query.statement, limits)
  return [[...columns.values()][0] ?? '', rowsExamined]
}

// Other engines also build the indexes at inserts.
describe('token indexes', needsEmbedded, () => {
  it('are built by merges, and queries read only granules that may have the term', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(events((i, word) => ({ i, message: `request ${word}-x done` }), 'needle'))
    const queries = [
      'search "needle"',
      'where message has "NEEDLE"',
      'where * contains " needle-x"',
    ]
    for (const query of queries) {
      expect(await searched(evq, `logs | ${query}`)).toEqual(['[1]', EVENTS])
    }
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    for (const reopened of [false, true]) {
      if (reopened) await evq.reopen()
      for (const query of queries) {
        const [found, read] = await searched(evq, `logs | ${query}`)
        expect({ query, found, few: read <= EVENTS / 2 }).toEqual({
          query,
          found: '[1]',
          few: true,
        })
      }
      expect(await searched(evq, 'logs | where message contains "eedl"')).toEqual(['[1]', EVENTS])
    }
  })

  it('find terms in columns that were added or are no longer filled, and in the text of events', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(events((i, word) => ({ i, first: word, user: 7, tag: word }), 'alpha'))
    await evq.ingest(events((i, word) => ({ i, second: word, user: word, tag: word }), 'beta'))
    // The fields `user` and `tag` have no column any more.
    const last = { i: 1, tag: ['gamma\ndelta'], rare: 'epsilon', user: 'caf\u00e9 zeta' }
    await evq.ingest(`${JSON.stringify(last)}\n`)
    const terms = {
      alpha: 1,
      beta: 1,
      delta: 0,
      ndelta: 1,
      epsilon: 1,
      zeta: 1,
      absent: 0,
    }
    const found: Record<string, string> = {}
    for (const merged of [false, true]) {
      if (merged) await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
      for (const [term, count] of Object.entries(terms)) {
        const [rows, read] = await searched(evq, `logs | search "${term}"`)
        found[term] = rows
        expect({ term, rows }).toEqual({ term, rows: `[${count}]` })
        if (merged) expect({ term, read, few: read < EVENTS }).toEqual({ term, read, few: true })
      }
    }
    expect(evq.field('tag')).toBe('dynamic · ? · no column')
    await evq.reopen()
    for (const [term, rows] of Object.entries(found)) {
      expect((await searched(evq, `logs | where * has "${term}"`))[0]).toBe(rows)
    }
    const expected = ['line', 'first:string', 'tag:string', 'second:string'].map((name) => [name])
    const all = evq.store.layout('logs')?.tokenIndexes?.map(({ columns }) => [...columns].sort())
    expect(all?.sort()).toEqual(expected.sort())
  })

  it('are shared by columns with few values', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(
      events(
        (i, word) => ({ message: word, level: i % 2 === 0 ? 'info' : 'warn', kind: 'event' }),
        'needle',
      ),
    )
    const columns = () => evq.store.layout('logs')?.tokenIndexes?.map((index) => index.columns)
    const first = [['message:string'], ['level:string', 'kind:string'], ['line']]
    expect(columns()).toEqual(first)
    await evq.ingest(events((_, word) => ({ message: word, note: word, kind: 'event' }), 'needle'))
    const all = [...first, ['note:string']]
    expect(columns()).toEqual(all)
    await evq.reopen()
    expect(columns()).toEqual(all)
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    const [, read] = await searched(evq, 'logs | where note has "absent"')
    expect(read).toBe(0)
  })

  it('are shared by columns beyond the sixth, and used when a search reads all of them', async () => {
    const evq = await TemporaryStore.open()
    const fields = Array.from({ length: 30 }, (_, i) => `f${String(i).padStart(2, '0')}`)
    await evq.ingest(
      events((_, word) => Object.fromEntries(fields.map((field) => [field, word])), 'needle'),
    )
    const columns = evq.store.layout('logs')?.tokenIndexes?.map((index) => index.columns) ?? []
    const single = columns.filter(({ length }) => length === 1).flat()
    const own = fields.slice(0, 6).map((field) => `${field}:string`)
    expect(single.sort()).toEqual([...own, 'line'])
    const shared = fields.slice(6).map((field) => `${field}:string`)
    expect(columns.filter(({ length }) => length > 1)).toEqual([shared])
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    for (const [query, few] of [
      ['where f05 has "needle"', true],
      ['where f06 has "needle"', false],
      ['search "needle"', true],
    ] as const) {
      const [found, read] = await searched(evq, `logs | ${query}`)
      expect({ query, found, few: read < EVENTS }).toEqual({ query, found: '[1]', few })
    }
  })

  it('keep a search from reading columns that can not have its term', async () => {
    const evq = await TemporaryStore.open()
    const event = (i: number, word: string) => ({
      message: i % 2 === 0 ? `even ${word}` : `odd ${word}`,
      ...Object.fromEntries(['a', 'b', 'c'].map((name) => [name, `${name}${i}`.padEnd(40, 'x')])),
    })
    await evq.ingest(events(event, 'needle'))
    await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
    const whole = await bytesRead(evq, 'even', false)
    // Three columns of 40 bytes, beside messages of 10.
    expect(await bytesRead(evq, 'even', true)).toBeLessThan(whole / 3)
  })
})
