import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Running, run } from './running.js'

const PATH = '/v2/apl-starred-queries'
const RECORD = {
  dataset: 'logs',
  kind: 'apl',
  metadata: { team: 'search', colour: 'blau ü' },
  name: 'Errors by service',
  query: {
    apl: "['logs'] | where status >= 500 | summarize count() by service",
    startTime: 'now-1h',
    endTime: 'now',
    queryOptions: { resolution: '1m' },
    variables: { least: 5 },
  },
  who: 'team',
}

let service: Running

beforeAll(async () => {
  service = await run()
})

afterAll(() => service.close())

beforeEach(async () => {
  for (const { id } of (await get('?limit=1000')).body) await call('DELETE', `/${id}`)
})

const get = (path = '') => service.send({ path: PATH + path, method: 'GET' })
const call = (method: string, path: string, body?: unknown) =>
  service.send({ path: PATH + path, method, ...(body !== undefined && { body: text(body) }) })
const text = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

describe('a starred query', () => {
  it('is created under a new id and read back unchanged', async () => {
    const created = await call('POST', '', RECORD)
    expect(created.status).toBe(200)
    expect(created.body).toEqual({ id: expect.any(String), ...RECORD })
    expect((await get(`/${created.body.id}`)).body).toEqual(created.body)
    expect((await call('POST', '', RECORD)).body.id).not.toBe(created.body.id)
  })

  it('is created once when the request is repeated with its key', async () => {
    const key = '0e2f9c4a-7c61-4f0c-9d0e-5a1b2c3d4e5f'
    const create = (body: unknown, idempotencyKey = key) =>
      service.send({
        ...{ path: PATH, method: 'POST', body: text(body) },
        headers: { 'idempotency-key': idempotencyKey },
      })
    const created = await create(RECORD)
    expect(created).toMatchObject({ status: 200, body: { id: key, ...RECORD } })
    expect(await create(RECORD)).toMatchObject({ status: 200, body: created.body })
    expect((await get()).body).toHaveLength(1)
    expect((await create({ ...RECORD, name: 'Other' })).status).toBe(409)
    expect((await get(`/${key}`)).body).toEqual(created.body)
    expect((await create(RECORD, 'mine')).status).toBe(400)
  })

  it('is replaced as a whole by an update, which returns 200 with the record and its id', async () => {
    const { id } = (await call('POST', '', RECORD)).body
    const { dataset: _, ...without } = RECORD
    const changed = { ...without, name: 'Other', metadata: {} }
    const updated = await call('PUT', `/${id}`, changed)
    expect(updated).toMatchObject({ status: 200, body: { id, ...changed } })
    expect(updated.body).not.toHaveProperty('dataset')
    expect((await get(`/${id}`)).body).toEqual({ id, ...changed })
  })

  it('keeps the last of many concurrent updates', async () => {
    const { id } = (await call('POST', '', RECORD)).body
    for (let n = 1; n <= 20; n++) await call('PUT', `/${id}`, { ...RECORD, name: `Name ${n}` })
    expect((await get(`/${id}`)).body.name).toBe('Name 20')
  })

  it('is gone after it is deleted', async () => {
    const { id } = (await call('POST', '', RECORD)).body
    const deleted = await call('DELETE', `/${id}`)
    expect(deleted).toMatchObject({ status: 204, text: '' })
    expect((await get(`/${id}`)).status).toBe(404)
    expect((await call('DELETE', `/${id}`)).status).toBe(404)
    expect((await get()).body).toEqual([])
  })

  it.each(['GET', 'PUT', 'DELETE'])('is 404 for %s when it does not exist', async (method) => {
    const { status, body } = await call(method, '/none', method === 'PUT' ? RECORD : undefined)
    expect(status).toBe(404)
    expect(body.message).toBe('There is no starred query `none`.')
  })

  it.each(['kind', 'metadata', 'name', 'query', 'who'] as const)(
    'is refused with 422 and a message that names the missing `%s`',
    async (name) => {
      const { [name]: _, ...without } = RECORD
      const { status, body } = await call('POST', '', without)
      expect(status).toBe(422)
      expect(body.message).toBe(`The starred query has no \`${name}\`.`)
    },
  )

  it('does not require `dataset`', async () => {
    const { dataset: _, ...without } = RECORD
    expect((await call('POST', '', without)).status).toBe(200)
  })

  it.each([
    [{ ...RECORD, kind: 'sql' }, 422, /`kind` must be `apl`/],
    [{ ...RECORD, query: { startTime: 'now' } }, 422, /no `apl`/],
    [{ ...RECORD, name: ' ' }, 422, /no `name`/],
    [{ ...RECORD, name: 5 }, 400, /`name` must be a string/],
    [{ ...RECORD, metadata: { a: 1 } }, 400, /`a` in `metadata` must be a string/],
    [{ ...RECORD, metadata: [] }, 400, /`metadata` must be an object/],
    [{ ...RECORD, query: "['logs']" }, 400, /`query` must be an object/],
    [{ ...RECORD, dataset: 1 }, 400, /`dataset` must be a string/],
    ['[]', 400, /must be an object/],
    ['{', 400, /not valid JSON/],
  ])('is refused when it is %j', async (body, status, message) => {
    const response = await call('POST', '', body)
    expect(response.status).toBe(status)
    expect(response.body.message).toMatch(message)
    expect((await get()).body).toEqual([])
  })

  it('keeps every integer exactly', async () => {
    const long = '9007199254740993'
    const query = `{"apl":"['logs']","defaultLimit":${long},"queryOptions":{"maxDataPoints":${long}},"variables":{"n":-${long},"l":[${long}]}}`
    const record = `{"kind":"apl","metadata":{"n":"${long}"},"name":"Long","query":${query},"who":"team"}`
    const created = await call('POST', '', record)
    const { id } = created.body
    const stored = `{"id":"${id}",${record.slice(1)}`
    const updated = await call('PUT', `/${id}`, record)
    const texts = [created.text, updated.text, (await get(`/${id}`)).text, (await get()).text]
    expect(texts).toEqual([stored, stored, stored, `[${stored}]`])
  })

  it('can contain any string', async () => {
    const hostile = `'); DROP TABLE evq.document; -- \\ \0 \u2028 😀`
    const record = { ...RECORD, name: hostile, metadata: { [hostile]: hostile } }
    const { id } = (await call('POST', '', record)).body
    expect((await get(`/${id}`)).body).toEqual({ id, ...record })
    expect((await get(`/${encodeURIComponent(hostile)}`)).status).toBe(404)
  })
})

describe('a list of starred queries', () => {
  beforeEach(async () => {
    for (const [name, who, dataset, apl] of [
      ['b', 'all', 'logs', "['logs'] | count"],
      ['a', 'team', 'logs', "['logs'] | limit 5"],
      ['c', 'team', 'web', "['web'] | count"],
    ] as const) {
      await call('POST', '', { ...RECORD, name, who, dataset, query: { apl } })
    }
  })

  it.each([
    ['', ['a', 'b', 'c']],
    ['?limit=2', ['a', 'b']],
    ['?limit=2&offset=1', ['b', 'c']],
    ['?offset=3', []],
    ['?dataset=web', ['c']],
    ['?who=team', ['a', 'c']],
    ['?who=team&dataset=logs', ['a']],
    ['?qs=COUNT', ['b', 'c']],
    ['?qs=nothing', []],
  ])('filtered by %s contains %j', async (query, names) => {
    const { status, body } = await get(query)
    expect(status).toBe(200)
    expect(body.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  it.each(['limit=-1', 'limit=many', 'offset=1.5'])('is 400 with %s', async (query) => {
    expect((await get(`?${query}`)).status).toBe(400)
  })
})
