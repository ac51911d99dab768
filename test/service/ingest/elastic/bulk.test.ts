import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { StoreError } from '../../../../src/engine/store-error.js'
import type { Grant } from '../../../../src/service/auth/grant.js'
import { BulkDocuments } from '../../../../src/service/ingest/elastic/bulk-documents.js'
import { runToEnd } from '../../../../src/wire/steps/steps.js'
import { type Running, run, type TestRequest } from '../../running.js'
import { rowsOf } from '../../stored.js'

const shipper: Grant = { name: 'shipper', personal: false, ingest: ['web'] }

let service: Running

beforeAll(async () => {
  service = await run({ grants: { 'xaat-shipper': shipper } })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

const lines = (...values: readonly unknown[]) =>
  values.map((value) => `${typeof value === 'string' ? value : JSON.stringify(value)}\n`).join('')

const bulk = (path: string, body: TestRequest['body'], more: Partial<TestRequest> = {}) =>
  service.send({ path, ...(body !== undefined && { body }), ...more })

const rows = (apl: string) => rowsOf(service, apl)

const EMPTY = { index: {} }
const item = (index: string, id: unknown) => ({ _index: index, _type: '_doc', _id: id })
const ok = (
  action: string,
  index: string,
  id: unknown = expect.stringMatching(/^[\w-]{20}\d+$/),
) => ({
  [action]: { ...item(index, id), _version: 1, result: 'created', status: 201 },
})
const failed = (index: string, type: string, reason: unknown, status = 400) => ({
  index: { ...item(index, expect.any(String)), status, error: { type, reason } },
})

describe('a bulk request', () => {
  it('stores documents in the datasets of their indices, with their times', async () => {
    const { status, body, headers, text } = await bulk(
      '/_bulk',
      lines(
        { index: { _index: 'logs-app-default' } },
        '{"@timestamp":"2026-01-01T10:00:00.123456789Z","n":"9223372036854775807"}',
        { create: { _index: 'metrics', _type: '_doc', pipeline: 'p', routing: 'r' } },
        { '@timestamp': 1767261600500, message: 'grüße' },
        { index: { _index: 'logs-app-default' } },
        { n: '3' },
      ),
    )
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-elastic-product': 'Elasticsearch',
    })
    expect(body).toEqual({
      took: expect.any(Number),
      errors: false,
      items: [
        ok('index', 'logs-app-default'),
        ok('create', 'metrics'),
        ok('index', 'logs-app-default'),
      ],
    })
    // Fluent Bit reads the beginning of a long response only.
    expect(text.indexOf('"errors"')).toBeLessThan(text.indexOf('"items"'))
    expect(await rows("['logs-app-default'] | sort by _time asc | project _time, n")).toEqual([
      ['2026-01-01T10:00:00.123456789Z', '9223372036854775807'],
      ['2026-01-01T12:00:00Z', '3'],
    ])
    expect(await rows("['metrics'] | project _time, message")).toEqual([
      ['2026-01-01T10:00:00.5Z', 'grüße'],
    ])
  })

  it('has an item with its own status for each action, in their order', async () => {
    const { status, body } = await bulk(
      '/items/_bulk',
      lines(
        EMPTY,
        { n: 1 },
        { create: { _index: 'others' } },
        '{"n":',
        EMPTY,
        '["no object"]',
        { update: { _id: '1' } },
        { doc: { n: 2 } },
        { delete: { _id: '1', _index: 'items' } },
        { index: { _index: '-bad-' } },
        { n: 3 },
        EMPTY,
        '  ',
        EMPTY,
        { '@timestamp': 'yesterday' },
        { create: { _index: 'others' } },
        { n: 4 },
      ),
    )
    const unsupported = (action: string) =>
      `\`${action}\` is not supported: stored events don't change. Use \`index\` or \`create\`.`
    expect(status).toBe(200)
    expect(body).toEqual({
      took: expect.any(Number),
      errors: true,
      items: [
        ok('index', 'items'),
        {
          create: {
            ...item('others', expect.any(String)),
            status: 400,
            error: {
              type: 'document_parsing_exception',
              reason: expect.stringMatching(/^not JSON/),
            },
          },
        },
        failed('items', 'document_parsing_exception', expect.stringContaining('object')),
        {
          update: {
            ...item('', '1'),
            status: 400,
            error: { type: 'illegal_argument_exception', reason: unsupported('update') },
          },
        },
        {
          delete: {
            ...item('items', '1'),
            status: 400,
            error: { type: 'illegal_argument_exception', reason: unsupported('delete') },
          },
        },
        failed(
          '-bad-',
          'invalid_index_name_exception',
          expect.stringContaining('`-bad-` is not a valid dataset name.'),
        ),
        failed('items', 'document_parsing_exception', 'The document is empty.'),
        failed('items', 'document_parsing_exception', expect.stringContaining('`@timestamp`')),
        ok('create', 'others'),
      ],
    })
    expect(await rows("['items'] | project n")).toEqual([[1]])
    expect(await rows("['others'] | project n")).toEqual([[4]])
  })

  it('keeps the id of a document as a field', async () => {
    const { body } = await bulk(
      '/ids/_bulk',
      lines(
        { index: { _id: 'a"\n' } },
        { n: 1 },
        { index: { _id: '2' } },
        ' { } ',
        { create: { _id: 3 } },
        '{"n":3}\r',
        { index: { _id: '4' } },
        '[4]',
        '{"index":{"_id":9007199254740993}}',
        { n: 5 },
      ),
    )
    const answers = body.items.flatMap((one: Record<string, { _id: string; status: number }>) =>
      Object.values(one).map(({ _id, status }) => [_id, status]),
    )
    expect(answers).toEqual([
      ['a"\n', 201],
      ['2', 201],
      ['3', 201],
      ['4', 400],
      ['9007199254740993', 201],
    ])
    expect(await rows("['ids'] | sort by _id asc | project _id, n")).toEqual([
      ['2', null],
      ['3', 3],
      // More than a double holds.
      ['9007199254740993', 5],
      ['a"\n', 1],
    ])
  })

  it('is the same however its bytes arrive', async () => {
    const body = Buffer.from(
      lines(
        { index: { _id: 'ü', _index: 'split' } },
        { text: 'ä\u2028€' },
        { create: { _index: 'split' } },
        '  {"text":"two"}',
        { index: { _index: 'split' } },
        '',
        { delete: { _index: 'split' } },
        { index: { _index: 'split', _id: '4' } },
        '{ }',
      ).trimEnd(),
    )
    const bytes = Array.from(body, (byte) => Buffer.from([byte]))
    const whole = await bulk('/_bulk', body)
    const split = await bulk('/_bulk', bytes)
    expect(whole.body.items.map((item: object) => Object.values(item)[0].status)).toEqual([
      201, 201, 400, 400, 201,
    ])
    const withoutIds = ({ text }: { text: string }) =>
      JSON.parse(text.replace(/"_id":"[\w-]{20}\d"/g, '"_id":"generated"')).items
    expect(withoutIds(split)).toEqual(withoutIds(whole))
    expect(
      await rows("['split'] | summarize n=count() by _id, text | sort by _id asc, text asc"),
    ).toEqual(
      expect.arrayContaining([
        ['ü', 'ä\u2028€', 2],
        ['4', null, 2],
      ]),
    )
    expect(await rows("['split'] | where text == 'two' | count")).toEqual([[2]])
  })

  it('names its dataset in the path, where indices have no effect', async () => {
    for (const path of ['/v1/ingest/web/elastic/_bulk', '/v1/ingest/web/elastic/x/_bulk']) {
      const { body } = await bulk(path, lines({ create: { _index: 'filebeat-8' } }, { path }), {
        method: 'PUT',
        headers: { authorization: `ApiKey ${Buffer.from('id:xaat-shipper').toString('base64')}` },
        trusted: false,
      })
      expect(body.items).toEqual([ok('create', 'filebeat-8')])
    }
    expect(await rows("['web'] | count")).toEqual([[2]])
    expect(service.store.schema.datasets).not.toContain('filebeat-8')
  })

  // Jest, and the JavaScript and Python clients of version 7 with a type.
  it.each(['/typed/_doc/_bulk', '/typed/log/_bulk'])(
    'may have a type in its path: %s',
    async (path) => {
      for (const method of ['POST', 'PUT']) {
        const { status, body } = await bulk(path, lines(EMPTY, { path, method }), { method })
        expect([status, body.items]).toEqual([200, [ok('index', 'typed')]])
      }
      const stored = await rows(
        `['typed'] | where path == '${path}' | project method | sort by method asc`,
      )
      expect(stored).toEqual([['POST'], ['PUT']])
    },
  )

  it('has one dataset for indices of different dates', async () => {
    const indices = [
      'daily',
      'daily-2026.01.30',
      'daily-2026.01',
      'daily-2026.01.30.23',
      'daily-2026-01-30',
      'daily-2026-01',
      'daily_2026.01.30',
    ]
    const { body } = await bulk(
      '/_bulk',
      lines(...indices.flatMap((_index) => [{ index: { _index } }, { n: 1 }])),
    )
    expect(body.items).toEqual(indices.map((name) => ok('index', name)))
    expect(await rows("['daily'] | summarize sum(n)")).toEqual([[7]])
  })

  it.each(['v-2026', 'v-2026.1', 'v2026.01.30', 'v-2026-01.30', 'v-2026.01.30-1'])(
    'has a dataset of its own for the index %s',
    async (name) => {
      const { body } = await bulk('/_bulk', lines({ index: { _index: name } }, { n: 1 }))
      expect(body.items).toEqual([ok('index', name)])
      expect(await rows(`['${name}'] | summarize sum(n)`)).toEqual([[1]])
    },
  )

  it('without an index is for the default dataset', async () => {
    const body = lines(EMPTY, { n: 1 })
    const withDefault = service.limited({}, 'standard')
    expect((await withDefault({ path: '/_bulk', body })).body.items).toEqual([
      ok('index', 'standard'),
    ])
    const { status, body: refusal } = await bulk('/_bulk', body)
    expect([status, refusal.error.reason]).toEqual([
      400,
      expect.stringContaining('The request names no dataset.'),
    ])
  })

  it.each([
    '//_bulk',
    '/_bulk/',
    '//v1//ingest/slashes/elastic/_bulk/',
    '/_bulk/?pipeline=x&refresh=true',
  ])('is accepted at %s', async (path) => {
    const { status } = await service.send({
      path: `http://localhost${path}`,
      body: lines({ index: { _index: 'slashes' } }, { n: 1 }),
    })
    expect(status).toBe(200)
  })

  it('can be compressed', async () => {
    const body = gzipSync(lines(EMPTY, { n: 1 }))
    const headers = {
      'content-encoding': 'gzip',
      'content-type': 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
    }
    expect((await bulk('/zipped/_bulk', body, { headers })).body.errors).toBe(false)
  })

  it('has labels, and its own field for the time, as native requests', async () => {
    await bulk('/options/_bulk?timestamp-field=at', lines(EMPTY, { at: 1767261600 }), {
      headers: { 'x-service-event-labels': '{"env":"prod"}' },
    })
    expect(await rows("['options'] | project _time, env")).toEqual([
      ['2026-01-01T10:00:00Z', 'prod'],
    ])
  })

  it.each([
    ['errors,items.*.error,items.*.status', true, { errors: true, items: 'all' }],
    ['items.*.error', true, { items: [{ index: { error: expect.any(Object) } }] }],
    ['items.*.error', false, {}],
    ['-items,-took', false, { errors: false }],
    ['errors,items.create.status', true, { errors: true }],
    ['items.*.e*r.ty*', true, { items: [{ index: { error: { type: expect.any(String) } } }] }],
    ['**.reason', true, { items: [{ index: { error: { reason: expect.any(String) } } }] }],
    [
      'took,errors,items.index.s**',
      false,
      { took: expect.any(Number), errors: false, items: [{ index: { status: 201 } }] },
    ],
  ])(
    'has the members of the response that `filter_path=%s` names',
    async (filter, fails, wanted) => {
      const body = fails ? lines(EMPTY, { n: 1 }, EMPTY, 'x') : lines(EMPTY, { n: 1 })
      const { body: response } = await bulk(`/filtered/_bulk?filter_path=${filter}`, body)
      const all = [
        { index: { status: 201 } },
        { index: { status: 400, error: { type: expect.any(String), reason: expect.any(String) } } },
      ]
      expect(response).toEqual(
        'items' in wanted && wanted.items === 'all' ? { ...wanted, items: all } : wanted,
      )
    },
  )

  it('lists every rejected document, of more than 10,000', async () => {
    const events = Array.from({ length: 12_000 }, (_, n) => (n % 12 === 0 ? `{"n":${n}}` : '"x"'))
    const { body } = await bulk(
      '/many/_bulk',
      events.map((event) => `{"index":{}}\n${event}\n`).join(''),
    )
    const statuses = body.items.map((item: { index: { status: number } }) => item.index.status)
    expect(statuses).toEqual(events.map((_, n) => (n % 12 === 0 ? 201 : 400)))
    expect(await rows("['many'] | count")).toEqual([[1000]])
  })

  it('is counted under its protocol, with all rejected actions', async () => {
    const metric = async (name: string) => {
      const { text } = await service.send({ method: 'GET', path: '/metrics' })
      return Number(new RegExp(`^${name}{protocol="elastic"} (\\d+)$`, 'm').exec(text)?.[1])
    }
    const before = [
      await metric('evq_ingested_events_total'),
      await metric('evq_rejected_events_total'),
    ]
    await bulk('/counted/_bulk', lines(EMPTY, { n: 1 }, EMPTY, 'x', { delete: {} }))
    expect([
      (await metric('evq_ingested_events_total')) - before[0]!,
      (await metric('evq_rejected_events_total')) - before[1]!,
    ]).toEqual([1, 2])
  })
})

describe('an action with further members', () => {
  it('is its first member, as for Elasticsearch 8: winston-elasticsearch adds its attempts', async () => {
    const body = lines({ index: { _index: 'attempts' }, attempts: 0 }, { n: 1 })
    const { status, body: response } = await bulk('/_bulk', body)
    expect([status, response.errors]).toEqual([200, false])
    expect(response.items).toMatchObject([{ index: { _index: 'attempts', status: 201 } }])
    expect(service.store.schema.datasets).toContain('attempts')
  })
})

describe('the last document', () => {
  it('may lack its line feed, also when its action is rejected', async () => {
    const index = '{"index":{"_index":"unended"}}\n{"n":1}\n'
    for (const action of ['update', 'index']) {
      const body = `${index}{"${action}":{"_index":"unended"}}\n{"n":2}`
      const { status, body: response } = await bulk('/_bulk', body)
      expect(status).toBe(200)
      expect(response.items).toMatchObject([
        { index: { status: 201 } },
        { [action]: { status: action === 'index' ? 201 : 400 } },
      ])
    }
    expect(await rows("['unended'] | summarize count() by n | sort by n asc")).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
})

describe('a refused bulk request', () => {
  const refusal = async (body: TestRequest['body'], more: Partial<TestRequest> = {}) => {
    const { status, body: response, headers } = await bulk('/refused/_bulk', body, more)
    expect(headers['x-elastic-product']).toBe('Elasticsearch')
    const { error } = response
    expect(response).toEqual({
      error: { root_cause: [{ ...error, root_cause: undefined }], ...error },
      status,
    })
    return [status, error.type, error.reason]
  }

  it.each([
    ['', 'The request body has no actions.'],
    ['\n \n', 'The request body has no actions.'],
    [
      lines(EMPTY),
      'Malformed action in line 2: a document expected. None of the events were stored.',
    ],
    [
      lines(EMPTY, { n: 1 }, { n: 2 }),
      'Malformed action in line 3: an object with `index` or `create` expected. None of the events were stored.',
    ],
    [
      lines({ index: 'x' }, { n: 1 }),
      'Malformed action in line 1: `index` must be an object. None of the events were stored.',
    ],
    [
      lines({ attempts: 0, index: {} }, { n: 1 }),
      'Malformed action in line 1: an object with `index` or `create` expected. None of the events were stored.',
    ],
    [
      lines({ index: { _index: 'x'.repeat(65_536) } }, { n: 1 }),
      'Malformed action in line 1: it has more than 65,536 bytes. None of the events were stored.',
    ],
  ])('has the shape of Elasticsearch: %j', async (body, reason) => {
    expect(await refusal(body)).toEqual([400, 'illegal_argument_exception', reason])
    expect(service.store.schema.datasets).not.toContain('refused')
  })

  it.each(['', ' \n '])('has a single document that is empty: %j', async (body) => {
    const { status, body: response } = await bulk('/refused/_doc', body)
    expect([status, response.error.reason]).toEqual([
      400,
      'The request body is empty: an event expected.',
    ])
  })

  it('has no token, or one that does not allow a dataset', async () => {
    const body = lines(EMPTY, { n: 1 })
    const [status, type] = await refusal(body, { trusted: false })
    expect([status, type]).toEqual([403, 'security_exception'])
    const headers = { authorization: 'ApiKey xaat-shipper' }
    expect(await refusal(body, { trusted: false, headers })).toEqual([
      403,
      'security_exception',
      'The token `shipper` does not allow ingest into `refused`.',
    ])
  })

  it('is too large, or its compressed body is invalid', async () => {
    const small = service.limited({ bodyBytes: 100 })
    const { status, body } = await small({ path: '/refused/_bulk', body: 'x'.repeat(101) })
    expect([status, body.error.type]).toEqual([413, 'content_too_long_exception'])
    const headers = { 'content-encoding': 'gzip' }
    expect((await refusal('no gzip', { headers }))[0]).toBe(400)
  })
})

describe('the documents of a bulk request', () => {
  const documents = () =>
    new BulkDocuments({
      datasetOf: (index = '') => index,
      batchFor: (dataset) => ({ dataset, timestampField: '@timestamp' }),
    })
  const outcome = {
    ingested: 1,
    failed: 0,
    rejected: [],
    blocksCreated: 1,
    bytes: 1,
    arrivedAt: 0n,
  }

  it('are sent again when only their dataset could not be stored', () => {
    const read = documents()
    const index = (name: string) => ({ index: { _index: name } })
    const body = lines(index('a'), {}, index('b'), {}, index('c'), {}, index('d'), {})
    for (const _ of read.decode(Buffer.from(body)));
    const failures = (['disk-full', 'unavailable', 'failed'] as const).map(
      (reason) => new StoreError(reason, `${reason}.`),
    )
    const results = new Map(
      [...read.batches].map((batch, i) => [batch, [outcome, ...failures][i]!]),
    )
    const { items, errors } = JSON.parse(
      runToEnd(read.items.encode(results, { tookMs: 1, keeps: () => true })),
    )
    const BUSY = 'es_rejected_execution_exception'
    expect(errors).toBe(true)
    expect(items).toEqual([
      ok('index', 'a'),
      failed('b', BUSY, 'disk-full.', 429),
      failed('c', BUSY, 'unavailable.', 429),
      failed('d', 'exception', 'failed.', 500),
    ])
  })

  it('are lines of the batches of their datasets', () => {
    const body = [1, 2, 3, 4, 5, 6, 7, 8]
      .map((n) => {
        const id = n % 3 === 0 ? { _id: `${n}` } : {}
        const action = {
          [n % 2 ? 'index' : 'create']: { _index: n < 6 ? 'a' : `b${n % 2}`, ...id },
        }
        return lines(action, { n, text: 'x'.repeat(n * 20_000) }, { delete: {} })
      })
      .join('')
    const event = (n: number) =>
      `{${n % 3 === 0 ? `"_id":"${n}",` : ''}"n":${n},"text":"${'x'.repeat(n * 20_000)}"}\n`
    const read = documents()
    const found: Record<string, string> = {}
    for (const { batch, lines } of read.decode(Buffer.from(body))) {
      found[batch.dataset] = (found[batch.dataset] ?? '') + lines.toString()
    }
    expect(found).toEqual({
      a: [1, 2, 3, 4, 5].map(event).join(''),
      b0: event(6) + event(8),
      b1: event(7),
    })
    expect(read.items.count).toBe(16)
  })

  it('are at most 200,000', () => {
    const decode = (count: number) => [
      ...documents().decode(Buffer.from('{"delete":{}}\n'.repeat(count))),
    ]
    expect(decode(200_000)).toEqual([])
    expect(() => decode(200_001)).toThrow(
      'The request has more than 200,000 actions: none of the events were stored.',
    )
  })

  it('name at most 1,000 indices, those of rejected actions included', () => {
    const decode = (count: number) => {
      const actions = Array.from({ length: count }, (_, i) => ({ delete: { _index: `i${i}` } }))
      return [...documents().decode(Buffer.from(lines(...actions)))]
    }
    expect(decode(1000)).toEqual([])
    expect(() => decode(1001)).toThrow(
      'The actions of the request name more than 1,000 indices: none of the events were stored.',
    )
  })
})
