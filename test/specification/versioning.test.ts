import { describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()
const RECORD = { kind: 'apl', metadata: {}, name: 'n', query: { apl: 'logs' }, who: 'team' }

const statusOf = async (method: string, path: string, body: unknown) =>
  (await service.send({ method, path, type: 'application/json', body })).status

describe('Versioning', () => {
  it('Paths carry a version segment: `/v1/` for ingest and query endpoints', async () => {
    expect(await statusOf('POST', '/v1/ingest/logs', [{ n: 1 }])).toBe(200)
    expect(await statusOf('POST', '/v1/datasets/_apl?format=tabular', { apl: 'logs' })).toBe(200)
    expect(await statusOf('POST', '/v1/datasets/logs/query', {})).toBe(200)
    for (const version of ['', '/v2']) {
      expect(await statusOf('POST', `${version}/ingest/logs`, [{ n: 1 }])).toBe(404)
      const path = `${version}/datasets/_apl?format=tabular`
      expect(await statusOf('POST', path, { apl: 'logs' })).toBe(404)
    }
  })

  it('`/v2/` for the starred query endpoint', async () => {
    const path = '/apl-starred-queries'
    expect(await statusOf('POST', `/v2${path}`, RECORD)).toBe(200)
    for (const version of ['', '/v1'])
      expect(await statusOf('POST', version + path, RECORD)).toBe(404)
  })

  it('The interface description version is 2.0.0.', async () => {
    const { body } = await service.send({ method: 'GET', path: '/openapi.json' })
    expect(body.info.version).toBe('2.0.0')
  })
})

describe('What the service does', () => {
  it('The API follows the REST style, uses JSON for serialization, and encodes responses (including errors) as JSON unless stated otherwise.', async () => {
    await service.ingest('logs', [{ n: 1 }])
    const responses = [
      await service.ingest('logs', [{ n: 1 }]),
      await service.query('logs'),
      await service.query('nothing'),
      await service.legacy('logs', {}),
      await service.send({ method: 'GET', path: '/v2/apl-starred-queries' }),
      await service.send({ method: 'GET', path: '/nowhere' }),
      await service.send({ method: 'GET', path: '/readyz' }),
    ]
    for (const { headers, text } of responses) {
      expect(headers.get('content-type')).toBe('application/json')
      expect(() => JSON.parse(text)).not.toThrow()
    }
  })

  it('A caller needs an account, a dataset, and a token that permits the action on that dataset.', async () => {
    const token = await service.makeToken('one', '--ingest', 'mine', '--query', 'mine')
    expect((await service.ingest('mine', [{ n: 1 }], { token })).status).toBe(200)
    expect((await service.query('mine', { token })).status).toBe(200)
    expect((await service.ingest('logs', [{ n: 1 }], { token })).status).toBe(403)
    expect((await service.query('logs', { token })).status).not.toBe(200)
  })
})
