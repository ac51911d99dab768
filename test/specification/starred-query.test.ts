import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()
const PATH = '/v2/apl-starred-queries'
const RECORD = {
  dataset: 'logs',
  kind: 'apl',
  metadata: { colour: 'blau', team: 'ops' },
  name: 'errors',
  query: { apl: "['logs'] | where n > 1", startTime: 'now-1h', queryOptions: { priority: 'high' } },
  who: 'team',
}

let id: string

beforeAll(async () => {
  id = (await create(RECORD)).body.id
})

const create = (body: unknown) => send('POST', '', body)
const update = (body: unknown, to = id) => send('PUT', `/${to}`, body)
const send = (method: string, path: string, body?: unknown, token?: string) =>
  service.send({
    method,
    path: PATH + path,
    type: 'application/json',
    ...(body !== undefined && { body }),
    ...(token !== undefined && { token }),
  })
const without = (field: string) =>
  Object.fromEntries(Object.entries(RECORD).filter(([name]) => name !== field))

describe('What the service does', () => {
  it('Stores saved queries ("starred queries") that can be updated.', async () => {
    expect((await update({ ...RECORD, name: 'other' })).status).toBe(200)
    expect((await send('GET', `/${id}`)).body.name).toBe('other')
  })
})

describe('Starred query (request body of update)', () => {
  it('`dataset`: string, optional', async () => {
    const { status, body } = await update(without('dataset'))
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('dataset')
    expect(await update({ ...RECORD, dataset: 1 })).toMatchObject({ status: 400 })
  })

  it('`kind`: string, required; allowed value: `apl`', async () => {
    expect(await update(RECORD)).toMatchObject({ status: 200, body: { kind: 'apl' } })
    expect(await update({ ...RECORD, kind: 'sql' })).toMatchObject({ status: 422 })
  })

  it('`metadata`: map of string to string, required', async () => {
    expect((await update(RECORD)).body.metadata).toEqual(RECORD.metadata)
    expect(await update({ ...RECORD, metadata: {} })).toMatchObject({ status: 200 })
    for (const metadata of [{ n: 1 }, 'text', []])
      expect(await update({ ...RECORD, metadata })).toMatchObject({ status: 400 })
  })

  it('`name`: string, required', async () => {
    const name = "Fehler – 'ü' 👍"
    expect((await update({ ...RECORD, name })).body.name).toBe(name)
    expect(await update({ ...RECORD, name: 1 })).toMatchObject({ status: 400 })
  })

  it('`query`: APL request with options, required', async () => {
    const query = {
      apl: 'logs',
      cursor: 'c',
      defaultLimit: 10,
      defaultOrder: [{ field: '_time', desc: false }],
      endTime: 'now',
      includeCursor: true,
      includeCursorField: false,
      libraries: ['l'],
      queryOptions: {
        disableCache: true,
        disableStats: true,
        disableTrace: true,
        maxDataPoints: 1,
        maxSeries: 2,
        noAggregation: true,
        noFill: true,
        noInterpolation: true,
        priority: 'low',
        resolution: '1m',
      },
      startTime: 'now-1h',
      variables: { v: 1 },
    }
    expect((await update({ ...RECORD, query })).body.query).toEqual(query)
    expect(await update({ ...RECORD, query: 'logs' })).toMatchObject({ status: 400 })
    expect(await update({ ...RECORD, query: {} })).toMatchObject({ status: 422 })
  })

  it('`who`: string, required', async () => {
    for (const who of ['team', 'all', 'user', 'u-1'])
      expect(await update({ ...RECORD, who })).toMatchObject({ status: 200, body: { who } })
    expect(await update({ ...RECORD, who: 1 })).toMatchObject({ status: 400 })
  })

  it.each(['kind', 'metadata', 'name', 'query', 'who'])(
    'All of these are required except `dataset`: `%s`',
    async (field) => {
      const { status, body } = await update(without(field))
      expect(status).toBe(422)
      expect(body.message).toContain(field)
    },
  )
})

describe('Starred query with id (response of update)', () => {
  it('All fields of the starred query, plus `id` (string, required).', async () => {
    expect((await update(RECORD)).body).toEqual({ ...RECORD, id })
  })
})

describe('Update starred query', () => {
  it('Method and path: PUT {base_url}/v2/apl-starred-queries/<id>', async () => {
    const sent = { path: `${PATH}/${id}`, type: 'application/json', body: RECORD }
    expect(await service.send({ ...sent, method: 'PUT' })).toMatchObject({ status: 200 })
    expect(await service.send({ ...sent, method: 'POST' })).toMatchObject({ status: 405 })
  })

  it('Path parameter: `id`, string, required.', async () => {
    expect(await send('PUT', '', RECORD)).toMatchObject({ status: 405 })
    expect((await send('PUT', '/', RECORD)).status).toBe(404)
  })

  it('Request body (required, `application/json`): starred query.', async () => {
    expect(await send('PUT', `/${id}`)).toMatchObject({ status: 400 })
    expect(await update('{')).toMatchObject({ status: 400 })
    expect(await update('[]')).toMatchObject({ status: 400 })
  })

  it('Response 200, `application/json`: starred query with id.', async () => {
    const { status, headers, body } = await update(RECORD)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('application/json')
    expect(body.id).toBe(id)
  })

  it('Required scope: `starredQueries|update`.', async () => {
    const may = await service.makeToken('updates', '--starred', 'update')
    const mayNot = await service.makeToken('others', '--starred', 'read,create,delete')
    expect(await send('PUT', `/${id}`, RECORD, may)).toMatchObject({ status: 200 })
    expect(await send('PUT', `/${id}`, RECORD, mayNot)).toMatchObject({ status: 403 })
  })
})

describe('Authentication', () => {
  it('The update-starred-query operation is declared with the operation scope `starredQueries|update`.', async () => {
    const { body } = await service.send({ method: 'GET', path: '/openapi.json', token: null })
    const { put } = body.paths['/v2/apl-starred-queries/{id}']
    expect(put.security).toEqual([{ token: ['starredQueries|update'] }])
  })
})

describe('Where the specification says not shown: starred queries', () => {
  it('`PUT` replaces the whole record', async () => {
    await update(RECORD)
    const bare = { kind: 'apl', metadata: {}, name: 'n', query: { apl: 'x' }, who: 'all' }
    await update(bare)
    expect((await send('GET', `/${id}`)).body).toEqual({ ...bare, id })
  })

  it('an unknown id is 404', async () => {
    for (const method of ['PUT', 'GET', 'DELETE'])
      expect(await send(method, '/nobody', method === 'PUT' ? RECORD : undefined)).toMatchObject({
        status: 404,
      })
  })

  it('`POST` (200, with a new id)', async () => {
    const responses = [await create(RECORD), await create(RECORD)]
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 200, body: { ...RECORD, id: expect.any(String) } })
    expect(responses[0]?.body.id).not.toBe(responses[1]?.body.id)
  })

  it('`GET` (list: `limit`, `offset`, `dataset`, `who`, `qs`)', async () => {
    for (const name of ['a', 'b', 'c'])
      await create({ ...RECORD, dataset: 'listed', who: `u-${name}`, name: `list ${name}` })
    const names = async (query: string) => {
      const { body } = await send('GET', `?${query}`)
      return body.map(({ name }: { name: string }) => name)
    }
    expect(await names('dataset=listed')).toEqual(['list a', 'list b', 'list c'])
    expect(await names('dataset=listed&limit=2')).toEqual(['list a', 'list b'])
    expect(await names('dataset=listed&limit=2&offset=2')).toEqual(['list c'])
    expect(await names('who=u-b')).toEqual(['list b'])
    expect(await names('qs=list%20c')).toEqual(['list c'])
  })

  it('`DELETE /<id>` (204)', async () => {
    const { body } = await create(RECORD)
    const response = await send('DELETE', `/${body.id}`)
    expect({ status: response.status, text: response.text }).toEqual({ status: 204, text: '' })
    expect(await send('GET', `/${body.id}`)).toMatchObject({ status: 404 })
  })

  it('Starred scopes are `read`, `create`, `update`, `delete`; none implies another.', async () => {
    const requests = {
      read: ['GET', `/${id}`],
      create: ['POST', '', RECORD],
      update: ['PUT', `/${id}`, RECORD],
      delete: ['DELETE', '/nobody'],
    } as const
    const actions = Object.keys(requests) as (keyof typeof requests)[]
    for (const allowed of actions) {
      const token = await service.makeToken(`only-${allowed}`, '--starred', allowed)
      for (const action of actions) {
        const [method, path, body] = requests[action]
        const { status } = await send(method, path, body, token)
        expect({ allowed, action, isRefused: status === 403 }).toEqual({
          allowed,
          action,
          isRefused: action !== allowed,
        })
      }
    }
  })
})
