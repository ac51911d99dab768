import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../../../src/service/auth/grant.js'
import { type Running, run, type TestRequest } from '../../running.js'
import { rowsOf } from '../../stored.js'

const api = (name: string, ingest: readonly string[]): Grant => ({ name, personal: false, ingest })
const GRANTS = {
  'xaat-shipper': api('shipper', ['web']),
  'xaat-two': api('two', ['web', 'app']),
  'xaat-all': api('all', ['*']),
  'xaat-old': { ...api('old', ['web']), expires: '2020-01-01T00:00:00Z' },
  'xaat-board': { name: 'board', personal: false, query: ['*'] },
}

let service: Running

beforeAll(async () => {
  service = await run({ grants: GRANTS })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

type Sent = Omit<Partial<TestRequest>, 'body'>

async function send(path: string, body: TestRequest['body'], more: Sent = {}) {
  const response = await service.send({
    path: `/services/collector${path}`,
    ...(body !== undefined && { body }),
    ...more,
  })
  return { status: response.status, body: response.body, headers: response.headers }
}

const rows = (apl: string) => rowsOf(service, apl)

const SUCCESS = { text: 'Success', code: 0 }
const NONE = 'None of the events were stored.'

describe('envelopes', () => {
  it('follow one another without anything between them, or with white space, or in an array', async () => {
    const envelope = (n: number) => `{"event":{"n":${n},"t":"}{\\"["},"index":"packed"}`
    for (const body of [
      envelope(1) + envelope(2) + envelope(3),
      `${envelope(1)}\r\n\n ${envelope(2)}\t${envelope(3)}\n`,
      ` [${envelope(1)}, ${envelope(2)},\n${envelope(3)}]`,
      JSON.stringify(JSON.parse(envelope(1)), undefined, 2) + envelope(2) + envelope(3),
    ]) {
      const bytes = Array.from(Buffer.from(body), (byte) => Buffer.from([byte]))
      expect((await send('', body)).body).toEqual(SUCCESS)
      expect((await send('/event', bytes)).body).toEqual(SUCCESS)
    }
    expect(await rows("['packed'] | summarize count() by n, t | sort by n asc")).toEqual(
      [1, 2, 3].map((n) => [n, '}{"[', 8]),
    )
  })

  it('follow a byte order mark, which Windows programs write', async () => {
    expect((await send('', '\ufeff{"event":"a","index":"marked"}')).body).toEqual(SUCCESS)
    expect((await send('/raw?index=marked', '\ufeffb\n')).body).toEqual(SUCCESS)
    expect(await rows("['marked'] | project _raw | sort by _raw asc")).toEqual([['a'], ['b']])
  })

  it('become events with the fields of `event` and `fields`, and the metadata', async () => {
    const { status, body, headers } = await send(
      '/event/1.0?index=fields',
      JSON.stringify({
        time: 1767261600.25,
        host: 'h1',
        source: 's1',
        sourcetype: 'st1',
        index: 'ignored',
        fields: { region: 'eu', 'k8s.pod': 'p', host: 'h2', same: 1 },
        event: { message: 'grüße', same: 1, source: 'own', nested: { a: 9007199254740991 } },
        severity: 'info',
      }).replace('"source":"own"', '"so\\u0075rce":"own"') +
        '{"event":"a line","sourcetype":"text"}{"event":42}{"event":["x",{"y":null}],"time":null,"host":null}{"event":{}}',
    )
    expect([status, body, headers['content-type']]).toEqual([200, SUCCESS, 'application/json'])
    expect(
      await rows(
        "['fields'] | where isnotnull(host) | project _time, host, source, sourcetype, index, region, ['k8s.pod'], ['fields.host'], message, same, ['event.source'], ['nested.a'], severity",
      ),
    ).toEqual([
      [
        ...['2026-01-01T10:00:00.25Z', 'h1', 's1', 'st1', 'ignored', 'eu', 'p', 'h2'],
        ...['grüße', 1, 'own', 9007199254740991, 'info'],
      ],
    ])
    expect(
      await rows(
        "['fields'] | where isnull(host) | project _time, _raw, sourcetype | sort by _raw asc",
      ),
    ).toEqual([
      ['2026-01-01T12:00:00Z', null, null],
      ['2026-01-01T12:00:00Z', '42', null],
      ['2026-01-01T12:00:00Z', '["x",{"y":null}]', null],
      ['2026-01-01T12:00:00Z', 'a line', 'text'],
    ])
  })

  it.each([
    ['1767261600', '2026-01-01T10:00:00Z'],
    ['1767261600.5', '2026-01-01T10:00:00.5Z'],
    ['1767261600.123456789', '2026-01-01T10:00:00.123456789Z'],
    ['"1767261600.123"', '2026-01-01T10:00:00.123Z'],
    ['1767261600123', '2026-01-01T10:00:00.123Z'],
    ['"2026-01-01T11:00:00+01:00"', '2026-01-01T10:00:00Z'],
    ['""', '2026-01-01T12:00:00Z'],
  ])('have the time %s', async (time, expected) => {
    const id = JSON.stringify(time)
    await send(
      '?index=times',
      `{"time":${time},"event":{"id":${id},"_time":"2026-01-01T12:00:00Z"}}`,
    )
    expect(await rows(`['times'] | where id == ${id} | project _time`)).toEqual([[expected]])
  })

  it('take metadata that they lack from the query', async () => {
    await send('/event?index=metadata&host=q&source=s', '{"event":"1"}{"event":"2","host":"own"}')
    expect(await rows("['metadata'] | project _raw, host, source | sort by _raw asc")).toEqual([
      ['1', 'q', 's'],
      ['2', 'own', 's'],
    ])
  })

  it('keep all values of a name, however it is written', async () => {
    await send(
      '?index=names',
      '{"host":"h","fields":{"fields.host":"f","host":"g"},"event":{"event.host":"x","host":"y"}}' +
        '{"a/b":1,"event":{"a\\/b":2}}',
    )
    const [row] = await rows(
      "['names'] | where isnotnull(host) | project host, ['fields.host'], ['fields.fields.host'], ['event.host'], ['event.event.host']",
    )
    expect(row).toEqual(['h', 'f', 'g', 'x', 'y'])
    expect(await rows("['names'] | where isnull(host) | project ['a/b'], ['event.a/b']")).toEqual([
      [1, 2],
    ])
  })

  it('can be compressed', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const { body } = await send('?index=zipped', gzipSync('{"event":"x"}'), { headers })
    expect(body).toEqual(SUCCESS)
  })
})

describe('the dataset of an envelope', () => {
  const as = (token: string): Sent => ({
    headers: { authorization: `Splunk ${token}` },
    trusted: false,
  })

  it('is the index of the query, of the envelope, the only one of the token, or the default', async () => {
    const envelopes =
      '{"event":"a","index":"app"}{"event":"b","index":"web"}{"event":"c","index":"app"}'
    expect((await send('', envelopes, as('xaat-two'))).body).toEqual(SUCCESS)
    expect(
      (await send('?index=web', '{"event":"d","index":"other"}', as('xaat-two'))).body,
    ).toEqual(SUCCESS)
    expect((await send('', '{"event":"e"}', as('xaat-shipper'))).body).toEqual(SUCCESS)
    const withDefault = service.limited({}, 'standard')
    for (const token of ['xaat-all', 'xaat-shipper']) {
      const sent = { path: '/services/collector', body: '{"event":"f"}', ...as(token) }
      expect((await withDefault(sent)).body).toEqual(SUCCESS)
    }
    expect(await rows("['app'] | project _raw | sort by _raw asc")).toEqual([['a'], ['c']])
    expect(await rows("['web'] | project _raw | sort by _raw asc")).toEqual(
      ['b', 'd', 'e', 'f'].map((raw) => [raw]),
    )
    expect(await rows("['standard'] | project _raw")).toEqual([['f']])
  })

  it('has to be known, valid, and allowed', async () => {
    expect((await send('', '{"event":"x"}', as('xaat-all'))).body).toMatchObject({
      code: 7,
      message: expect.stringContaining('names no dataset'),
    })
    const { status, body } = await send('', '{"event":"x","index":"a"}{"event":"x","index":"-"}')
    expect([status, body]).toEqual([
      400,
      {
        text: 'Incorrect index',
        code: 7,
        'invalid-event-number': 1,
        message: expect.stringMatching(
          /^`-` is not a valid dataset name\. .* None of the events were/,
        ),
      },
    ])
    expect(service.store.schema.datasets).not.toContain('a')
    const refused = await send('', '{"event":"x","index":"secret"}', as('xaat-two'))
    expect([refused.status, refused.body]).toEqual([
      403,
      {
        text: 'Invalid token',
        code: 4,
        message: 'The token `two` does not allow ingest into `secret`.',
      },
    ])
  })

  it.each([
    [{}, 401, 2, 'Token is required'],
    [{ authorization: 'Splunk xaat-nobody' }, 401, 3, 'Invalid authorization'],
    [{ authorization: 'Splunk xaat-old' }, 403, 4, 'Invalid token'],
    [{ authorization: 'Splunk xaat-board' }, 403, 4, 'Invalid token'],
    [{ authorization: 'Bearer xaat-shipper' }, 200, 0, 'Success'],
    [{ authorization: `Basic ${btoa('x:xaat-shipper')}` }, 200, 0, 'Success'],
  ])('with the headers %j results in %i, code %i', async (headers, status, code, text) => {
    const response = await send('', '{"event":"x"}', { headers, trusted: false })
    expect([response.status, response.body.code, response.body.text]).toEqual([status, code, text])
    if (status !== 200) expect(service.refused.at(-1)?.path).toBe('/services/collector')
  })
})

describe('a refused request', () => {
  const manyKeys = Array.from({ length: 10_001 }, (_, i) => `"k${i}":1`).join(',')

  it.each([
    ['', 5, 'No data', undefined],
    [' \n', 5, 'No data', undefined],
    ['[]', 5, 'No data', undefined],
    ['nonsense', 6, 'Invalid data format', 0],
    ['{"event":"x"}nonsense', 6, 'Invalid data format', 1],
    ['{"event":"x"}{"event":', 6, 'Invalid data format', 1],
    ['{"event":"x"}{"event":tru}', 6, 'Invalid data format', 1],
    ['[{"event":"x"}', 6, 'Invalid data format', 1],
    ['{"event":"x"}{"event":"a\nb"}', 6, 'Invalid data format', 1],
    [Buffer.from('{"event":"\xff"}', 'latin1'), 6, 'Invalid data format', 0],
    ['{"event":"x"}{"host":"h"}', 12, 'Event field is required', 1],
    ['{"event":null}', 12, 'Event field is required', 0],
    ['{"event":" "}', 13, 'Event field cannot be blank', 0],
    [`{"event":"x","fields":{${manyKeys}}}`, 6, 'Invalid data format', 0],
    ['{"event":"x","fields":[1]}', 15, 'Error in handling indexed fields', 0],
  ])('with the body %j has code %i, and nothing is stored', async (body, code, text, event) => {
    const { status, body: response } = await send('?index=refused', body)
    expect([status, response.code, response.text, response['invalid-event-number']]).toEqual([
      400,
      code,
      text,
      event,
    ])
    expect(service.store.schema.datasets).not.toContain('refused')
  })

  it('has an event that the store rejects: the others are stored', async () => {
    const { status, body } = await send(
      '',
      '{"event":"1","index":"some"}{"event":"2","index":"more"}{"event":"3","index":"some","time":"never"}{"event":"4","index":"more","time":true}{"event":"5","index":"some"}',
    )
    expect([status, body]).toEqual([
      400,
      {
        text: 'Invalid data format',
        code: 6,
        'invalid-event-number': 2,
        message: expect.stringMatching(
          /^2 of 5 events were rejected, and 3 stored\. The first one is event 3 of the request: .*never/,
        ),
      },
    ])
    expect(await rows("['some'] | count")).toEqual([[2]])
    expect(await rows("['more'] | count")).toEqual([[1]])
  })

  it('has an event with too many keys, one of them nested and called like metadata: the others are stored', async () => {
    const wide = `{"host":"h","event":{"nested":{"host":1},${manyKeys}}}`
    const { status, body } = await send('?index=wide', `{"event":"1"}${wide}{"event":"3"}`)
    expect([status, body.code, body['invalid-event-number']]).toEqual([400, 6, 1])
    expect(await rows("['wide'] | project _raw | sort by _raw asc")).toEqual([['1'], ['3']])
  })

  it('is too large, or comes while the service is busy', async () => {
    const small = service.limited({ bodyBytes: 100 })
    const path = '/services/collector?index=refused'
    const large = await small({ path, body: `{"event":"${'x'.repeat(100)}"}` })
    expect([large.status, large.body.code]).toEqual([413, 6])
    // 17 MB, with the host in each event.
    const long = `?index=refused&host=${'h'.repeat(8_000)}`
    const grown = await send(long, '{"event":"x"}'.repeat(2_125))
    expect([grown.status, grown.body.code]).toEqual([413, 6])
    const huge = await send('?index=refused', `{"event":"${'x'.repeat(2 * 2 ** 20)}"}`)
    expect([huge.status, huge.body.message]).toEqual([
      400,
      `Event 1 of the request is invalid: it has more than 2 MiB. ${NONE}`,
    ])
  })
})

describe('raw events', () => {
  it('are the lines of the body, with the metadata of the query', async () => {
    const text = 'first "line"\r\n\n  second\tline \nünicode'
    const bytes = Array.from(Buffer.from(text), (byte) => Buffer.from([byte]))
    for (const body of [text, bytes]) {
      const path = '/raw?index=raw&host=h%22&source=s&sourcetype=st'
      expect((await send(path, body)).body).toEqual(SUCCESS)
    }
    expect(
      await rows(
        "['raw'] | summarize count() by _raw, host, source, sourcetype | sort by _raw asc",
      ),
    ).toEqual([
      ['  second\tline ', 'h"', 's', 'st', 2],
      ['first "line"', 'h"', 's', 'st', 2],
      ['ünicode', 'h"', 's', 'st', 2],
    ])
  })

  it('have fields when they are objects of a JSON body', async () => {
    const headers = { 'content-type': 'application/json' }
    await send('/raw/1.0?index=raw-json', '{\n  "n": 1,\n  "t": "a"\n}', { headers })
    await send('/raw?index=raw-json', '{"n":2}\n[INFO] text\n{broken\n{"n":3}', { headers })
    await send('/raw?index=raw-json', '{"n":4}')
    expect(await rows("['raw-json'] | project n, _raw | sort by n asc, _raw asc")).toEqual([
      [null, '[INFO] text'],
      [null, '{"n":4}'],
      [null, '{broken'],
      [1, null],
      [2, null],
      [3, null],
    ])
  })

  it('keep members with the names of metadata', async () => {
    const headers = { 'content-type': 'application/json' }
    const path = '/raw?index=raw-metadata&host=h&source=s'
    await send(path, '{"n":1,"host":"h","source":"own"}\n{"n":2,"so\\u0075rce":"x"}\n{"n":3}', {
      headers,
    })
    await send(path, '{\n"n": 4,\n"source": "y"\n}', { headers })
    expect(
      await rows("['raw-metadata'] | sort by n asc | project n, host, source, ['event.source']"),
    ).toEqual([
      [1, 'h', 's', 'own'],
      [2, 'h', 's', 'x'],
      [3, 'h', 's', null],
      [4, 'h', 's', 'y'],
    ])
  })

  it('need an index and at least one line', async () => {
    expect((await send('/raw', 'x')).body.code).toBe(7)
    expect((await send('/raw?index=refused', '\n \n')).body).toEqual({ text: 'No data', code: 5 })
    expect((await send('/raw?index=refused', 'x'.repeat(2 * 2 ** 20 + 1))).body).toEqual({
      text: 'Invalid data format',
      code: 6,
      message: `A line has more than 2 MiB. ${NONE}`,
    })
    expect(service.store.schema.datasets).not.toContain('refused')
  })
})

describe('without a token', () => {
  it.each(['/health', '/health/1.0'])('%s reports that the collector is healthy', async (path) => {
    const { status, body } = await send(path, undefined, { method: 'GET', trusted: false })
    expect([status, body]).toEqual([200, { text: 'HEC is healthy', code: 17 }])
  })

  it("Docker's logging driver finds the collector", async () => {
    const options = { method: 'OPTIONS', trusted: false }
    expect((await send('/event/1.0', undefined, options)).status).toBe(200)
  })
})

it('acknowledgements are disabled, and the channel of a request is ignored', async () => {
  const { status, body } = await send(
    '/ack?channel=0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba',
    '{"acks":[0]}',
  )
  expect([status, body]).toEqual([400, { text: 'ACK is disabled', code: 14 }])
  const headers = { 'x-splunk-request-channel': '0aeeac95-ac74-4aa9-b30d-6c4c0ac581ba' }
  expect((await send('?index=channel', '{"event":"x"}', { headers })).body).toEqual(SUCCESS)
})

it('events are counted under the protocol `hec`', async () => {
  const metric = async (name: string) => {
    const { text } = await service.send({ method: 'GET', path: '/metrics' })
    return Number(new RegExp(`^${name}{protocol="hec"} (\\d+)$`, 'm').exec(text)?.[1])
  }
  const names = [
    'evq_ingested_events_total',
    'evq_rejected_events_total',
    'evq_ingested_bytes_total',
  ]
  const before = await Promise.all(names.map(metric))
  const body = '{"event":"1"}{"event":"2","time":"never"}'
  await send('?index=counted', body)
  const after = await Promise.all(names.map(metric))
  expect(after.map((value, i) => value - before[i]!)).toEqual([1, 1, body.length])
})
