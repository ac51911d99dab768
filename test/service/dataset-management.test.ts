import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../src/service/auth/grant.js'
import { temporaryDirectory } from '../support/temporary.js'
import { type Running, run } from './running.js'

const GRANTS: Readonly<Record<string, Grant>> = {
  'xapt-anna': { name: 'anna', personal: true },
  'xapt-acme': { name: 'acme', personal: true, organization: 'acme-1' },
  'xaat-web': { name: 'web', personal: false, query: ['web'], ingest: ['web'] },
  'xaat-reader': { name: 'reader', personal: false, query: ['*'] },
  'xaat-shipper': { name: 'shipper', personal: false, ingest: ['*'] },
}
const directory = temporaryDirectory()
/** The time of all requests in these tests. */
const NOON = '2026-01-01T12:00:00Z'

let service: Running

beforeAll(async () => {
  service = await run({ directory, grants: GRANTS })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

async function call(method: string, path: string, body?: unknown, token = 'xapt-anna') {
  const response = await service.send({
    method,
    path,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    trusted: false,
  })
  return { status: response.status, body: response.body }
}

const message = (response: Awaited<ReturnType<typeof call>>) => [
  response.status,
  response.body.message,
]
const names = async (path: string, token: string) =>
  (await call('GET', path, undefined, token)).body.map(
    (one: { name?: string; datasetName?: string }) => one.name ?? one.datasetName,
  )

const DESCRIBED = {
  id: 'web',
  name: 'web',
  kind: 'axiom:events:v1',
  description: 'Web servers',
  who: 'anna',
  created: NOON,
  canWrite: true,
  useRetentionPeriod: false,
  retentionDays: 0,
}

describe('creating a dataset', () => {
  it('returns it, and it can be queried before it has events', async () => {
    const created = await call('POST', '/v2/datasets', { name: 'web', description: 'Web servers' })
    expect(created).toEqual({ status: 200, body: DESCRIBED })
    for (const path of ['/v1/datasets/web', '/v2/datasets/web']) {
      expect(await call('GET', path)).toEqual({ status: 200, body: DESCRIBED })
    }
    expect((await call('GET', '/v1/datasets')).body).toEqual([DESCRIBED])
    const query = await call('POST', '/v1/datasets/_apl?format=tabular', {
      apl: "['web'] | count",
    })
    expect(query.body.tables[0].columns).toEqual([[0]])
  })

  it('fails with 409 when there is one of that name', async () => {
    expect(message(await call('POST', '/v1/datasets', { name: 'web', description: '' }))).toEqual([
      409,
      'The dataset `web` already exists.',
    ])
    expect((await call('GET', '/v1/datasets/web')).body.description).toBe('Web servers')
  })

  it.each([
    [{}, 422, 'The request has no `name`, the name of the dataset.'],
    [{ name: '_x' }, 400, expect.stringContaining('`_x` is not a valid dataset name.')],
    [{ name: 'm', kind: 'otel:metrics:v1' }, 422, expect.stringContaining('`kind` is ')],
    [
      { name: 'm', useRetentionPeriod: true, retentionDays: 0 },
      422,
      'With `useRetentionPeriod`, `retentionDays` must be between 1 and 36525.',
    ],
  ])('fails for %j', async (body, status, text) => {
    expect(message(await call('POST', '/v2/datasets', body))).toEqual([status, text])
    expect(service.store.schema.datasets).toEqual(['web'])
  })

  it('happens with the first events, and keeps who sent them and when', async () => {
    await call('POST', '/v1/datasets/shipped/ingest', [{ a: 1 }], 'xaat-shipper')
    expect((await call('GET', '/v1/datasets/shipped')).body).toMatchObject({
      description: '',
      who: 'shipper',
      created: NOON,
    })
  })
})

describe('updating a dataset', () => {
  it('changes what the request names', async () => {
    const described = await call('PUT', '/v1/datasets/shipped', { description: 'From ships' })
    expect(described).toMatchObject({
      status: 200,
      body: { description: 'From ships', who: 'shipper' },
    })
    const aging = { useRetentionPeriod: true, retentionDays: 30 }
    expect((await call('PUT', '/v2/datasets/shipped', aging)).body).toMatchObject({
      description: 'From ships',
      ...aging,
    })
    expect((await call('GET', '/v1/datasets/shipped/info')).body.retention).toBe('30d')
    const kept = { description: 'Ships', useRetentionPeriod: false, retentionDays: 0 }
    expect((await call('PUT', '/v2/datasets/shipped', kept)).body).toMatchObject(kept)
    expect((await call('GET', '/v1/datasets/shipped/info')).body.retention).toBeUndefined()
  })

  it('fails for an unknown dataset', async () => {
    expect(message(await call('PUT', '/v1/datasets/none', { description: 'x' }))).toEqual([
      404,
      'There is no dataset `none`.',
    ])
  })
})

describe('the description of a dataset', () => {
  it('is kept over a restart, and with events of an empty dataset', async () => {
    await service.close()
    service = await run({ directory, grants: GRANTS })
    expect((await call('GET', '/v2/datasets/web')).body).toEqual(DESCRIBED)
    await call('POST', '/v1/ingest/web', [{ status: 200 }, { status: 404 }], 'xaat-web')
    expect((await call('GET', '/v2/datasets/web')).body).toEqual(DESCRIBED)
    expect((await call('GET', '/v1/datasets/shipped')).body.description).toBe('Ships')
  })

  it('moves with a new name, and is deleted with the dataset', async () => {
    await call('POST', '/v1/datasets/shipped/rename', { name: 'moved' })
    expect((await call('GET', '/v1/datasets/moved')).body).toMatchObject({
      id: 'moved',
      description: 'Ships',
      who: 'shipper',
    })
    expect((await call('DELETE', '/v2/datasets/moved')).status).toBe(204)
    expect((await call('GET', '/v2/datasets/moved')).status).toBe(404)
    await call('POST', '/v2/datasets', { name: 'moved' })
    expect((await call('GET', '/v1/datasets/moved')).body).toMatchObject({
      description: '',
      who: 'anna',
    })
    await call('DELETE', '/v1/datasets/moved')
  })

  it('of a dataset without a record has the arrival of its first event, also after a deletion', async () => {
    await call('POST', '/v1/ingest/old', [{ _time: '2020-01-01T00:00:00Z' }])
    await service.store.datasetRecords.remove('old')
    const described = { who: '', created: NOON, description: '' }
    expect((await call('GET', '/v1/datasets/old')).body).toMatchObject(described)
    await call('POST', '/v1/datasets/old/trim', { maxDuration: '1h' })
    expect((await call('GET', '/v1/datasets/old')).body).toMatchObject(described)
    await call('DELETE', '/v1/datasets/old')
  })

  it('includes sizes and the time of creation in statistics', async () => {
    const info = (await call('GET', '/v1/datasets/web/info')).body
    expect(info).toMatchObject({ name: 'web', numEvents: 2, numFields: 3, created: NOON })
    expect(info.inputBytes).toBeGreaterThan(0)
    const [stats] = (await call('GET', '/v1/datasets/_stats')).body
    expect(stats).toMatchObject({ created: NOON, inputBytes: info.inputBytes })
  })
})

describe('fields', () => {
  const field = (name: string, type: string) => ({
    name,
    type,
    unit: '',
    hidden: false,
    description: '',
  })
  const FIELDS = [
    field('_sysTime', 'datetime'),
    field('_time', 'datetime'),
    field('status', 'integer'),
  ]

  it('are listed for one dataset, and for all', async () => {
    expect((await call('GET', '/v2/datasets/web/fields')).body).toEqual(FIELDS)
    expect((await call('GET', '/v1/datasets/_fields')).body).toEqual([
      { datasetName: 'web', fields: FIELDS },
    ])
    expect((await call('GET', '/v2/datasets/none/fields')).status).toBe(404)
  })
})

describe('trimming by age', () => {
  it('deletes the events older than a duration of Go', async () => {
    const events = [1, 2, 3].map((hours) => ({ _time: `2026-01-01T0${9 - hours}:30:00Z` }))
    await call('POST', '/v1/ingest/aging', events)
    // It is noon: the events are from 8:30, 7:30 and 6:30.
    const trim = (maxDuration: string) => call('POST', '/v2/datasets/aging/trim', { maxDuration })
    expect(await trim('5h0m0s')).toEqual({ status: 200, body: { deleted: 1 } })
    expect(await trim('14400s')).toEqual({ status: 200, body: { deleted: 1 } })
    expect(await trim('876000h')).toEqual({ status: 200, body: { deleted: 0 } })
  })

  it.each([
    // Sent by axiom-py for `timedelta(days=30)`.
    ['0s', 'takes a duration'],
    ['soon', 'takes a duration'],
    ['-1h', 'takes a duration'],
    ['', 'has neither `before`'],
  ])('refuses %j and deletes nothing', async (maxDuration, text) => {
    const refused = await call('POST', '/v1/datasets/aging/trim', { maxDuration })
    expect(message(refused)).toEqual([422, expect.stringContaining(text)])
    expect((await call('GET', '/v1/datasets/aging/info')).body.numEvents).toBe(1)
  })

  it('refuses a time and an age together', async () => {
    const body = { maxDuration: '1h', before: 'now' }
    expect((await call('POST', '/v1/datasets/aging/trim', body)).status).toBe(422)
    await call('DELETE', '/v1/datasets/aging')
  })
})

describe('an API token', () => {
  beforeAll(async () => {
    await call('POST', '/v1/datasets', { name: 'secret' })
  })

  it('lists and describes exactly the datasets that it may query', async () => {
    for (const path of [
      '/v1/datasets',
      '/v2/datasets',
      '/v1/datasets/_stats',
      '/v1/datasets/_fields',
    ]) {
      expect(await names(path, 'xaat-web'), path).toEqual(['web'])
      expect(await names(path, 'xaat-reader'), path).toEqual(['secret', 'web'])
      expect((await call('GET', path, undefined, 'xaat-shipper')).status, path).toBe(403)
    }
  })

  it('gets the same 403 for other datasets, whether or not they exist', async () => {
    const paths = (name: string) => [
      `/v1/datasets/${name}`,
      `/v2/datasets/${name}`,
      `/v1/datasets/${name}/info`,
      `/v2/datasets/${name}/fields`,
    ]
    for (const path of paths('web')) {
      expect((await call('GET', path, undefined, 'xaat-web')).status, path).toBe(200)
    }
    for (const path of [...paths('secret'), ...paths('none')]) {
      const { status, body } = await call('GET', path, undefined, 'xaat-web')
      expect(status, path).toBe(403)
      expect(body.message).toMatch(/^The token `web` does not allow queries of `(secret|none)`\.$/)
    }
  })

  it('says whether it may write', async () => {
    const canWrite = async (token: string) =>
      (await call('GET', '/v2/datasets/web', undefined, token)).body.canWrite
    expect([await canWrite('xaat-web'), await canWrite('xaat-reader')]).toEqual([true, false])
  })

  it('can neither create, change, trim nor delete datasets', async () => {
    const bodies = [
      ['POST', '/v2/datasets', { name: 'more' }],
      ['PUT', '/v2/datasets/web', { description: 'x' }],
      ['POST', '/v2/datasets/web/trim', { maxDuration: '1h' }],
      ['DELETE', '/v2/datasets/web', undefined],
    ] as const
    for (const [method, path, body] of bodies) {
      expect((await call(method, path, body, 'xaat-web')).status, path).toBe(403)
    }
  })
})

describe('the user of a token', () => {
  it('has the name of the token, and the members that clients require', async () => {
    for (const path of ['/v1/user', '/v2/user']) {
      expect((await call('GET', path)).body).toEqual({
        id: 'anna',
        name: 'anna',
        email: '',
        emails: [],
        role: { id: 'owner', name: 'owner' },
      })
      expect((await call('GET', path, undefined, 'xaat-shipper')).body).toMatchObject({
        name: 'shipper',
        role: { name: 'custom' },
      })
      expect((await call('GET', path, undefined, 'xaat-unknown')).status).toBe(403)
    }
  })

  it('is in the organization of the token', async () => {
    const of = async (token: string) => (await call('GET', '/v2/orgs', undefined, token)).body
    expect(await of('xapt-anna')).toMatchObject([{ id: 'evq', name: 'evq', role: 'owner' }])
    expect(await of('xapt-acme')).toMatchObject([{ id: 'acme-1', slug: 'acme-1' }])
    const acme = await call('GET', '/v2/orgs/acme-1', undefined, 'xapt-acme')
    expect(acme).toMatchObject({ status: 200, body: { id: 'acme-1', plan: 'enterprise' } })
    expect(message(await call('GET', '/v2/orgs/other', undefined, 'xapt-acme'))).toEqual([
      404,
      'There is no organization `other`. The token `acme` belongs to `acme-1`.',
    ])
  })
})
