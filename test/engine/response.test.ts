import { describe, expect, it } from 'vitest'
import { rowsIn } from '../../src/engine/response.js'
import { raw } from '../../src/sql/sql.js'
import { until } from '../support/until.js'
import { limits, TemporaryStore } from './temporary-store.js'

const ENDLESS = 'SELECT count() AS c FROM system.numbers WHERE NOT ignore(sipHash64(number))'

describe('reading', () => {
  it('returns the JSON of each column unchanged', async () => {
    const { store } = await TemporaryStore.open()
    const result = await store.read(
      raw(`SELECT number + 9007199254740993 AS c1, ['a"b\\n]', 'é/'][number + 1] AS c2,
        if(number = 0, NULL, toDateTime64('2026-01-01 00:00:00.01', 9, 'UTC')) AS c3, 0 / 0 AS \`a": [b\`
        FROM numbers(2)`),
      limits,
    )
    expect([...result.columns]).toEqual([
      ['c1', '[9007199254740993, 9007199254740994]'],
      ['c2', '["a\\"b\\n]", "é/"]'],
      ['c3', '[null, "2026-01-01T00:00:00.010000000Z"]'],
      ['a": [b', '[null, null]'],
    ])
    expect(result.rows).toBe(2)
    expect(result.rowsExamined).toBe(2)
  })

  it('returns the column names of a result without rows', async () => {
    const { store } = await TemporaryStore.open()
    const result = await store.read(raw('SELECT 1 AS c1, 2 AS c2 WHERE 0'), limits)
    expect([...result.columns]).toEqual([
      ['c1', '[]'],
      ['c2', '[]'],
    ])
    expect(result.rows).toBe(0)
  })

  it('returns the rows of string columns as objects', async () => {
    const { store } = await TemporaryStore.open()
    const pairs = await store.read(
      raw("SELECT toString(number) AS n, ['x', 'y'][number + 1] AS letter FROM numbers(2)"),
      limits,
    )
    expect(rowsIn(pairs, 'letter', 'n')).toEqual([
      { letter: 'x', n: '0' },
      { letter: 'y', n: '1' },
    ])
    expect(rowsIn(await store.read(raw("SELECT 'a' AS n WHERE 0"), limits), 'n')).toEqual([])
  })

  it('allows queries to read only datasets', async () => {
    const { store } = await TemporaryStore.open()
    for (const statement of [
      "SELECT * FROM file('/etc/passwd', LineAsString)",
      "SELECT 1 UNION ALL SELECT 2 FROM file('/etc/passwd', LineAsString)",
      "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)",
    ]) {
      await expect(store.read(raw(statement), limits)).rejects.toThrow(/readonly/i)
    }
  })

  it('aborts queries at the time and memory limits', async () => {
    const { store } = await TemporaryStore.open()
    const slow = store.read(raw(ENDLESS), { ...limits, timeoutMs: 200 })
    await expect(slow).rejects.toMatchObject({ code: 159 })
    const big = store.read(
      raw('SELECT length(groupArray(randomString(1000))) AS c FROM numbers(1000000)'),
      {
        ...limits,
        memoryBytes: 20_000_000,
      },
    )
    await expect(big).rejects.toMatchObject({ code: 241 })
  })

  it('kills an aborted query', async () => {
    const { store } = await TemporaryStore.open()
    const gone = new AbortController()
    const endless = store.read(raw(ENDLESS), {
      ...limits,
      signal: gone.signal,
    })
    gone.abort(new Error('gone'))
    await expect(endless).rejects.toThrow('gone')
    const running = async (): Promise<string | undefined> =>
      (
        await store.read(
          raw(
            "SELECT count() AS n FROM system.processes WHERE query ILIKE '%system.numbers%' AND query NOT ILIKE '%system.processes%'",
          ),
          limits,
        )
      ).columns.get('n')
    await until(async () => (await running()) === '[0]', 'the query has ended')
  })

  it('closes while queries are running', async () => {
    const { store } = await TemporaryStore.open()
    const endless = store.read(raw(ENDLESS), limits)
    const ended = expect(endless).rejects.toThrow()
    await store.close()
    await ended
    await expect(store.read(raw('SELECT 1'), limits)).rejects.toThrow('the engine is closed')
  })
})
