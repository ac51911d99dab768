import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/service/limits.js'
import { type Running, run } from './running.js'

let service: Running

beforeAll(async () => {
  service = await run({ token: 'xapt-right' })
})

afterAll(() => service.close())

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('access', () => {
  const query = { path: '/v1/datasets/_apl?format=tabular', body: '{"apl":""}', trusted: false }

  it('grants access on the socket of the data directory', async () => {
    expect((await service.send({ ...query, trusted: true })).status).toBe(422)
  })

  it('grants access with a valid token', async () => {
    const headers = { authorization: 'Bearer xapt-right' }
    expect((await service.send({ ...query, headers })).status).toBe(422)
  })

  it.each([
    `Basic ${base64('someone:xapt-right')}`,
    `basic  ${base64(':xapt-right')}`,
    `Basic ${base64('xapt-right:')}`,
    `ApiKey ${base64('axiom:xapt-right')}`,
    'ApiKey xapt-right',
    'Splunk xapt-right',
  ])('grants access with the header `Authorization: %s`', async (authorization) => {
    expect((await service.send({ ...query, headers: { authorization } })).status).toBe(422)
  })

  it.each([
    `Basic ${base64('xapt-right:x')}`,
    `Basic ${base64('xapt-right')}`,
    `Basic ${base64(':')}`,
    'Basic',
    `ApiKey ${base64('xapt-right:')}`,
    `ApiKey ${base64('xapt-right')}`,
    `Splunk ${base64('x:xapt-right')}`,
    'Digest xapt-right',
    'xapt-right',
  ])('refuses `Authorization: %s` without a challenge', async (authorization) => {
    const { status, headers } = await service.send({ ...query, headers: { authorization } })
    expect(status).toBe(403)
    expect(headers).not.toHaveProperty('www-authenticate')
  })

  it.each([
    [{}, 'The request has no token. Send the header `Authorization: Bearer <token>`.'],
    [
      { authorization: 'Basic xapt-right' },
      'The request has no token. Send the header `Authorization: Bearer <token>`.',
    ],
    [{ authorization: 'Bearer wrong' }, 'The token is unknown to this service.'],
  ])('refuses the headers %j with 403', async (headers, message) => {
    const { status, body } = await service.send({ ...query, headers })
    expect(status).toBe(403)
    expect(body).toEqual({ code: 403, message })
  })

  it.each(['/nowhere', '/v1/ingest/-', '/v1/datasets/_apl'])(
    'refuses %s without a token before looking at anything else',
    async (path) => {
      expect((await service.send({ path, method: 'PATCH', trusted: false })).status).toBe(403)
    },
  )
})

describe('many requests at once', () => {
  it('do not delay a health check: 16 of them begin first', async () => {
    const query = { path: '/v1/datasets/_apl?format=tabular', body: '{"apl":""}', trusted: false }
    let responses = 0
    const requests = Array.from({ length: 100 }, async () => {
      const { status } = await service.send(query)
      responses += 1
      return status
    })
    expect((await service.send({ path: '/healthz', method: 'GET', trusted: false })).status).toBe(
      200,
    )
    expect(responses).toBeLessThanOrEqual(16)
    expect(await Promise.all(requests)).toEqual(Array(100).fill(403))
  })
})

describe('routes', () => {
  it('responds with 404 to an unknown path', async () => {
    const { status, body } = await service.send({ path: '/v1/nothing' })
    expect(status).toBe(404)
    expect(body).toEqual({ code: 404, message: 'There is nothing at `/v1/nothing`.' })
  })

  it('responds with 405 to an unsupported method', async () => {
    const { status, body } = await service.send({ path: '/v1/datasets/_apl', method: 'GET' })
    expect(status).toBe(405)
    expect(body).toEqual({
      code: 405,
      message: '`/v1/datasets/_apl` takes `POST`, not `GET`.',
    })
  })

  it('responds with 404 where only a dataset can be, and the name is none', async () => {
    for (const path of ['/v2/datasets/_apl', '/v1/datasets/_none']) {
      expect((await service.send({ path })).status, path).toBe(404)
    }
    expect((await service.send({ path: '/v2/datasets/web' })).status).toBe(405)
  })

  it.each(['/healthz', '/readyz'])('answer %s without a token', async (path) => {
    expect((await service.send({ path, method: 'GET', trusted: false })).status).toBe(200)
  })

  it('sends a different trace id with each response', async () => {
    const responses = await Promise.all([
      service.send({ path: '/healthz', method: 'GET' }),
      service.send({ path: '/nowhere', method: 'GET' }),
      service.send({ path: '/nowhere', trusted: false }),
    ])
    const ids = responses.map(({ headers }) => headers['x-service-trace-id'])
    expect(new Set(ids).size).toBe(3)
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

describe('an internal error', () => {
  it('is a 500 with a request id, and is logged', async () => {
    async function* broken(): AsyncGenerator<Buffer> {
      yield Buffer.from('{')
      throw new TypeError('secret')
    }
    const { createService } = await import('../../src/service/app.js')
    const reported: [unknown, string][] = []
    const app = createService({
      store: service.store,
      access: { grantOf: async () => undefined, renameDataset: async () => 0 },
      limits: { ...DEFAULT_LIMITS, bodyBytes: 1 },
      now: () => 0n,
      report: (error, id) => reported.push([error, id]),
    }).app
    const response = await app({
      method: 'POST',
      path: '/v1/datasets/_apl',
      query: new URLSearchParams('format=tabular'),
      headers: {},
      body: broken(),
      signal: new AbortController().signal,
      trusted: true,
    })
    const id = response.headers?.['x-service-trace-id']
    expect(response.status).toBe(500)
    expect(JSON.parse(String(response.body))).toEqual({
      code: 500,
      message: `Internal error. Quote request id \`${id}\` when reporting it.`,
    })
    expect(reported).toEqual([[new TypeError('secret'), id]])
  })
})

describe('a failure after the client disconnected', () => {
  async function* cutBy(caller: AbortController, error: Error): AsyncGenerator<Buffer> {
    yield Buffer.from('{"n":1}\n')
    caller.abort()
    throw error
  }

  async function statusAfter(error: Error): Promise<number> {
    const caller = new AbortController()
    const { createService } = await import('../../src/service/app.js')
    const { status } = await createService({
      store: service.store,
      access: { grantOf: async () => undefined, renameDataset: async () => 0 },
      limits: DEFAULT_LIMITS,
      now: () => 0n,
      report: (error) => reported.push(error),
    }).app({
      method: 'POST',
      path: '/v1/ingest/logs',
      query: new URLSearchParams(),
      headers: { 'content-type': 'application/x-ndjson' },
      body: cutBy(caller, error),
      signal: caller.signal,
      trusted: true,
    })
    return status
  }
  const reported: unknown[] = []

  it('is logged and counted when it is an error of the service', async () => {
    const bug = new TypeError('a bug')
    expect(await statusAfter(bug)).toBe(500)
    expect(reported.splice(0)).toEqual([bug])
  })

  it('is counted when the disk is full', async () => {
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    expect(await statusAfter(full)).toBe(507)
  })

  it.each(['ECONNRESET', 'ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'])(
    'is 499 and not logged when it is %s',
    async (code) => {
      expect(await statusAfter(Object.assign(new Error(code), { code }))).toBe(499)
      expect(reported).toEqual([])
    },
  )
})

describe('changes made by other services', () => {
  it('are read before and after a query and before a list of datasets, but not for ingest and saved queries', async () => {
    const { createService } = await import('../../src/service/app.js')
    let looks = 0
    const refresh = async () => {
      looks += 1
    }
    const app = createService({
      store: { ...service.store, schema: service.store.schema, refresh },
      access: { grantOf: async () => undefined, renameDataset: async () => 0 },
      limits: DEFAULT_LIMITS,
      now: () => 0n,
    }).app
    const looksAt = async (method: string, path: string, text = '') => {
      looks = 0
      const body = (async function* () {
        yield Buffer.from(text)
      })()
      const query = new URLSearchParams('format=tabular')
      const headers = { 'content-type': 'application/x-ndjson' }
      const { signal } = new AbortController()
      const { status } = await app({ method, path, query, headers, body, signal, trusted: true })
      return [status, looks]
    }
    expect(await looksAt('POST', '/v1/ingest/looks', '{}')).toEqual([200, 0])
    expect(await looksAt('GET', '/v2/apl-starred-queries')).toEqual([200, 0])
    expect(await looksAt('POST', '/v1/datasets/_apl', '{"apl":"looks"}')).toEqual([200, 2])
    expect(await looksAt('GET', '/v1/datasets')).toEqual([200, 1])
  })
})
