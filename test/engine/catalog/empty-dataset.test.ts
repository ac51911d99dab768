import { expect, it } from 'vitest'
import { ndjson, TemporaryStore } from '../temporary-store.js'

it('is created once, and is there without events after a restart', async () => {
  const evq = await TemporaryStore.open()
  expect(await Promise.all([evq.store.create('logs'), evq.store.create('logs')])).toEqual([
    true,
    false,
  ])
  await evq.reopen()
  expect(await evq.store.create('logs')).toBe(false)
  expect(evq.store.schema.datasets).toEqual(['logs'])
  expect(evq.store.schema.fields('logs')?.map(({ name }) => name)).toEqual(['_sysTime', '_time'])
  expect(await evq.store.statistics('logs')).toMatchObject([{ events: 0, times: undefined }])
  expect(await evq.count()).toBe(0)
  expect(await evq.store.remove('logs')).toBe(true)
  expect(evq.store.schema.datasets).toEqual([])
})

it('has the same columns after its first batch as a dataset that the batch creates', async () => {
  const evq = await TemporaryStore.open()
  const batch = ndjson(
    Array.from({ length: 3_000 }, (_, i) => ({ i, s: `s${i % 3}`, deep: { ratio: i / 2 }, n: i })),
  )
  await evq.store.create('logs')
  expect(await evq.ingest(batch)).toMatchObject({ ingested: 3_000, rejected: [] })
  expect(await evq.ingest(batch, { dataset: 'other' })).toMatchObject({ ingested: 3_000 })
  expect(evq.store.layout('logs')?.fields).toEqual(evq.store.layout('other')?.fields)
  const columns = (table: string) =>
    evq.query(`SELECT name, type FROM system.columns WHERE table = '${table}' ORDER BY name`)
  expect(await columns('logs')).toEqual(await columns('other'))
  expect(await evq.query('SELECT sum(`i:int`) AS sum, uniq(`s:string`) AS s FROM logs')).toEqual({
    sum: ['4498500'],
    s: ['3'],
  })
})

it('accepts events without fields, then events with some', async () => {
  const evq = await TemporaryStore.open()
  await evq.store.create('logs')
  expect(await evq.ingest('{}\n{}\n')).toMatchObject({ ingested: 2, rejected: [] })
  expect(await evq.ingest('not JSON\n')).toMatchObject({ ingested: 0, rejected: [{ line: 1 }] })
  expect(await evq.ingest(ndjson([{ s: 'x' }]))).toMatchObject({ ingested: 1 })
  expect(await evq.values('`s:string`')).toEqual(['null', 'null', '"x"'])
})
