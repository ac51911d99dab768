import { describe, expect, it } from 'vitest'
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

describe('what datasets hold', () => {
  it('is told of each by name, and of one alone', async () => {
    const evq = await TemporaryStore.open()
    expect(await evq.store.statistics()).toEqual([])
    await evq.ingest(days(3), { dataset: 'web' })
    await evq.ingest(days(1), { dataset: 'logs' })
    const [logs, web] = await evq.store.statistics()
    expect(logs).toMatchObject({ dataset: 'logs', events: 1 })
    const times = { first: ARRIVED, last: ARRIVED + 2n * DAY }
    expect(web).toMatchObject({ dataset: 'web', events: 3, times })
    expect(web?.bytes).toBeGreaterThan(0)
    expect(await evq.store.statistics('web')).toEqual([web])
    expect(await evq.store.statistics('we')).toEqual([])
  })
})

describe('a dataset that is deleted', () => {
  it('is gone with its fields, also after a restart, and others stay', async () => {
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

  it('can be filled again, by the same batches and with other fields', async () => {
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

  it('leaves no event of the batches that come while it is deleted half stored', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(days(2))
    const stored = Array.from({ length: 20 }, (_, i) => evq.ingest(`{"n":${i}}\n`))
    const removed = evq.store.remove('logs')
    const later = Array.from({ length: 20 }, (_, i) => evq.ingest(`{"n":${i}}\n`))
    const all = await Promise.all([...stored, ...later])
    expect(all.every(({ ingested }) => ingested === 1)).toBe(true)
    expect(await removed).toBe(true)
    expect(await evq.count()).toBeLessThanOrEqual(40)
    expect(await evq.contradictions()).toEqual([])
  })
})

describe('a dataset that is trimmed', () => {
  it('loses the events before the instant and no other', async () => {
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

  it('may lose all events, and still knows its fields and its batches', async () => {
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

  it('need not be there', async () => {
    const evq = await TemporaryStore.open()
    expect(await evq.store.trim('logs', ARRIVED)).toBe(0)
  })
})
