import { describe, expect, it } from 'vitest'
import { needsEmbedded } from '../../support/engine.js'
import { ARRIVED, ndjson, TemporaryStore } from '../temporary-store.js'

const DAY = 86_400_000_000_000n
/** An event at the start of each of the first days of 2026. */
const days = (count: number) =>
  ndjson(
    Array.from({ length: count }, (_, i) => ({
      _time: `2026-01-0${i + 1}T00:00:00Z`,
      day: i + 1,
    })),
  )

describe('dataset statistics', () => {
  it('lists the statistics of each dataset by name, or of one', async () => {
    const evq = await TemporaryStore.open()
    expect(await evq.store.statistics()).toEqual([])
    await evq.ingest(days(3), { dataset: 'web' })
    await evq.ingest(days(1), { dataset: 'logs' })
    const [logs, web] = await evq.store.statistics()
    expect(logs).toMatchObject({ dataset: 'logs', events: 1 })
    const times = { first: ARRIVED, last: ARRIVED + 2n * DAY }
    expect(web).toMatchObject({ dataset: 'web', events: 3, times })
    expect(web?.size.compressed).toBeGreaterThan(0)
    expect(web?.size.uncompressed).toBeGreaterThan(0)
    expect(await evq.store.statistics('web')).toEqual([web])
    expect(await evq.store.statistics('we')).toEqual([])
  })
})

describe('deleting a dataset', () => {
  it('deletes a dataset with its fields and keeps the others, also after a restart', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"old":1}\n')
    await evq.ingest('{"other":1}\n', { dataset: 'web' })
    expect(await evq.store.remove('logs')).toBe(true)
    expect(await evq.store.remove('logs')).toBe(false)
    expect(evq.store.schema.datasets).toEqual(['web'])
    await evq.reopen()
    expect(evq.store.schema.datasets).toEqual(['web'])
    expect(await evq.count('web')).toBe(1)
  })

  it('stores the same batches again after their dataset was deleted', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest('{"a":1,"b":2}\n', { batchId: 'one' })
    await evq.store.remove('logs')
    const again = await evq.ingest('{"a":"text"}\n', { batchId: 'one' })
    expect(again.ingested).toBe(1)
    await evq.reopen()
    expect(await evq.count()).toBe(1)
    expect(evq.field('b')).toBeUndefined()
    expect(evq.field('a')).toMatch(/^string · string · /)
    expect(await evq.contradictions()).toEqual([])
  })

  it(
    'does not wait for merges, after which the engine removes its metadata',
    needsEmbedded,
    async () => {
      const evq = await TemporaryStore.open()
      await evq.ingest('{"old":1}\n', { batchId: 'one' })
      const tables = ['evq.path', 'evq.batch']
      for (const table of tables) await evq.change(`SYSTEM STOP MERGES ${table}`)
      expect(await evq.store.remove('logs')).toBe(true)
      const again = await evq.ingest('{"new":1}\n', { batchId: 'one' })
      expect(again.ingested).toBe(1)
      for (const table of tables) await evq.change(`SYSTEM START MERGES ${table}`)
      await evq.reopen()
      expect(evq.field('old')).toBeUndefined()
      expect(evq.field('new')).toMatch(/^int /)
      expect(await evq.count()).toBe(1)
      expect(await evq.contradictions()).toEqual([])
    },
  )

  it('stores concurrent batches completely or not at all while their dataset is deleted', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(days(2))
    const stored = Array.from({ length: 20 }, (_, i) => evq.ingest(`{"n":${i}}\n`))
    const removed = evq.store.remove('logs')
    const later = Array.from({ length: 20 }, (_, i) => evq.ingest(`{"n":${i}}\n`))
    const all = await Promise.all([...stored, ...later])
    expect(all.every(({ ingested }) => ingested === 1)).toBe(true)
    expect(await removed).toBe(true)
    // The dataset may have been deleted last.
    await evq.ingest('{"n":40}\n')
    expect(await evq.count()).toBeLessThanOrEqual(41)
    expect(await evq.contradictions()).toEqual([])
  })
})

describe('trimming a dataset', () => {
  it('deletes only the events before the given time', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(days(5))
    await evq.ingest(days(2), { dataset: 'web' })
    expect(await evq.store.trim('logs', ARRIVED + 2n * DAY)).toBe(2)
    expect(await evq.values("JSONExtractInt(line, 'day')")).toEqual(['3', '4', '5'])
    expect(await evq.count('web')).toBe(2)
    expect(await evq.store.trim('logs', ARRIVED + 2n * DAY)).toBe(0)
    const times = { first: ARRIVED + 2n * DAY, last: ARRIVED + 4n * DAY }
    expect(await evq.store.statistics('logs')).toMatchObject([{ events: 3, times }])
    await evq.reopen()
    expect(await evq.count()).toBe(3)
  })

  it('keeps fields and batch ids when all events are trimmed', async () => {
    const evq = await TemporaryStore.open()
    const first = await evq.ingest(days(3), { batchId: 'one' })
    expect(await evq.store.trim('logs', ARRIVED + 9n * DAY)).toBe(3)
    expect(await evq.store.statistics('logs')).toMatchObject([{ events: 0, times: undefined }])
    expect(evq.field('day')).toMatch(/^int /)
    await evq.reopen()
    expect(await evq.ingest(days(3), { batchId: 'one' })).toEqual(first)
    expect(await evq.count()).toBe(0)
    await evq.ingest(days(1))
    expect(await evq.values("JSONExtractInt(line, 'day')")).toEqual(['1'])
  })

  it('trims a dataset that does not exist', async () => {
    const evq = await TemporaryStore.open()
    expect(await evq.store.trim('logs', ARRIVED)).toBe(0)
  })
})

const MERGE_LIMIT = 'max_bytes_to_merge_at_max_space_in_pool'

describe('merges of a dataset', needsEmbedded, () => {
  const limitOf = async (evq: TemporaryStore) => {
    const limit = `extract(engine_full, '${MERGE_LIMIT} = ([0-9]+)')`
    const { n } = await evq.query(`SELECT ${limit} AS n FROM system.tables WHERE name = 'logs'`)
    return n
  }

  it('are not started during a deletion of events', async () => {
    const during: unknown[] = []
    const evq = await TemporaryStore.open((engine) => ({
      ...engine,
      async change(change) {
        if (change.kind === 'events') during.push(await limitOf(evq))
        await engine.change(change)
      },
    }))
    await evq.ingest(days(3))
    expect(await evq.store.trim('logs', ARRIVED + DAY)).toBe(1)
    expect(during).toEqual([['"1"']])
    expect(await limitOf(evq)).toEqual([`"${256 * 1024 ** 2}"`])
  })

  it('are started again after a process was killed during a deletion', async () => {
    let isKilled = false
    const evq = await TemporaryStore.open((engine) => ({
      ...engine,
      async change(change) {
        isKilled = change.kind === 'events'
        await engine.change(change)
      },
      async run(statement) {
        if (isKilled) throw new Error('killed')
        await engine.run(statement)
      },
    }))
    await evq.ingest(days(3))
    await expect(evq.store.trim('logs', ARRIVED + DAY)).rejects.toThrow('killed')
    expect(await limitOf(evq)).toEqual(['"1"'])
    isKilled = false
    await evq.reopen()
    expect(await limitOf(evq)).toEqual([`"${256 * 1024 ** 2}"`])
  })
})
