import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Running, run } from './running.js'

let service: Running

const EVENTS = [1, 2, 3, 4]
  .map((day) => `{"_time":"2026-01-0${day}T00:00:00Z","day":${day},"at":{"host":"h${day}"}}\n`)
  .join('')

beforeAll(async () => {
  const grants = { 'xaat-all': { name: 'all', personal: false, ingest: ['*'], query: ['*'] } }
  service = await run({ token: 'xapt-right', grants })
})

afterAll(() => service.close())

const get = (path: string) => service.send({ path: `/v1/datasets${path}`, method: 'GET' })
const remove = (name: string) => service.send({ path: `/v1/datasets/${name}`, method: 'DELETE' })
const trim = (name: string, body: unknown) =>
  service.send({ path: `/v1/datasets/${name}/trim`, body: JSON.stringify(body) })
const removeBatches = (name: string, body: unknown) =>
  service.send({ path: `/v1/datasets/${name}/_batches/remove`, body: JSON.stringify(body) })
const fill = (name: string, headers: Readonly<Record<string, string>> = {}) =>
  service.send({
    path: `/v1/ingest/${name}`,
    headers: { 'content-type': 'application/x-ndjson', ...headers },
    body: EVENTS,
  })

describe('dataset statistics', () => {
  it('are returned for all datasets, by name', async () => {
    await fill('web')
    await fill('logs')
    const { status, body } = await get('/_stats')
    const stats = {
      numEvents: 4,
      numFields: 4,
      inputBytes: expect.any(Number),
      compressedBytes: expect.any(Number),
      created: '2026-01-01T12:00:00Z',
      minTime: '2026-01-01T00:00:00Z',
      maxTime: '2026-01-04T00:00:00Z',
    }
    expect(status).toBe(200)
    expect(body).toEqual([
      { name: 'logs', ...stats },
      { name: 'web', ...stats },
    ])
  })

  it('are returned for one dataset with its fields', async () => {
    const { body } = await get('/logs/info')
    expect(body).toMatchObject({ name: 'logs', numEvents: 4, numFields: 4 })
    expect(body.fields).toEqual([
      { name: '_sysTime', type: 'datetime' },
      { name: '_time', type: 'datetime' },
      { name: 'at.host', type: 'string' },
      { name: 'day', type: 'integer' },
    ])
    const unknown = await get('/none/info')
    expect(unknown).toMatchObject({ status: 404 })
    expect(unknown.body.message).toBe('There is no dataset `none`.')
  })
})

describe('deletion', () => {
  it('removes the events before a time and returns their number', async () => {
    await fill('old')
    expect(await trim('old', { before: '2026-01-03T00:00:00Z' })).toMatchObject({
      status: 200,
      body: { deleted: 2 },
    })
    // It is noon of the 1st: all events older than an hour have already been deleted.
    expect((await trim('old', { before: 'now-1h' })).body).toEqual({ deleted: 0 })
    expect((await get('/old/info')).body).toMatchObject({
      numEvents: 2,
      minTime: '2026-01-03T00:00:00Z',
    })
    expect((await trim('old', { before: '9999-01-01T00:00:00Z' })).body).toEqual({ deleted: 2 })
    const empty = (await get('/old/info')).body
    expect(empty).toMatchObject({ numEvents: 0 })
    expect(empty).not.toHaveProperty('minTime')
  })

  it.each([
    [{}, 422],
    [{ before: 'soon' }, 400],
    [{ before: 5 }, 400],
    [[], 400],
  ])('refuses a trim to %j with %i and deletes nothing', async (body, status) => {
    await fill('kept')
    const before = (await get('/kept/info')).body.numEvents
    expect((await trim('kept', body)).status).toBe(status)
    expect((await get('/kept/info')).body.numEvents).toBe(before)
  })

  it('renames a dataset', async () => {
    await fill('before')
    const rename = (name: string, body: unknown) =>
      service.send({ path: `/v1/datasets/${name}/rename`, body: JSON.stringify(body) })
    expect(await rename('before', { name: 'after' })).toMatchObject({
      status: 200,
      body: { tokens: 0 },
    })
    expect((await get('/before/info')).status).toBe(404)
    expect((await get('/after/info')).body).toMatchObject({ name: 'after', numEvents: 4 })
    const refusals = [
      [{ name: 'web' }, 409],
      [{ name: 'after' }, 409],
      [{}, 422],
      [{ name: '' }, 422],
      [{ name: 'no/slash' }, 400],
      [{ name: 5 }, 400],
    ] as const
    for (const [body, status] of refusals) {
      expect((await rename('after', body)).status, JSON.stringify(body)).toBe(status)
    }
    expect((await rename('before', { name: 'again' })).status).toBe(404)
    expect((await get('/after/info')).body).toMatchObject({ numEvents: 4 })
  })

  it('sets, moves and removes the maximum age of events', async () => {
    await fill('aging')
    const path = '/v1/datasets/aging/retention'
    const set = (body: unknown) => service.send({ path, method: 'PUT', body: JSON.stringify(body) })
    const shown = async (name = 'aging') => (await get(`/${name}/info`)).body.retention
    expect(await shown()).toBeUndefined()
    expect(await set({ duration: '30d' })).toMatchObject({ status: 200, body: { duration: '30d' } })
    expect(await shown()).toBe('30d')
    for (const body of [{}, { duration: 'soon' }, { duration: '0s' }, { duration: '' }]) {
      expect((await set(body)).status, JSON.stringify(body)).toBe(422)
    }
    expect(await shown()).toBe('30d')
    const body = JSON.stringify({ name: 'aged' })
    await service.send({ path: '/v1/datasets/aging/rename', body })
    expect(await shown('aged')).toBe('30d')
    expect((await set({ duration: '1d' })).status).toBe(404)
    const removed = await service.send({ path: '/v1/datasets/aged/retention', method: 'DELETE' })
    expect(removed).toMatchObject({ status: 204, text: '' })
    expect(await shown('aged')).toBeUndefined()
  })

  it('forgets the maximum age of events with the dataset', async () => {
    await fill('brief')
    const path = '/v1/datasets/brief/retention'
    await service.send({ path, method: 'PUT', body: JSON.stringify({ duration: '1h' }) })
    await remove('brief')
    await fill('brief')
    expect((await get('/brief/info')).body.retention).toBeUndefined()
  })

  it('removes a whole dataset', async () => {
    await fill('gone')
    expect(await remove('gone')).toMatchObject({ status: 204, text: '' })
    expect((await remove('gone')).status).toBe(404)
    expect((await trim('gone', { before: 'now' })).status).toBe(404)
    expect((await get('')).body).not.toContainEqual({ id: 'gone', name: 'gone' })
    const response = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      body: JSON.stringify({ apl: "['gone']" }),
    })
    expect(response.status).toBe(404)
  })

  it.each([
    [
      "['short']",
      { status: 404, body: { message: expect.stringContaining('no dataset `short`') } },
    ],
    ['union sho* | count', { status: 200, body: { tables: [{ columns: [[4]] }] } }],
  ])('lets a query that is about to run go on without the dataset: %s', async (apl, expected) => {
    await fill('short')
    await service.store.remove('shown')
    await fill('shown')
    const { store } = service
    const { read: original } = store
    const read = vi.spyOn(store, 'read').mockImplementation(async (...query) => {
      read.mockRestore()
      await store.remove('short')
      return await original(...query)
    })
    const response = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      body: JSON.stringify({ apl, startTime: '2025-01-01T00:00:00Z' }),
    })
    expect(response).toMatchObject(expected)
  })

  it('lets a query that is about to run read the dataset that is created again', async () => {
    await fill('short')
    const { store } = service
    const { read: original } = store
    const read = vi.spyOn(store, 'read').mockImplementation(async (...query) => {
      read.mockRestore()
      await store.remove('short')
      const reading = original(...query)
      await expect(reading).rejects.toThrow()
      await fill('short')
      return await reading
    })
    const response = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      body: JSON.stringify({ apl: "['short'] | count", startTime: '2025-01-01T00:00:00Z' }),
    })
    expect(response).toMatchObject({ status: 200, body: { tables: [{ columns: [[4]] }] } })
  })

  it('removes nothing when the path has another segment in place of a dataset', async () => {
    for (const name of ['_apl', '_stats', '-', '..%2Fweb', "web'%20or%201"])
      expect([404, 405], name).toContain((await remove(name)).status)
    expect((await get('/web/info')).status).toBe(200)
  })

  it('removes the events of batches, which are refused with 410 from then on', async () => {
    const send = (id: string) => fill('batched', { 'x-service-batch-id': id })
    for (const id of ['one', 'two', 'three']) await send(id)
    const counted = async () =>
      (
        await service.send({
          path: '/v1/datasets/_apl?format=tabular',
          body: JSON.stringify({ apl: "['batched'] | count", startTime: '2025-01-01T00:00:00Z' }),
        })
      ).body.tables[0].columns
    expect(await counted()).toEqual([[12]])
    for (let repeat = 0; repeat < 2; repeat++) {
      expect(await removeBatches('batched', { ids: ['one', 'three', 'none'] })).toMatchObject({
        status: 200,
        body: { removed: 8 },
      })
      expect(await counted()).toEqual([[4]])
    }
    for (const id of ['one', 'three', 'none']) expect((await send(id)).status).toBe(410)
    expect((await send('two')).body).toMatchObject({ ingested: 4 })
    expect((await send('four')).body).toMatchObject({ ingested: 4 })
    expect(await counted()).toEqual([[8]])
    expect((await removeBatches('batched', { ids: [] })).body).toEqual({ removed: 0 })
  })

  it.each([
    [{}, 422, 'The request has no `ids`, the ids of the batches to remove.'],
    [{ ids: 'one' }, 400, ''],
    [{ ids: [1] }, 400, ''],
    [[], 400, ''],
    [
      { ids: Array(1001).fill('one') },
      422,
      '`ids` has 1,001 batch ids; at most 1,000 are removed at once. Send several requests.',
    ],
  ])('refuses to remove the batches of %j with %i', async (body, status, message) => {
    const refused = await removeBatches('web', body)
    expect(refused.status).toBe(status)
    expect(refused.body.message).toContain(message)
  })

  it('requires a personal token, and reveals no datasets to others', async () => {
    const request = (token: string, method: string, path: string) =>
      service.send({
        path: `/v1/datasets/${path}`,
        method,
        headers: { authorization: `Bearer ${token}` },
        trusted: false,
      })
    for (const name of ['web', 'none']) {
      for (const [method, path] of [
        ['POST', `${name}/trim`],
        ['POST', `${name}/_batches/remove`],
        ['DELETE', name],
      ] as const) {
        expect((await request('xaat-all', method, path)).status, path).toBe(403)
        expect((await request('xaat-none', method, path)).status, path).toBe(403)
      }
    }
    expect((await request('xapt-right', 'DELETE', 'web')).status).toBe(204)
  })
})
