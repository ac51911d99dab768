import { describe, expect, it } from 'vitest'
import type { Engine, EngineResult } from '../../src/engine/engine.js'
import { openStore } from '../../src/engine/store.js'
import type { Sql } from '../../src/sql/sql.js'
import { compiled } from '../support/ask.js'
import { needsEmbedded } from '../support/engine.js'
import { ARRIVED, limits, ndjson, TemporaryStore } from './temporary-store.js'

const HOUR = 3_600_000_000_000n
const EVENTS = 20_000
/** The events of a part of the index. */
const GRANULE = 8_192

/** Returns a merged dataset with events that arrived an hour apart. */
async function twoHours(): Promise<TemporaryStore> {
  const evq = await TemporaryStore.open()
  const events = ndjson(Array.from({ length: EVENTS }, (_, i) => ({ i })))
  await evq.ingest(events)
  await evq.ingest(events, { arrivedAt: ARRIVED + HOUR })
  await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
  return evq
}

// Merges build the index.
describe('the order of arrival', needsEmbedded, () => {
  it('limits what is read for the events that arrived after a time', async () => {
    const evq = await twoHours()
    const found = async (condition: string) => {
      const result = compiled(evq.world, `logs | where ${condition} | count`)
      if ('problems' in result) throw new Error(condition)
      const { columns, rowsExamined } = await evq.world.engine.read(result.query.statement, limits)
      return { count: [...columns.values()], rowsExamined }
    }
    const later = await found('_sysTime > datetime(2026-01-01T00:30:00Z)')
    expect(later.count).toEqual([`[${EVENTS}]`])
    expect(later.rowsExamined).toBeLessThanOrEqual(EVENTS + GRANULE)
    const place = 'datetime(2026-01-01T01:00:00Z)'
    const none = await found(`(_sysTime > ${place} or (_sysTime == ${place} and _time > ${place}))`)
    expect(none.count).toEqual(['[0]'])
    expect(none.rowsExamined).toBeLessThanOrEqual(EVENTS + GRANULE)
    expect(await found('_sysTime > datetime(2026-01-01T02:00:00Z)')).toEqual({
      count: ['[0]'],
      rowsExamined: 0,
    })
  })

  it.each([
    ['later', 2n * HOUR, 0],
    ['earlier', -HOUR, 2 * EVENTS],
  ])('continues at the next start when the clock is then %s', async (_, step, mostRead) => {
    const evq = await twoHours()
    const { engine } = evq.world
    let read = 0
    const ask = async (query: Sql, ...rest: []): Promise<EngineResult> => {
      const result = await engine.ask(query, ...rest)
      if (query.text.includes('max(_seq)')) read += result.rowsExamined
      return result
    }
    const watched: Engine = Object.create(engine, { ask: { value: ask } })
    const now = ARRIVED + step
    const store = await openStore({ directory: evq.directory, engine: watched, now: () => now })
    const lines = { kind: 'bytes', bytes: Buffer.from('{"i":-1}\n') } as const
    await store.ingest({ dataset: 'logs', lines, arrivedAt: now, timestampField: '_time' })
    expect(read).toBeLessThanOrEqual(mostRead)
    const [last] = (await evq.query('SELECT `i:int` AS i FROM logs ORDER BY _seq DESC LIMIT 1')).i!
    expect(last).toBe('-1')
  })
})
