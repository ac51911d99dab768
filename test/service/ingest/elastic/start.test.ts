import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../../../src/service/auth/grant.js'
import { type Running, run } from '../../running.js'

// The requests of shippers before they send events, as in their sources: `esleg`, `idxmgmt` and `template` of libbeat, `http_client`,
// `ilm` and `license_checker` of logstash-output-elasticsearch, the sinks `elasticsearch` of Vector and `es` of Fluent Bit.

const shipper: Grant = { name: 'shipper', personal: false, ingest: ['logs'] }
const board: Grant = { name: 'board', personal: false, query: ['*'] }

let service: Running

beforeAll(async () => {
  service = await run({ grants: { 'xaat-shipper': shipper, 'xaat-board': board } })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

const BASIC = `Basic ${Buffer.from('elastic:xaat-shipper').toString('base64')}`

const ask = (method: string, path: string, authorization = BASIC) =>
  service.send({
    method,
    path: `http://localhost${path}`,
    headers: { authorization },
    trusted: false,
    ...(['POST', 'PUT'].includes(method) && { body: '{"template":{}}' }),
  })

const BASES = ['', '/v1/ingest/logs/elastic', '/v1/ingest/logs/elastic/']

describe.each(BASES)('below `%s`', (base) => {
  it.each([
    ['HEAD', ''],
    ['GET', ''],
    ['HEAD', '/'],
    ['GET', '/_license'],
    ['GET', '/_license?human=false'],
    ['GET', '/_xpack'],
    ['GET', '/_nodes/http'],
    ['GET', '/_nodes/_all/http'],
    ['GET', '/_nodes/ingest'],
    ['GET', '/_cluster/health'],
    ['HEAD', '/_template/filebeat-7.17.0'],
    ['PUT', '/_template/filebeat-7.17.0'],
    ['GET', '/_ilm/policy/filebeat'],
    ['PUT', '/_ilm/policy/filebeat'],
    ['GET', '/_alias/filebeat-7.17.0'],
    ['PUT', '/logs'],
    ['PUT', '/logs/_mapping'],
    ['PUT', '/logs/_settings'],
    ['PUT', '/logs/_alias/current'],
    ['POST', '/_aliases'],
    ['PUT', '/%3Cfilebeat-7.17.0-%7Bnow%2Fd%7D-000001%3E'],
    ['HEAD', '/_index_template/filebeat-8.12.1'],
    ['PUT', '/_index_template/filebeat-8.12.1'],
    ['GET', '/_data_stream/filebeat-8.12.1'],
    ['PUT', '/_data_stream/filebeat-8.12.1'],
    ['PUT', '/_component_template/logs'],
    ['GET', '/_ingest/pipeline/filebeat-8.12.1-nginx-access-pipeline'],
    ['PUT', '/_ingest/pipeline/filebeat-8.12.1-nginx-access-pipeline'],
    ['GET', '/_logstash/pipeline'],
  ])('%s %s is responded to', async (method, path) => {
    const { status, headers, body } = await ask(method, `${base}${path}`)
    expect([status, headers['x-elastic-product'], typeof body]).toEqual([
      200,
      'Elasticsearch',
      'object',
    ])
    if (method !== 'GET' && method !== 'HEAD') expect(body.acknowledged).toBe(true)
  })

  it('the version is one that Beats, Logstash and client libraries accept', async () => {
    const { body } = await ask('GET', `${base}/`)
    expect(body).toMatchObject({
      cluster_uuid: expect.stringMatching(/./),
      version: {
        number: expect.stringMatching(/^8\.\d+\.\d+$/),
        build_flavor: 'default',
        // `checkCompatibleInfo` of opensearch-go 1 allows this distribution, or version 7 of any other.
        distribution: 'opensearch',
      },
      tagline: 'You Know, for Search',
    })
  })

  // `ElasticsearchVersionInfo`, `HealthResponse`, `WriteResponseBase` of elasticsearch-java 8.17; `MainResponse` of the older client;
  // `OpenSearchVersionInfo` of opensearch-java 3.2.
  it('responses have the members that the Java clients require', async () => {
    const { version } = (await ask('GET', `${base}/`)).body
    expect(Object.keys(version)).toEqual(
      expect.arrayContaining([
        ...['number', 'build_flavor', 'build_type', 'build_hash', 'build_date', 'build_snapshot'],
        ...['lucene_version', 'minimum_wire_compatibility_version'],
        'minimum_index_compatibility_version',
      ]),
    )
    const health = (await ask('GET', `${base}/_cluster/health`)).body
    expect(Object.keys(health)).toEqual(
      expect.arrayContaining([
        ...['active_primary_shards', 'active_shards', 'active_shards_percent_as_number'],
        ...['cluster_name', 'delayed_unassigned_shards', 'initializing_shards', 'status'],
        ...['number_of_data_nodes', 'number_of_in_flight_fetch', 'number_of_nodes', 'timed_out'],
        ...['number_of_pending_tasks', 'relocating_shards', 'unassigned_shards'],
        'task_max_waiting_in_queue_millis',
      ]),
    )
    const stored = await service.send({
      method: 'POST',
      path: `http://localhost${base}/logs/_doc`,
      headers: { authorization: BASIC, 'content-type': 'application/json' },
      trusted: false,
      body: '{"n":1}',
    })
    expect(stored.body).toMatchObject({
      ...{ _index: 'logs', _id: expect.stringMatching(/./), _version: 1, result: 'created' },
      ...{ _seq_no: expect.any(Number), _primary_term: expect.any(Number) },
      _shards: { total: 1, successful: 1, failed: 0 },
    })
  })

  it.each([
    ['PUT', '_doc'],
    ['POST', '_doc'],
    ['PUT', '_create'],
    ['POST', '_create'],
  ] as const)('a document with an id is stored: %s %s', async (method, endpoint) => {
    const { status, body } = await service.send({
      method,
      path: `http://localhost${base}/logs/${endpoint}/7`,
      headers: { authorization: BASIC, 'content-type': 'application/json' },
      trusted: false,
      body: '{"n":1}',
    })
    expect([status, body]).toMatchObject([201, { _index: 'logs', _id: '7', result: 'created' }])
  })

  // elogrus for versions 5 and 6, bunyan-elasticsearch, and `index` of the Ruby client with a type.
  it.each([
    ['POST', 'log', expect.any(String)],
    ['POST', 'log/7', '7'],
    ['PUT', 'log/7', '7'],
  ])('a document with a type is stored below a dataset: %s %s', async (method, rest, _id) => {
    const { status, body } = await ask(method, `${base}/logs/${rest}`)
    if (base === '') expect([status, body]).toEqual([404, expect.anything()])
    else expect([status, body]).toMatchObject([201, { _index: 'logs', _id, result: 'created' }])
  })

  it('the license is active, and features of indices are available', async () => {
    expect((await ask('GET', `${base}/_license`)).body.license).toMatchObject({
      status: 'active',
      type: 'basic',
      uid: expect.stringMatching(/./),
    })
    expect((await ask('GET', `${base}/_xpack`)).body.features.ilm).toEqual({
      available: true,
      enabled: true,
    })
  })

  // `GetIndexTemplateResponse`, `GetComponentTemplateResponse`, `GetDataStreamResponse` and `LicenseInformation` of elasticsearch-java.
  it('lists and the license have the members that the Java clients require', async () => {
    for (const list of ['index_template', 'component_template', 'data_stream']) {
      expect((await ask('GET', `${base}/_${list}/logs`)).body).toEqual({ [`${list}s`]: [] })
    }
    expect((await ask('GET', `${base}/_license`)).body.license).toMatchObject({
      issue_date: expect.any(String),
      issue_date_in_millis: expect.any(Number),
      start_date_in_millis: expect.any(Number),
      issued_to: expect.any(String),
      issuer: expect.any(String),
    })
  })

  it.each(['/_search', '/logs/_search'])('%s is refused as Elasticsearch does', async (path) => {
    const { status, headers, body } = await ask('POST', `${base}${path}`)
    expect([status, headers['x-elastic-product']]).toEqual([404, 'Elasticsearch'])
    expect(body).toMatchObject({
      error: {
        type: 'resource_not_found_exception',
        reason: expect.stringMatching(/_search` is not/),
      },
      status: 404,
    })
  })

  it('a token that may ingest is required', async () => {
    for (const authorization of ['', 'ApiKey xaat-board', 'ApiKey unknown']) {
      const { status, headers, body } = await ask('GET', `${base}/`, authorization)
      expect([status, headers['x-elastic-product']]).toEqual([403, 'Elasticsearch'])
      expect(body.error.type).toBe('security_exception')
    }
  })
})

it('the only node is the address of the request; an address below a path has no nodes', async () => {
  for (const path of ['/_nodes/http', '/_nodes/_all/http']) {
    const nodesAt = async (host: string, base = '') => {
      const url = `http://localhost${base}${path}`
      const headers = { authorization: BASIC, host }
      return (await service.send({ method: 'GET', path: url, headers, trusted: false })).body.nodes
    }
    const [node] = Object.values(await nodesAt('10.0.0.1:4600'))
    expect(node).toMatchObject({
      http: { publish_address: '10.0.0.1:4600' },
      roles: ['data', 'ingest'],
    })
    expect(await nodesAt('evq.example.com')).toEqual({})
    expect(await nodesAt('10.0.0.1:4600', '/v1/ingest/logs/elastic')).toEqual({})
  }
})

it('an API of a type is not a document', async () => {
  const type = '/v1/ingest/logs/elastic/logs/log'
  expect((await ask('PUT', `${type}/_mapping`)).body).toEqual({ acknowledged: true })
  const { status, body } = await ask('POST', `${type}/_search`)
  expect([status, body.error.reason]).toEqual([404, expect.stringMatching(/_search` is not/)])
})

it('other paths are not affected', async () => {
  const { status, body } = await ask('GET', '/nowhere')
  expect([status, body.message]).toEqual([404, 'There is nothing at `/nowhere`.'])
  expect((await ask('POST', '/v1/ingest/logs/other')).status).toBe(404)
  expect((await ask('DELETE', '/nowhere')).status).toBe(404)
})
