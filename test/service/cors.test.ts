import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, run, type TestRequest } from './running.js'

const PAGE = 'https://app.example.com'
const TOKEN = 'xaat-page'
const GRANTS = { [TOKEN]: { name: 'page', personal: false, ingest: ['web'], query: ['web'] } }

let service: Running

async function open(allowedOrigins?: readonly string[]): Promise<void> {
  service = await run({ grants: GRANTS, ...(allowedOrigins && { allowedOrigins }) })
}

/** Returns the response without the headers that are not about origins. */
async function answer(request: TestRequest) {
  const { status, headers, text } = await service.send({ trusted: false, ...request })
  const cors = Object.entries(headers).filter(([name]) => /^(access-control|vary)/.test(name))
  return { status, cors: Object.fromEntries(cors), text }
}

const preflight = (path: string, origin = PAGE) =>
  answer({
    method: 'OPTIONS',
    path,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-axiom-client',
    },
  })

const ALLOWED = {
  'access-control-allow-origin': PAGE,
  'access-control-expose-headers': '*',
  vary: 'origin',
}

describe('a service with allowed origins', () => {
  beforeAll(() => open([PAGE, 'http://localhost:3000']))
  afterAll(() => service.close())

  it.each([
    '/v1/ingest/web',
    '/v1/datasets/web/ingest',
    '/v1/datasets/_apl?format=tabular',
    '/v1/query/_apl',
    '/v1/datasets/web/query',
  ])('permits requests to %s, before there is a token', async (path) => {
    expect(await preflight(path)).toEqual({
      status: 204,
      text: '',
      cors: {
        ...ALLOWED,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'authorization,content-type,x-axiom-client',
        'access-control-max-age': '7200',
      },
    })
    const other = await preflight(path, 'http://localhost:3000')
    expect(other.cors['access-control-allow-origin']).toBe('http://localhost:3000')
  })

  it.each(['https://app.example.com.evil.org', 'https://app.example.com:444', 'null', ''])(
    'does not permit requests of %j',
    async (origin) => {
      expect(await preflight('/v1/ingest/web', origin)).toMatchObject({ status: 403, cors: {} })
    },
  )

  it.each(['/metrics', '/v2/apl-starred-queries', '/nowhere/else', '/v1/datasets/web/rename'])(
    'does not permit requests to %s',
    async (path) => {
      expect(await preflight(path)).toMatchObject({ status: 403, cors: {} })
    },
  )

  it('lets the page read responses and errors', async () => {
    const type = { 'content-type': 'application/json' }
    const headers = { origin: PAGE, authorization: `Bearer ${TOKEN}`, ...type }
    const stored = await answer({ path: '/v1/ingest/web', headers, body: '[{"a":1}]' })
    expect([stored.status, stored.cors]).toEqual([200, ALLOWED])
    const body = JSON.stringify({ apl: "['web'] | wher a" })
    const broken = await answer({ path: '/v1/query/_apl?format=tabular', headers, body })
    expect([broken.status, broken.cors]).toEqual([400, ALLOWED])
    expect(broken.text).toContain('`where`')
    const withoutToken = await answer({
      path: '/v1/ingest/web',
      headers: { origin: PAGE, ...type },
    })
    expect([withoutToken.status, withoutToken.cors]).toEqual([403, ALLOWED])
  })

  it('responds to other origins and programs without the headers', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    const request = { path: '/v1/ingest/web', body: '[{"a":2}]' }
    const origins: Record<string, string>[] = [{}, { origin: 'https://evil.org' }]
    for (const origin of origins) {
      const { status, cors } = await answer({ ...request, headers: { ...headers, ...origin } })
      expect([status, cors]).toEqual([200, {}])
    }
  })

  it('does not take a plain OPTIONS request for a preflight', async () => {
    const { status } = await answer({ method: 'OPTIONS', path: '/v1/ingest/web' })
    expect(status).toBe(403)
  })
})

describe('a service that allows every origin', () => {
  beforeAll(() => open(['*']))
  afterAll(() => service.close())

  it('names none in its responses', async () => {
    const { status, cors } = await preflight('/v1/ingest/web', 'https://any.example')
    expect(status).toBe(204)
    expect(cors['access-control-allow-origin']).toBe('*')
    expect(cors).not.toHaveProperty('vary')
  })
})

describe('a service without allowed origins', () => {
  beforeAll(() => open())
  afterAll(() => service.close())

  it('sends none of the headers', async () => {
    const refused = await preflight('/v1/ingest/web')
    expect([refused.status, refused.cors]).toEqual([403, {}])
    const headers = { origin: PAGE, authorization: `Bearer ${TOKEN}` }
    expect((await answer({ path: '/v1/ingest/web', headers })).cors).toEqual({})
  })
})
