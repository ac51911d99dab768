import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, run, type TestResponse } from '../running.js'

let service: Running

beforeAll(async () => {
  service = await run()
})

afterAll(() => service.close())

interface Sent {
  readonly query?: Readonly<Record<string, string>>
  readonly labels?: string
  readonly type?: string
  readonly headers?: Readonly<Record<string, string>>
}

function ingest(dataset: string, body: string, sent: Sent = {}): Promise<TestResponse> {
  const { query = {}, labels, type = 'application/x-ndjson', headers = {} } = sent
  return service.send({
    path: `/v1/ingest/${dataset}?${new URLSearchParams(query)}`,
    body,
    headers: {
      'content-type': type,
      ...(labels !== undefined && {
        'x-service-event-labels': Buffer.from(labels).toString('latin1'),
      }),
      ...headers,
    },
  })
}

/** One or more fields of all events, in order of arrival. */
async function values(dataset: string, fields: string): Promise<unknown[][]> {
  const { status, text, body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl: `['${dataset}'] | sort by n asc | project ${fields}` }),
  })
  expect(status, text).toBe(200)
  return body.tables[0].columns
}

describe('timestamp-format', () => {
  it('is the format of the times', async () => {
    const query = { 'timestamp-field': 'at', 'timestamp-format': '02/01/2006 15:04:05.000 -0700' }
    const body = [
      '{"n":1,"at":"03/02/2026 10:00:00.123 +0530"}',
      '{"n":2,"at":"2026-02-03T10:00:00Z"}',
      '{"n":3}',
      '{"n":4,"at":null}',
      '{"n":5,"at":"31/02/2026 10:00:00.123 +0000"}',
      '{"n":6,"at":true}',
      '{"n":7,"at":{"b":1}}',
    ].join('\n')
    const response = await ingest('format', body, { query })
    const layout = '`02/01/2006 15:04:05.000 -0700`'
    expect(response.body).toMatchObject({ ingested: 3, failed: 4 })
    expect(response.body.failures).toMatchObject([
      {
        index: 1,
        line: 2,
        error: `\`at\` is not a time between 1900 and 2262: "2026-02-03T10:00:00Z" as ${layout}`,
      },
      {
        index: 4,
        line: 5,
        error: `\`at\` is not a time between 1900 and 2262: "31/02/2026 10:00:00.123 +0000" as ${layout}`,
      },
      { index: 5, line: 6, error: '`at` is not a time between 1900 and 2262: a boolean' },
      { index: 6, line: 7, error: '`at` is not a time between 1900 and 2262: an object' },
    ])
    expect(await values('format', '_time, n')).toEqual([
      ['2026-02-03T04:30:00.123Z', '2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
      [1, 3, 4],
    ])
  })

  it('can be a unit of numbers, even when their size suggests another one', async () => {
    const query = { 'timestamp-format': 'unixms' }
    const body = '{"n":1,"_time":1500}\n{"n":2,"_time":"1767225600123"}\n{"n":3,"_time":-1.5}\n'
    expect((await ingest('unit', body, { query })).body).toMatchObject({ ingested: 3 })
    expect(await values('unit', '_time')).toEqual([
      ['1970-01-01T00:00:01.5Z', '2026-01-01T00:00:00.123Z', '1969-12-31T23:59:59.9985Z'],
    ])
  })

  it('parses numbers in the given layout', async () => {
    const query = { 'timestamp-format': '20060102150405' }
    await ingest('number', '{"n":1,"_time":20260203040506}\n', { query })
    expect(await values('number', '_time')).toEqual([['2026-02-03T04:05:06Z']])
  })

  it('applies to its own request only', async () => {
    const day = (format: string) =>
      ingest('days', '{"n":1,"_time":"01/02/2026"}\n', { query: { 'timestamp-format': format } })
    await Promise.all([day('02/01/2006'), day('01/02/2006'), day('02/01/2006')])
    const [times] = await values('days', '_time')
    expect(times?.toSorted()).toEqual([
      '2026-01-02T00:00:00Z',
      '2026-02-01T00:00:00Z',
      '2026-02-01T00:00:00Z',
    ])
  })

  it.each(['15:04:05', 'yyyy-mm-dd', '%Y-%m-%d'])('is not %s', async (format) => {
    const response = await ingest('none', '{}', { query: { 'timestamp-format': format } })
    expect(response.status).toBe(422)
    expect(response.body.message).toContain(`is "${format}", which has no year. Write the time`)
  })
})

describe('timestamp-field', () => {
  it('can be a dotted field, or a member of an object', async () => {
    const query = { 'timestamp-field': 'meta.at' }
    const body = '{"n":1,"meta.at":5}\n{"n":2,"meta":{"at":6}}\n{"n":3,"meta":{}}\n'
    expect((await ingest('dots', body, { query })).body).toMatchObject({ ingested: 3 })
    expect(await values('dots', '_time')).toEqual([
      ['1970-01-01T00:00:05Z', '1970-01-01T00:00:06Z', '2026-01-01T12:00:00Z'],
    ])
  })
})

describe('event labels', () => {
  it('are fields of each event, whatever its format', async () => {
    const labels = '{"env":"prod","größe":"ü\\n{\\"","level":5,"canary":true}'
    const fields = "n, env, ['größe'], level, canary"
    const ndjson = '{"n":1}\n  {"n":2,"a":[1]}\r\n\n'
    expect((await ingest('labels', ndjson, { labels })).body).toMatchObject({ ingested: 2 })
    const array = '[ {"n":3},\n {"n":4} ]'
    await ingest('labels', array, { labels, type: 'application/json' })
    await ingest('labels', 'n,x\n5,y\n', { labels, type: 'text/csv' })
    expect(await values('labels', fields)).toEqual([
      [1, 2, 3, 4, 5],
      Array(5).fill('prod'),
      Array(5).fill('ü\n{"'),
      Array(5).fill(5),
      Array(5).fill(true),
    ])
  })

  it('are the only fields of an empty event', async () => {
    const response = await ingest('bare', '{}\n { \t} \n', { labels: '{"n":1}' })
    expect(response.body).toMatchObject({ ingested: 2, failures: [] })
    expect(await values('bare', 'n')).toEqual([[1, 1]])
  })

  it('override fields of the same name', async () => {
    const body = '{"n":1,"env":"dev"}\n{"n":2,"env":{"deep":1}}\n{"n":3}\n'
    expect((await ingest('own', body, { labels: '{"env":"prod"}' })).body).toMatchObject({
      ingested: 3,
    })
    expect(await values('own', 'env')).toEqual([['prod', 'prod', 'prod']])
  })

  it('do not change the errors of invalid lines', async () => {
    const body = '{"n":1}\n{"n":}\n[1]\n"text"\n'
    const { failures } = (await ingest('bad', body, { labels: '{"env":"prod"}' })).body
    expect(failures).toMatchObject([
      { index: 1, line: 2, error: 'not JSON: a value expected, `}` found at column 6' },
      { index: 2, line: 3, error: 'not an object but an array' },
      { index: 3, line: 4, error: 'not an object but a string' },
    ])
  })

  it('can be the time of all events', async () => {
    await ingest('when', '{"n":1}\n', { labels: '{"_time":"2020-02-03T00:00:00Z"}' })
    expect(await values('when', '_time')).toEqual([['2020-02-03T00:00:00Z']])
  })

  it('apply to their own batch, even when batches are grouped', async () => {
    const send = (n: number) => ingest('each', `{"n":${n}}\n`, { labels: `{"of":"${n}"}` })
    await send(0)
    await Promise.all([1, 2, 3, 4, 5].map(send))
    expect(await values('each', 'of')).toEqual([['0', '1', '2', '3', '4', '5']])
  })

  it.each([
    ['[]', 'not an object but an array'],
    ['{"a":', 'not JSON'],
    ['{"a":null}', 'a value is not a string, number or boolean'],
    ['{"a":{"b":1}}', 'a value is not a string, number or boolean'],
    ['{"a":[1]}', 'a value is not a string, number or boolean'],
    ['{"a":1,"a":2}', 'a name is duplicated'],
    ['{"":1}', 'an empty field name'],
    ['{"a":1e999}', 'a number outside 64 bits'],
  ])('refuse %s', async (labels, reason) => {
    const { status, body } = await ingest('none', '{}', { labels })
    expect([status, body.message]).toEqual([400, expect.stringContaining(reason)])
  })

  it('can be empty', async () => {
    expect((await ingest('empty', '{"n":1}', { labels: '{}' })).body).toMatchObject({ ingested: 1 })
  })
})
