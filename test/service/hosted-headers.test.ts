import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NOW, type Running, run } from './running.js'

const GRANTS = {
  'xapt-plain': { name: 'plain', personal: true },
  'xapt-acme': { name: 'acme', personal: true, organization: 'acme-1' },
  'xaat-shipper': { name: 'shipper', personal: false, ingest: ['*'] },
}

let service: Running

beforeAll(async () => {
  service = await run({ grants: GRANTS })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

type Headers = Readonly<Record<string, string>>

const ingestCsv = (headers: Headers, dataset = 'csv') =>
  service.send({
    path: `/v1/datasets/${dataset}/ingest?csv-delimiter=;`,
    headers: { 'content-type': 'text/csv', ...headers },
    body: '1;2\n3;4\n',
  })

async function values(apl: string): Promise<unknown> {
  const { body, text } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl }),
  })
  expect(body.tables, text).toHaveLength(1)
  return body.tables[0].columns
}

const HOSTED = { 'x-axiom-csv-fields': 'x,y', 'x-axiom-event-labels': '{"host":"h1"}' }

describe('headers of hosted clients', () => {
  it('name the fields of CSV and label events', async () => {
    expect((await ingestCsv(HOSTED)).body).toMatchObject({ ingested: 2, failed: 0 })
    const apl = "['csv'] | sort by x asc | project x, y, host"
    expect(await values(apl)).toEqual([
      [1, 3],
      [2, 4],
      ['h1', 'h1'],
    ])
  })

  it.each([
    [
      '/v1/logs',
      { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'a' } }] }] }] },
    ],
    ['/loki/api/v1/push', { streams: [{ stream: { job: 'j' }, values: [[`${NOW}`, 'a']] }] }],
    ['/_bulk', undefined],
    ['/services/collector', { event: 'a' }],
  ])('label events at %s', async (path, body) => {
    const dataset = `at${path.replaceAll(/\W+/g, '-')}`
    const lines = `{"create":{"_index":"${dataset}"}}\n{"message":"a"}\n`
    const { status, text } = await service.send({
      path: path === '/services/collector' ? `${path}?index=${dataset}` : path,
      headers: {
        'content-type': 'application/json',
        'x-axiom-event-labels': '{"host":"h1","level":5}',
        ...(body !== undefined && { 'x-axiom-dataset': dataset }),
      },
      body: body === undefined ? lines : JSON.stringify(body),
    })
    expect([200, 204], text).toContain(status)
    expect(await values(`['${dataset}'] | project host, level`)).toEqual([['h1'], [5]])
  })

  it('may repeat those of the service with the same value, but not with another one', async () => {
    const same = { ...HOSTED, 'x-service-csv-fields': 'x,y' }
    expect((await ingestCsv(same, 'both')).body).toMatchObject({ ingested: 2 })
    const other = { ...HOSTED, 'x-service-csv-fields': 'a,b' }
    const { status, body } = await ingestCsv(other, 'contradicting')
    expect(status).toBe(400)
    expect(body.message).toBe(
      'The headers `x-service-csv-fields` and `x-axiom-csv-fields` have different values. Send one of them.',
    )
    expect(service.store.schema.datasets).not.toContain('contradicting')
  })

  it('are refused at ingest when they are unknown, and nothing is stored', async () => {
    const { status, body } = await ingestCsv({ ...HOSTED, 'x-axiom-map-fields': 'x' }, 'unknown')
    expect(status).toBe(400)
    expect(body.message).toBe(
      'The header `x-axiom-map-fields` is not supported, and no events were stored. Remove it if the events do not depend on it.',
    )
    expect(service.store.schema.datasets).not.toContain('unknown')
  })

  it('may identify the client and the request', async () => {
    const harmless = { 'x-axiom-client': 'axiom-js/2.0.0', 'x-axiom-trace-id': 't' }
    expect((await ingestCsv({ ...HOSTED, ...harmless }, 'harmless')).status).toBe(200)
  })

  it('name the dataset of the path or none', async () => {
    expect((await ingestCsv({ ...HOSTED, 'x-axiom-dataset': 'a' }, 'a')).status).toBe(200)
    const { status, body } = await ingestCsv({ ...HOSTED, 'x-axiom-dataset': 'b' }, 'a')
    expect(status).toBe(400)
    expect(body.message).toBe(
      'The path names the dataset `a`, and the header `x-service-dataset` names `b`. Omit the header.',
    )
  })
})

describe('the trace id of a response', () => {
  it('has both names, also in errors', async () => {
    for (const path of ['/healthz', '/nowhere']) {
      const { headers } = await service.send({ path, method: 'GET' })
      expect(headers['x-axiom-trace-id']).toMatch(/^[0-9a-f-]{36}$/)
      expect(headers['x-axiom-trace-id']).toBe(headers['x-service-trace-id'])
    }
  })
})

describe('the organization of a request', () => {
  const list = (token: string, headers: Headers) =>
    service.send({
      path: '/v1/datasets',
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, ...headers },
      trusted: false,
    })

  it.each([
    ['xapt-acme', 'acme-1', 200],
    ['xapt-acme', 'other', 403],
    ['xapt-plain', 'evq', 200],
    ['xapt-plain', 'other', 403],
  ])('%s with %s results in %i under both names', async (token, organization, status) => {
    for (const name of ['x-axiom-org-id', 'x-service-org-id']) {
      expect((await list(token, { [name]: organization })).status, name).toBe(status)
    }
  })

  it('that is wrong under one of two names is refused, and the message has the right one', async () => {
    const both = { 'x-service-org-id': 'acme-1', 'x-axiom-org-id': 'other' }
    const { status, body } = await list('xapt-acme', both)
    expect(status).toBe(403)
    expect(body.message).toBe(
      '`x-axiom-org-id` names the organization `other`, but the token `acme` belongs to `acme-1`. Omit the header, or correct it.',
    )
  })

  it('does not matter for an API token', async () => {
    const { status } = await service.send({
      path: '/v1/ingest/a',
      headers: {
        authorization: 'Bearer xaat-shipper',
        'content-type': 'application/json',
        'x-axiom-org-id': 'other',
      },
      body: '[]',
      trusted: false,
    })
    expect(status).toBe(200)
  })
})
