import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Sent, specifiedService } from './service.js'

const service = specifiedService()
const JSON_TYPE = 'application/json'
const APL = '/v1/datasets/_apl?format=tabular'
const RECORD = { kind: 'apl', metadata: {}, name: 'n', query: { apl: 'logs' }, who: 'team' }

beforeAll(async () => {
  await service.ingest('logs', [{ n: 1 }])
})

/** One refused request of each kind, by its description. */
const REFUSALS: readonly (readonly [string, number, Sent])[] = [
  ['malformed APL', 400, { path: APL, body: { apl: 'logs | where' } }],
  ['an unknown field', 400, { path: APL, body: { apl: 'logs | where m == 1' } }],
  ['malformed JSON', 400, { path: APL, body: '{' }],
  ['a body of the wrong type', 400, { path: APL, body: '[]' }],
  ['a malformed name', 400, { path: '/v1/ingest/-', body: [] }],
  ['authentication', 403, { path: APL, body: { apl: 'logs' }, token: 'xaat-unknown' }],
  ['an unknown dataset', 404, { path: APL, body: { apl: 'nothing' } }],
  ['an unknown path', 404, { path: '/v3/datasets', body: {} }],
  ['an unknown id', 404, { method: 'PUT', path: '/v2/apl-starred-queries/x', body: RECORD }],
  ['another method', 405, { method: 'DELETE', path: APL }],
  ['a media type', 415, { path: '/v1/ingest/logs', type: 'text/html', body: 'x' }],
  [
    'an encoding',
    415,
    { path: '/v1/ingest/logs', body: 'x', headers: { 'content-encoding': 'br' } },
  ],
  ['a missing field', 422, { path: APL, body: {} }],
  [
    'an enum value outside its list',
    422,
    {
      path: APL,
      body: { apl: 'logs', queryOptions: { priority: 'none' } },
    },
  ],
  ['an empty field', 422, { path: '/v2/apl-starred-queries', body: { ...RECORD, name: '' } }],
]
const refused = (sent: Sent) => service.send({ type: JSON_TYPE, ...sent })

describe('Errors', () => {
  it('Authentication unsuccessful: 403', async () => {
    const { status } = await service.query('logs', { token: null })
    expect(status).toBe(403)
  })

  it.each(REFUSALS)('Errors are JSON objects like other responses: %s', async (_, __, sent) => {
    const { headers, body } = await refused(sent)
    expect(headers.get('content-type')).toBe(JSON_TYPE)
    expect(Array.isArray(body)).toBe(false)
    expect(body).toEqual(expect.any(Object))
  })

  it('Per-event ingest problems are reported in the `failed` and `failures` fields of a normal ingest result.', async () => {
    const { status, body } = await service.ingest('logs', '[{"n":1},2]')
    expect(status).toBe(200)
    expect(Object.keys(body).sort()).toEqual([
      'blocksCreated',
      'failed',
      'failures',
      'ingested',
      'processedBytes',
      'walLength',
    ])
    expect(body).toMatchObject({ ingested: 1, failed: 1, failures: [{ index: 1 }] })
  })
})

describe('Where the specification says not shown: errors', () => {
  it.each(REFUSALS)(
    'Body: `{"code": <status or word>, "message": "<sentence>"}`: %s is %i',
    async (_, status, sent) => {
      const response = await refused(sent)
      expect(response.status).toBe(status)
      expect(response.body).toMatchObject({ code: status, message: expect.stringMatching(/[.?]$/) })
      expect(response.text).not.toMatch(/\bat .*\.js|node_modules|ClickHouse/)
    },
  )

  it('Each answer carries a request id (`x-service-trace-id`)', async () => {
    const ids = new Set<string | null>()
    const sent = [...REFUSALS.map(([, , request]) => request), { path: APL, body: { apl: 'logs' } }]
    for (const request of sent) ids.add((await refused(request)).headers.get('x-service-trace-id'))
    expect(ids.size).toBe(sent.length)
    expect(ids).not.toContain(null)
  })

  it('405 names the methods that there are', async () => {
    const { body } = await service.send({ method: 'GET', path: APL })
    expect(body.message).toContain('POST')
  })

  it('what is no HTTP at all gets an answer too', async () => {
    const { hostname, port } = new URL(service.address())
    const socket = connect(Number(port), hostname)
    socket.end('nonsense\r\n\r\n')
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /)
  })
})
