import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Grant, may } from '../../../src/service/auth/grant.js'
import { STARRED_ACTIONS } from '../../../src/wire/http/starred.js'
import { type Running, run } from '../running.js'

const api = (name: string, allowed: Partial<Grant>): Grant => ({
  name,
  personal: false,
  ...allowed,
})

const GRANTS: Readonly<Record<string, Grant>> = {
  'xapt-mine': { name: 'mine', personal: true },
  'xapt-acme': { name: 'acme', personal: true, organization: 'acme-1' },
  'xaat-nothing': api('nothing', {}),
  'xaat-shipper': api('shipper', { ingest: ['web', 'new'] }),
  'xaat-board': api('board', { query: ['web', 'later'] }),
  'xaat-reader': api('reader', { query: ['*'] }),
  'xaat-old': api('old', { query: ['*'], expires: '2026-01-01T12:00:00.000Z' }),
  'xaat-young': api('young', { query: ['*'], expires: '2026-01-01T12:00:00.001Z' }),
  ...Object.fromEntries(
    STARRED_ACTIONS.map((action) => [`xaat-${action}`, api(action, { starred: [action] })]),
  ),
}

let service: Running

beforeAll(async () => {
  service = await run({ grants: GRANTS })
  for (const dataset of ['web', 'secret']) {
    const body = `[{"from":"${dataset}"}]`
    const headers = { 'content-type': 'application/json' }
    await service.send({ path: `/v1/ingest/${dataset}`, headers, body })
  }
})

afterAll(() => service.close())

interface CallOptions {
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

async function call(
  token: string,
  path: string,
  { method = 'POST', body, headers }: CallOptions = {},
) {
  return service.send({
    path,
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    trusted: false,
    remoteAddress: '192.0.2.7',
  })
}

const query = (token: string, apl: string) =>
  call(token, '/v1/datasets/_apl?format=tabular', { body: { apl } })
const ingest = (token: string, dataset: string) =>
  call(token, `/v1/ingest/${dataset}`, { body: [{ from: dataset }] })
const STARRED = '/v2/apl-starred-queries'
const RECORD = { kind: 'apl', metadata: {}, name: 'a', query: { apl: 'print 1' }, who: 'team' }

describe('the permissions of a token', () => {
  it('include everything for a personal token', () => {
    const mine = { name: 'mine', personal: true }
    expect([
      may(mine, 'ingest', 'a'),
      may(mine, 'query', 'a'),
      may(mine, 'starred', 'delete'),
    ]).toEqual([true, true, true])
  })

  it('include only what the token names', () => {
    const some = api('some', { ingest: ['a'], query: ['b'], starred: ['read'] })
    expect(['a', 'b', '*', 'A'].map((name) => may(some, 'ingest', name))).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(['a', 'b', 'bb', ''].map((name) => may(some, 'query', name))).toEqual([
      false,
      true,
      false,
      false,
    ])
    expect(STARRED_ACTIONS.filter((action) => may(some, 'starred', action))).toEqual(['read'])
  })
})

describe('ingest', () => {
  it('is allowed into the datasets of the token, existing or new', async () => {
    expect((await ingest('xaat-shipper', 'web')).status).toBe(200)
    expect((await ingest('xaat-shipper', 'new')).status).toBe(200)
    expect((await ingest('xapt-mine', 'anything')).status).toBe(200)
  })

  it('into another dataset fails with the same 403 whether or not it exists, and creates none', async () => {
    const [there, nowhere] = [
      await ingest('xaat-shipper', 'secret'),
      await ingest('xaat-shipper', 'nowhere'),
    ]
    expect(there.body).toEqual({
      code: 403,
      message: 'The token `shipper` does not allow ingest into `secret`.',
    })
    expect(nowhere.text).toBe(there.text.replace('secret', 'nowhere'))
    expect(service.store.schema.datasets).not.toContain('nowhere')
    expect((await ingest('xaat-board', 'web')).status).toBe(403)
  })
})

describe('a query', () => {
  it('is allowed over the datasets of the token', async () => {
    expect((await query('xaat-board', "['web'] | summarize n=count()")).status).toBe(200)
    expect((await query('xaat-reader', "['secret'] | count")).status).toBe(200)
  })

  it.each([
    (name: string) => `['${name}'] | count`,
    (name: string) => `['web'] | union ['${name}']`,
    (name: string) => `['web'] | join kind=inner (['${name}']) on from`,
    (name: string) => `['web'] | where from in ((['${name}'] | project from))`,
    (name: string) => `let all = ['${name}']; all | count`,
    (name: string) => `table('${name}') | count`,
    (name: string) => `['${name}'] | where nofield == 1`,
    (name: string) => `['${name}'] | nonsense`,
  ])('over another dataset fails with the same 403 whether or not it exists: %s', async (apl) => {
    const [there, nowhere] = [
      await query('xaat-board', apl('secret')),
      await query('xaat-board', apl('nowhere')),
    ]
    expect(there.body).toEqual({
      code: 403,
      message: 'The token `board` does not allow queries of `secret`.',
    })
    expect(nowhere.status).toBe(403)
    expect(nowhere.text).toBe(there.text.replaceAll('secret', 'nowhere'))
    const path = '/v1/datasets/_apl/check'
    const checked = await call('xaat-board', path, { body: { apl: apl('secret') } })
    expect(checked.status).toBe(403)
  })

  it.each(['union * | distinct from', 'union se*, w* | distinct from', 'search * | distinct from'])(
    'covers only the datasets of the token with a pattern: %s',
    async (apl) => {
      const { status, body, text } = await query('xaat-board', apl)
      expect(text).not.toContain('secret')
      if (status === 200) expect(body.tables[0].columns).toEqual([['web']])
      else expect(body.problems.length).toBeGreaterThan(0)
    },
  )

  it('suggests only datasets of the token for an unknown one', async () => {
    for (const apl of ["['later'] | count", 'union sec* | count', "table('later')"]) {
      const { status, text } = await query('xaat-board', apl)
      expect([400, 404]).toContain(status)
      expect(text).toContain('web')
      expect(text).not.toContain('secret')
    }
  })

  it('has the same restrictions in the legacy format', async () => {
    const legacy = (dataset: string) =>
      call('xaat-board', `/v1/datasets/${dataset}/query`, {
        body: { startTime: '2025-01-01T00:00:00Z', endTime: '2027-01-01T00:00:00Z' },
      })
    expect((await legacy('web')).status).toBe(200)
    const [there, nowhere] = [await legacy('secret'), await legacy('nowhere')]
    expect(there.body.message).toBe('The token `board` does not allow queries of `secret`.')
    expect(nowhere.text).toBe(there.text.replace('secret', 'nowhere'))
  })

  it('is allowed over every listed dataset', async () => {
    const list = async (token: string) =>
      (await call(token, '/v1/datasets', { method: 'GET' })).body
    expect(await list('xaat-board')).toMatchObject([{ id: 'web', name: 'web' }])
    const names = (await list('xaat-reader')).map(({ name }: { name: string }) => name)
    expect(names).toContain('secret')
    expect(await list('xaat-nothing')).toMatchObject({ code: 403 })
  })

  it('requires a token with a query permission, even over no dataset', async () => {
    for (const token of ['xaat-nothing', 'xaat-shipper', 'xaat-read']) {
      const { status, body } = await query(token, 'print 1')
      expect(status).toBe(403)
      expect(body.message).toMatch(/^The token `\w+` does not allow queries\.$/)
    }
  })
})

describe('starred queries', () => {
  const attempts = (id: string) =>
    ({
      read: [
        ['GET', STARRED],
        ['GET', `${STARRED}/${id}`],
      ],
      create: [['POST', STARRED]],
      update: [['PUT', `${STARRED}/${id}`]],
      delete: [['DELETE', `${STARRED}/${id}`]],
    }) as const

  it.each(STARRED_ACTIONS)('require exactly the scope `%s`', async (action) => {
    const { id } = (await call('xapt-mine', STARRED, { body: RECORD })).body
    for (const [method, path] of attempts(id)[action]) {
      for (const other of STARRED_ACTIONS.filter((one) => one !== action)) {
        const response = await call(`xaat-${other}`, path, { method, body: RECORD })
        expect(response.body).toEqual({
          code: 403,
          message: `The token \`${other}\` does not allow \`starredQueries|${action}\`.`,
        })
      }
      const reply = await call(`xaat-${action}`, path, { method, body: RECORD })
      expect([200, 204]).toContain(reply.status)
    }
  })

  it('are refused without the scope whether or not they exist', async () => {
    const response = await call('xaat-read', `${STARRED}/none`, { method: 'DELETE' })
    expect(response.status).toBe(403)
  })
})

describe('a token', () => {
  it('is refused after its expiry', async () => {
    expect((await query('xaat-young', 'print 1')).status).toBe(200)
    const { status, body } = await query('xaat-old', 'print 1')
    expect(status).toBe(403)
    expect(body.message).toBe('The token `old` expired at 2026-01-01T12:00:00.000Z.')
  })

  it.each([
    ['xapt-mine', undefined, 200],
    ['xapt-mine', '', 200],
    ['xapt-mine', 'other', 403],
    ['xapt-acme', undefined, 200],
    ['xapt-acme', 'acme-1', 200],
    ['xapt-acme', 'acme-2', 403],
    ['xaat-read', 'anything', 200],
  ])('%s with the organization %j results in %i', async (token, organization, status) => {
    const headers: Record<string, string> =
      organization === undefined ? {} : { 'x-service-org-id': organization }
    expect((await call(token, STARRED, { method: 'GET', headers })).status).toBe(status)
  })
})

describe('the audit log', () => {
  const logged = async (work: Promise<{ readonly headers: Readonly<Record<string, string>> }>) => {
    const before = service.refused.length
    const { headers } = await work
    const [line, ...more] = service.refused.slice(before)
    return { line, more, traceId: headers['x-service-trace-id'] }
  }

  it('records who was refused what, when and why', async () => {
    const { line, more, traceId } = await logged(ingest('xaat-shipper', 'secret'))
    expect(more).toEqual([])
    expect(line).toEqual({
      kind: 'refused',
      at: '2026-01-01T12:00:00Z',
      traceId,
      token: 'shipper',
      remoteAddress: '192.0.2.7',
      method: 'POST',
      path: '/v1/ingest/secret',
      reason: 'The token `shipper` does not allow ingest into `secret`.',
    })
  })

  it('never contains a token, wherever one was put', async () => {
    const token = 'xaat-AbCdEfGhIjKlMnOpQrStUvWxYz012345'
    for (const work of [
      () => query(token, 'print 1'),
      () => call(token, `/v1/${token}?q=${token}`),
      () => call('xaat-shipper', `/v1/ingest/${token}`, { body: [] }),
      () => query('xaat-board', `['${token}']`),
      ...['', 'u:', 'us:'].map(
        (user) => () => call(token, `/v1/${Buffer.from(user + token).toString('base64')}`),
      ),
    ]) {
      const { line } = await logged(work())
      expect(line).toBeDefined()
      const words = (JSON.stringify(line).match(/[\w+=-]{8,}/g) ?? []).flatMap((word) => [
        word,
        Buffer.from(word, 'base64').toString('latin1'),
      ])
      expect(words.filter((word) => word.includes(token.slice(6, 12)))).toEqual([])
    }
  })

  it('records a client that disconnects immediately, and nothing that was allowed', async () => {
    const signal = AbortSignal.abort()
    const { line } = await logged(
      service.send({ path: '/v1/ingest/a', trusted: false, signal, headers: {} }),
    )
    expect(line).toMatchObject({ path: '/v1/ingest/a' })
    expect(line?.token).toBeUndefined()
    expect((await logged(query('xaat-reader', 'print 1'))).line).toBeUndefined()
    expect((await logged(query('xaat-reader', "['nowhere']"))).line).toBeUndefined()
  })
})
