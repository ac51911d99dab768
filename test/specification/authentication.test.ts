import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { TEST_ENGINE } from '../support/engine.js'
import { type Sent, specifiedService } from './service.js'

const service = specifiedService()
const JSON_TYPE = 'application/json'
const RECORD = { kind: 'apl', metadata: {}, name: 'n', query: { apl: 'logs' }, who: 'team' }

const ingest = (dataset: string): Sent => ({
  path: `/v1/ingest/${dataset}`,
  type: JSON_TYPE,
  body: [{ n: 1 }],
})
const query = (dataset: string): Sent => ({
  path: '/v1/datasets/_apl?format=tabular',
  type: JSON_TYPE,
  body: { apl: `['${dataset}'] | count` },
})
const legacy = (dataset: string): Sent => ({
  path: `/v1/datasets/${dataset}/query`,
  type: JSON_TYPE,
  body: {},
})

let updated: Sent
let personal: string
let querying: string
let ingesting: string

beforeAll(async () => {
  for (const dataset of ['logs', 'secret']) await service.send(ingest(dataset))
  const saved = await service.send({
    path: '/v2/apl-starred-queries',
    type: JSON_TYPE,
    body: RECORD,
  })
  const path = `/v2/apl-starred-queries/${saved.body.id}`
  updated = { method: 'PUT', path, type: JSON_TYPE, body: RECORD }
  personal = await service.makeToken('anna', '--personal', '--org-id', 'acme')
  querying = await service.makeToken('board', '--query', 'logs')
  ingesting = await service.makeToken('shipper', '--ingest', 'logs')
})

const statusOf = async (sent: Sent, more: Partial<Sent>) =>
  (await service.send({ ...sent, ...more })).status

describe('Authentication', () => {
  it('API tokens are restricted to specific actions (for example querying only one dataset).', async () => {
    expect(await statusOf(query('logs'), { token: querying })).toBe(200)
    expect(await statusOf(legacy('logs'), { token: querying })).toBe(200)
    for (const sent of [query('secret'), legacy('secret'), ingest('logs'), updated])
      expect(await statusOf(sent, { token: querying })).toBe(403)
  })

  it('Personal access tokens (PATs) allow every action that the user can perform', async () => {
    for (const sent of [ingest('logs'), query('secret'), legacy('secret'), updated])
      expect(await statusOf(sent, { token: personal })).toBe(200)
  })

  it('API token: header `Authorization: Bearer <API_TOKEN>`.', async () => {
    const asked = (authorization: string) =>
      statusOf(query('logs'), { token: null, headers: { authorization } })
    expect(await asked(`Bearer ${querying}`)).toBe(200)
    expect(await asked(querying)).toBe(403)
    expect(await asked(`Digest ${querying}`)).toBe(403)
    // In addition to the specification, for shippers.
    expect(await asked(`Basic ${btoa(`:${querying}`)}`)).toBe(200)
  })

  it('PAT: header `Authorization: Bearer <API_TOKEN>` plus header `x-service-org-id: <ORG_ID>`', async () => {
    const headers = { 'x-service-org-id': 'acme' }
    expect(await statusOf(query('logs'), { token: personal, headers })).toBe(200)
    const other = { 'x-service-org-id': 'other' }
    expect(await statusOf(query('logs'), { token: personal, headers: other })).toBe(403)
  })

  it('Ingest needs a token permitted to ingest into the target dataset.', async () => {
    expect(await statusOf(ingest('logs'), { token: ingesting })).toBe(200)
    expect(await statusOf(ingest('secret'), { token: ingesting })).toBe(403)
    expect(await service.rows('secret | count')).toEqual([[1]])
  })

  it('Query calls need a token permitted to query.', async () => {
    for (const sent of [query('logs'), legacy('logs')]) {
      expect(await statusOf(sent, { token: querying })).toBe(200)
      expect(await statusOf(sent, { token: ingesting })).toBe(403)
    }
  })

  it('The update-starred-query operation needs the scope `starredQueries|update`.', async () => {
    const token = await service.makeToken('updates', '--starred', 'update')
    expect(await statusOf(updated, { token })).toBe(200)
    for (const refused of [querying, ingesting])
      expect(await statusOf(updated, { token: refused })).toBe(403)
  })

  it('When authentication fails, the service returns status 403.', async () => {
    for (const sent of [ingest('logs'), query('logs'), legacy('logs'), updated]) {
      for (const token of [null, '', 'nonsense', `${personal}x`, personal.slice(0, -1)])
        expect(await statusOf(sent, { token })).toBe(403)
    }
  })
})

describe('Where the specification says not shown: tokens', () => {
  it('an API token starts `xaat-`, a personal access token `xapt-`', () => {
    expect([querying.slice(0, 5), personal.slice(0, 5)]).toEqual(['xaat-', 'xapt-'])
  })

  it('A request without a valid token is 403 before anything else is looked at', async () => {
    const wrong: readonly Sent[] = [
      { path: '/nowhere' },
      { path: '/v1/ingest/-' },
      { path: '/v1/ingest/logs', type: 'image/png', body: '{' },
      { path: '/v1/datasets/_apl', body: '{' },
      { method: 'PATCH', path: '/v1/datasets/_apl' },
    ]
    for (const sent of wrong) expect(await statusOf(sent, { token: null })).toBe(403)
  })

  it('a token without the dataset’s permission gets the same 403 whether or not the dataset exists', async () => {
    for (const make of [query, legacy, ingest]) {
      const token = make === ingest ? querying : ingesting
      const there = await service.send({ ...make('secret'), token })
      const missing = await service.send({ ...make('secrex'), token })
      expect([there.status, missing.status]).toEqual([403, 403])
      expect(missing.text.replaceAll('secrex', 'secret')).toBe(there.text)
    }
  })

  it('a token that queries one dataset gets the same answer for another, whether or not it exists', async () => {
    for (const make of [query, legacy]) {
      const there = await service.send({ ...make('secret'), token: querying })
      const missing = await service.send({ ...make('secrex'), token: querying })
      expect(missing.status).toBe(there.status)
      expect(missing.text.replaceAll('secrex', 'secret')).toBe(there.text)
    }
  })

  it('nearest names hold only datasets that the token may query', async () => {
    const { text } = await service.send({ ...query('secre'), token: querying })
    expect(text).not.toContain('secret')
    const open = await service.send({ ...query('secre'), token: personal })
    expect(open.text).toContain('secret')
  })

  it('A personal token is valid without the organization header; with one that is not its own, 403.', async () => {
    const named = (id: string) => ({ token: personal, headers: { 'x-service-org-id': id } })
    expect(await statusOf(query('logs'), { token: personal })).toBe(200)
    expect(await statusOf(query('logs'), named('acme'))).toBe(200)
    expect(await statusOf(query('logs'), named('else'))).toBe(403)
  })

  it('`/healthz` and `/readyz` are open, `/metrics` wants a personal token unless it is served on loopback.', async () => {
    for (const path of ['/healthz', '/readyz', '/metrics'])
      expect(await statusOf({ method: 'GET', path }, { token: null })).toBe(200)
  })

  it('a revoked token is 403 (`evq token revoke`)', async () => {
    const token = await service.makeToken('brief', '--query', '*')
    expect(await statusOf(query('logs'), { token })).toBe(200)
    await service.revokeToken('brief')
    // Another process has revoked it: on servers, the service notices after a second at most.
    if (TEST_ENGINE !== 'embedded') await sleep(1_500)
    expect(await statusOf(query('logs'), { token })).toBe(403)
  })
})
