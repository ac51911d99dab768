import { describe, expect, it } from 'vitest'
import { needsEmbedded } from '../support/engine.js'
import { ndjson, TemporaryStore } from './temporary-store.js'

const EVENTS = 20_000

/** Spreads numbers over 24 bits, the same for each run. */
function scattered(n: number): number {
  const once = Math.imul(n ^ (n >>> 15), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return (twice ^ (twice >>> 16)) >>> 8
}

const START = Date.parse('2026-01-01T00:00:00.000Z')

describe('the size of stored events', () => {
  it(
    'is less than a byte for a time in milliseconds, a few after the time before it',
    needsEmbedded,
    async () => {
      // Distances below 64 have 6 bits, which are 0.75 bytes.
      let time = START
      const times = Array.from({ length: EVENTS }, (_, n) => {
        time += scattered(n) % 64
        return new Date(time).toISOString()
      })
      const evq = await TemporaryStore.open()
      await evq.ingest(ndjson(times.map((_time) => ({ _time }))))
      // The engine counts the bytes of a column only where it has files of its own, as in the parts of large datasets.
      await evq.change('ALTER TABLE datasets.logs MODIFY SETTING min_bytes_for_wide_part = 0')
      await evq.change('OPTIMIZE TABLE datasets.logs FINAL')
      const { bytes = [] } = await evq.query(
        `SELECT sum(column_data_compressed_bytes) AS bytes FROM system.parts_columns
      WHERE active AND database = 'datasets' AND table = 'logs' AND column = '_time'`,
      )
      expect(Number(bytes[0])).toBeGreaterThan(0.75 * EVENTS)
      expect(Number(bytes[0])).toBeLessThan(EVENTS)
      const stored = await evq.values('toUnixTimestamp64Milli(_time)')
      expect(stored.map(Number)).toEqual(times.map((one) => Date.parse(one)))
    },
  )

  it('has few strings once, in a dictionary, when a sample shows that new ones are rare', async () => {
    const evq = await TemporaryStore.open()
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      few: `statement ${scattered(n) % 300}`,
      more: `statement ${scattered(n) % 5_000}`,
      often: scattered(n) % 5 < 3 ? 'done' : `done in ${n} ms`,
      trace: `trace ${Math.floor(n / 10)}`,
    }))
    await evq.ingest(ndjson(events))
    expect(await dictionaries(evq, ['few', 'more', 'often', 'trace'])).toEqual(['few'])
    expect(await evq.contradictions()).toEqual([])
    const stored = await evq.values('`few:string`')
    expect(stored).toEqual(events.map(({ few }) => JSON.stringify(few)))
  })

  it('has no dictionary for identifiers that a small batch repeats in a few events', async () => {
    const evq = await TemporaryStore.open()
    const events = Array.from({ length: 500 }, (_, n) => ({
      level: `level ${n % 4}`,
      trace: `trace ${Math.floor(n / 5)}`,
    }))
    await evq.ingest(ndjson(events))
    expect(await dictionaries(evq, ['level', 'trace'])).toEqual(['level'])
  })
})

/** Returns the fields whose columns have a dictionary. */
async function dictionaries(
  evq: TemporaryStore,
  fields: readonly string[],
): Promise<readonly string[]> {
  const types = fields.map((field) => `toTypeName(\`${field}:string\`) AS \`${field}\``)
  const row = await evq.query(`SELECT ${types.join(', ')} FROM logs LIMIT 1`)
  return fields.filter((field) => row[field]?.[0]?.includes('LowCardinality'))
}
