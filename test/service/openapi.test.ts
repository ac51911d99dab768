import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FOREIGN_APIS } from '../../src/service/ingest/foreign-apis.js'
import { INTERFACE_ROUTES } from '../../src/service/interface-routes.js'
import { type Running, run, type TestRequest, type TestResponse } from './running.js'

let service: Running
// biome-ignore lint/suspicious/noExplicitAny: the document is the subject of the test
let document: any
let ajv: Ajv2020

beforeAll(async () => {
  service = await run({ token: 'xapt-right' })
  document = (await service.send({ path: '/openapi.json', method: 'GET', trusted: false })).body
  ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ $id: 'document', ...closed(document) })
})

/** The document without permission for unknown members, so that a response with an undescribed one fails. */
function closed(value: unknown): object {
  return JSON.parse(JSON.stringify(value), (_, schema) =>
    schema?.type === 'object' && schema.properties
      ? { ...schema, additionalProperties: false }
      : schema,
  )
}

afterAll(() => service.close())

describe('the OpenAPI document', () => {
  it('is version 3.1 and requires no token', () => {
    expect(document.openapi).toBe('3.1.0')
    expect(document.info.version).toBe('2.0.0')
  })

  it('describes every route of the interface and no other', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const served = INTERFACE_ROUTES.map(
      ({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`,
    )
    expect(described.sort()).toEqual(served.sort())
  })

  it('names the APIs of other vendors, with a link to the documentation of each', () => {
    const { description } = document.info
    for (const { name, documentation, routes } of FOREIGN_APIS) {
      expect(description).toContain(`- [${name}](${documentation}): `)
      expect(new URL(documentation).protocol).toBe('https:')
      const paths = routes.map(({ path }) => path.replace(/:(\w+)/g, '{$1}'))
      expect(Object.keys(document.paths).filter((path) => paths.includes(path))).toEqual([])
    }
  })

  it('requires a token, and its scope, where the service does', () => {
    for (const { method, path, permission } of INTERFACE_ROUTES) {
      const at = path.replace(/:(\w+)/g, '{$1}')
      const { security } = document.paths[at][method.toLowerCase()]
      const scoped = permission.startsWith('starredQueries|')
        ? [{ token: [permission] }]
        : undefined
      expect(security, path).toEqual(permission === 'open' ? [] : scoped)
    }
  })

  // As the specification of the interface says.
  it('has 403 as the only status of authentication that fails', () => {
    const { description } = document.components.responses.Refusal
    expect(description).toContain('- 403: The token is missing or unknown,')
    expect(description).not.toContain('401')
  })

  it('references only existing schemas, and every schema is referenced', () => {
    const text = JSON.stringify(document)
    const named = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map((match) => match[1])
    expect([...new Set(named)].sort()).toEqual(Object.keys(document.components.schemas).sort())
  })

  it('declares all path parameters', () => {
    for (const [path, methods] of Object.entries<Record<string, { parameters?: object[] }>>(
      document.paths,
    )) {
      for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
        for (const { parameters } of Object.values(methods)) {
          expect(parameters, path).toContainEqual(
            expect.objectContaining({ in: 'path', name, required: true }),
          )
        }
      }
    }
  })
})

describe('a response', () => {
  const RECORD = {
    kind: 'apl',
    metadata: { a: 'b' },
    name: 'n',
    query: { apl: "['logs']" },
    who: 'all',
  }
  const events = [
    '{"_time":"2026-01-01T00:00:00.5Z","service":"a","status":200,"ok":true,"tags":["x"]}',
    '{"_time":"2026-01-01T00:00:01Z","service":"b","status":"x","geo":{"city":"c"}}',
    'not JSON',
  ].join('\n')
  const apl = (text: string, more: object = {}) => JSON.stringify({ apl: text, ...more })

  let starred: string

  beforeAll(async () => {
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.send({ path: '/v1/ingest/logs', headers, body: events })
    const created = await service.send({
      path: '/v2/apl-starred-queries',
      body: JSON.stringify(RECORD),
    })
    starred = created.body.id
  })

  const cases: readonly (readonly [path: string, sent: () => TestRequest, status: number])[] = [
    [
      '/v1/ingest/{dataset}',
      () => ({
        path: '/v1/ingest/logs',
        headers: { 'content-type': 'application/x-ndjson' },
        body: events,
      }),
      200,
    ],
    ['/v1/ingest/{dataset}', () => ({ path: '/v1/ingest/-', body: '[]' }), 400],
    [
      '/v1/ingest/{dataset}',
      () => ({ path: '/v1/ingest/logs', headers: { 'content-type': 'image/png' }, body: 'x' }),
      415,
    ],
    ...[
      "['logs']",
      "['logs'] | summarize count(), percentile(status, 50) by service, bin(_time, 1m)",
      "['logs'] | where status == 1",
    ].map(
      (query) =>
        [
          '/v1/datasets/_apl',
          () => ({ path: '/v1/datasets/_apl?format=tabular', body: apl(query) }),
          200,
        ] as const,
    ),
    [
      '/v1/datasets/_apl',
      () => ({ path: '/v1/datasets/_apl?format=legacy', body: apl("['logs']") }),
      200,
    ],
    [
      '/v1/datasets/_apl',
      () => ({ path: '/v1/datasets/_apl?format=tabular', body: apl("['logs'] | where statu") }),
      400,
    ],
    [
      '/v1/datasets/_apl',
      () => ({ path: '/v1/datasets/_apl?format=tabular', body: apl("['none']") }),
      404,
    ],
    ['/v1/datasets/_apl', () => ({ path: '/v1/datasets/_apl?format=tabular', body: '{}' }), 422],
    ['/v1/datasets/_apl', () => ({ path: '/v1/datasets/_apl', body: '{}', trusted: false }), 403],
    [
      '/v1/datasets/_apl/check',
      () => ({ path: '/v1/datasets/_apl/check', body: apl("['logs']") }),
      200,
    ],
    [
      '/v1/datasets/{dataset}/query',
      () => ({
        path: '/v1/datasets/logs/query',
        body: JSON.stringify({
          startTime: '2025-01-01T00:00:00Z',
          endTime: '2027-01-01T00:00:00Z',
          aggregations: [{ op: 'count', field: '*' }],
          groupBy: ['service'],
        }),
      }),
      200,
    ],
    ['/v1/datasets', () => ({ path: '/v1/datasets', method: 'GET' }), 200],
    [
      '/v2/datasets',
      () => ({ path: '/v2/datasets', body: '{"name":"made","retentionDays":1}' }),
      200,
    ],
    ['/v1/datasets', () => ({ path: '/v1/datasets', body: '{"name":"made"}' }), 409],
    [
      '/v1/datasets/{dataset}',
      () => ({ path: '/v1/datasets/made', method: 'PUT', body: '{"description":"x"}' }),
      200,
    ],
    ['/v2/datasets/{dataset}', () => ({ path: '/v2/datasets/logs', method: 'GET' }), 200],
    [
      '/v2/datasets/{dataset}/trim',
      () => ({ path: '/v2/datasets/made/trim', body: '{"maxDuration":"1h0m0s"}' }),
      200,
    ],
    ['/v1/datasets/_fields', () => ({ path: '/v1/datasets/_fields', method: 'GET' }), 200],
    [
      '/v2/datasets/{dataset}/fields',
      () => ({ path: '/v2/datasets/logs/fields', method: 'GET' }),
      200,
    ],
    ['/v2/user', () => ({ path: '/v2/user', method: 'GET' }), 200],
    ['/v2/orgs', () => ({ path: '/v2/orgs', method: 'GET' }), 200],
    ['/v2/orgs/{id}', () => ({ path: '/v2/orgs/none', method: 'GET' }), 404],
    ['/v1/datasets/_stats', () => ({ path: '/v1/datasets/_stats', method: 'GET' }), 200],
    ['/v1/datasets/{dataset}/info', () => ({ path: '/v1/datasets/logs/info', method: 'GET' }), 200],
    [
      '/v1/datasets/{dataset}/trim',
      () => ({ path: '/v1/datasets/logs/trim', body: '{"before":"2020-01-01T00:00:00Z"}' }),
      200,
    ],
    [
      '/v1/datasets/{dataset}/_batches/remove',
      () => ({ path: '/v1/datasets/logs/_batches/remove', body: '{"ids":["none"]}' }),
      200,
    ],
    ['/v1/datasets/{dataset}', () => ({ path: '/v1/datasets/none', method: 'DELETE' }), 404],
    ['/v2/apl-starred-queries', () => ({ path: '/v2/apl-starred-queries', method: 'GET' }), 200],
    [
      '/v2/apl-starred-queries/{id}',
      () => ({ path: `/v2/apl-starred-queries/${starred}`, method: 'GET' }),
      200,
    ],
    [
      '/v2/apl-starred-queries/{id}',
      () => ({
        path: `/v2/apl-starred-queries/${starred}`,
        method: 'PUT',
        body: JSON.stringify(RECORD),
      }),
      200,
    ],
    [
      '/v2/apl-starred-queries/{id}',
      () => ({ path: '/v2/apl-starred-queries/none', method: 'GET' }),
      404,
    ],
    ['/healthz', () => ({ path: '/healthz', method: 'GET' }), 200],
    ['/readyz', () => ({ path: '/readyz', method: 'GET' }), 200],
  ]

  it.each(cases)('matches the schema of its operation: %s (%#)', async (path, sent, status) => {
    const request = sent()
    const reply = await service.send(request)
    expect(reply.status).toBe(status)
    check(path, request, reply)
  })

  it('is detected when it does not match its schema', () => {
    const body = { ingested: -1, failed: 0, failures: [{}], processedBytes: 0, blocksCreated: 0 }
    const request = { path: '/v1/ingest/logs' }
    const reply = { status: 200, headers: {}, text: '', body }
    expect(() => check('/v1/ingest/{dataset}', request, reply)).toThrow()
  })

  it('is detected when it has a member that its schema does not describe', () => {
    const reply = { status: 200, headers: {}, text: '', body: [{ id: 'a', name: 'a', age: 1 }] }
    expect(() => check('/v1/datasets', { method: 'GET', path: '' }, reply)).toThrow()
    const described = { ...reply, body: [{ id: 'a', name: 'a' }] }
    expect(() => check('/v1/datasets', { method: 'GET', path: '' }, described)).not.toThrow()
  })

  function check(
    path: string,
    { method = 'POST' }: TestRequest,
    { status, body }: Pick<TestResponse, 'status' | 'body'>,
  ): void {
    const escaped = path.replaceAll('~', '~0').replaceAll('/', '~1')
    const response =
      status < 400
        ? `paths/${escaped}/${method.toLowerCase()}/responses/${status}`
        : 'components/responses/Refusal'
    const pointer = `${response}/content/application~1json/schema`
    const validate = ajv.compile({ $ref: `document#/${encodeURI(pointer)}` })
    validate(body)
    expect(validate.errors ?? []).toEqual([])
  }
})
