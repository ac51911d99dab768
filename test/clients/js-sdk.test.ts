import { Axiom, AxiomWithoutBatching, ContentEncoding, ContentType, FilterOp } from '@axiomhq/js'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { specifiedService } from '../specification/service.js'

// The SDK of the hosted service for JavaScript, unmodified.

const service = specifiedService()

/** The errors that the SDK reported to `onError`; it resolves failed requests with zeros. */
const errors: Error[] = []
const onError = (error: Error): void => void errors.push(error)

afterEach(() => {
  expect(errors.splice(0)).toEqual([])
})

/** The addresses to which clients send events and queries: to the service as an API, or as an edge deployment of another one. */
const PLACES = {
  url: () => ({ url: service.address() }),
  edgeUrl: () => ({ url: 'http://127.0.0.1:1', edgeUrl: service.address() }),
}

const clientAt = (place: keyof typeof PLACES, token = service.firstApiToken()) =>
  new AxiomWithoutBatching({ token, onError, ...PLACES[place]() })
const MANAGER = () => clientAt('url', service.firstToken())

const at = (seconds: number) => `2026-01-01T10:00:0${seconds}Z`

describe.each(['url', 'edgeUrl'] as const)('a client with `%s`', (place) => {
  const dataset = `events-${place.toLowerCase()}`

  it('stores batched events', async () => {
    const client = new Axiom({ token: service.firstApiToken(), onError, ...PLACES[place]() })
    client.ingest(dataset, { _time: at(1), n: 1, geo: { city: 'Köln' } })
    client.ingest(dataset, [{ _time: at(2), n: 2.5, ok: true, big: 9_007_199_254_740_993n }])
    await client.flush()
    const rows = await service.rows(
      `['${dataset}'] | sort by _time asc | project _time, n, ['geo.city'], ok, big`,
    )
    // The SDK sends integers of type `bigint` as strings.
    expect(rows).toEqual([
      [at(1), 1, 'Köln', null, null],
      [at(2), 2.5, null, true, '9007199254740993'],
    ])
  })

  it('stores events of every format and encoding', async () => {
    const client = clientAt(place)
    const target = `raw-${place.toLowerCase()}`
    const { CSV, JSON: ARRAY, NDJSON } = ContentType
    const sent = [
      await client.ingest(target, [{ a: 'object' }, { a: 'object' }]),
      await client.ingestRaw(target, '[{"a":"array"},{"a":"array"}]', ARRAY, ContentEncoding.GZIP),
      await client.ingestRaw(target, '{"a":"line"}\n{"a":"line"}\n', NDJSON),
      await client.ingestRaw(target, 'a,b\ncsv,1\ncsv,2\n', CSV, ContentEncoding.Identity),
      await client.ingestRaw(target, 'a;b\ncsv;"3;4"\ncsv;5\n', CSV, ContentEncoding.Auto, {
        csvDelimiter: ';',
      }),
      await client.ingestRaw(target, '[{"a":"timed","at":"24/12/2025 18:30"}]', ARRAY, undefined, {
        timestampField: 'at',
        timestampFormat: '02/01/2006 15:04',
      }),
    ]
    // The second one says gzip and is not compressed: the SDK leaves that to its caller.
    expect(errors.splice(0).map(({ message }) => message)).toEqual([
      expect.stringMatching(/failed with 400: The request body is not valid gzip data/),
    ])
    expect(sent.map(({ ingested, failed }) => [ingested, failed])).toEqual([
      [2, 0],
      [0, 0],
      [2, 0],
      [2, 0],
      [2, 0],
      [1, 0],
    ])
    const rows = await service.rows(
      `['${target}'] | summarize count(), make_list(b) by a | sort by a asc`,
    )
    expect(rows).toEqual([
      ['csv', 4, expect.arrayContaining([1, 2, '3;4', 5])],
      ['line', 2, []],
      ['object', 2, []],
      ['timed', 1, []],
    ])
    expect(await service.rows(`['${target}'] | where a == 'timed' | project _time`)).toEqual([
      ['2025-12-24T18:30:00Z'],
    ])
  })

  it('gets tables and events of a query', async () => {
    const client = clientAt(place)
    const apl = `['${dataset}'] | sort by _time asc | project _time, n`
    const { status, tables, datasetNames } = await client.query(apl)
    expect(status.rowsMatched).toBe(2)
    expect(datasetNames).toEqual([dataset])
    expect([...tables[0]!.events()]).toEqual([
      { _time: at(1), n: 1 },
      { _time: at(2), n: 2.5 },
    ])
    const late = await client.query(apl, { startTime: at(2), endTime: at(3), noCache: true })
    expect([...late.tables[0]!.events()]).toEqual([{ _time: at(2), n: 2.5 }])
    const { matches } = await client.query(apl, { format: 'legacy' })
    expect(matches).toMatchObject([{ data: { n: 1 } }, { data: { n: 2.5 } }])
  })

  it('continues a page at a cursor', async () => {
    const client = clientAt(place)
    const apl = `['${dataset}'] | sort by _time asc | limit 1 | project n`
    const first = await client.query(apl)
    const second = await client.query(apl, { cursor: first.status.maxCursor! })
    expect([...first.tables[0]!.events(), ...second.tables[0]!.events()]).toEqual([
      { n: 1 },
      { n: 2.5 },
    ])
    const end = await client.query(apl, { cursor: second.status.maxCursor! })
    expect([...end.tables[0]!.events()]).toEqual([])
  })

  it('gets the message of the service for a query that does not compile', async () => {
    await expect(clientAt(place).query(`['${dataset}'] | where m > 1`)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('There is no field `m`'),
    })
  })

  it('is told when its token does not allow ingest', async () => {
    const token = await service.makeToken(`reader-${place}`, '--query', dataset)
    const { ingested } = await clientAt(place, token).ingest(dataset, [{ n: 3 }])
    expect(ingested).toBe(0)
    expect(errors.splice(0)).toMatchObject([
      {
        status: 403,
        message: expect.stringContaining(`does not allow ingest into \`${dataset}\``),
      },
    ])
  })
})

it('runs legacy queries', async () => {
  const client = clientAt('url')
  const events = [200, 200, 503].map((status, i) => ({ _time: at(i), status, host: `h${i % 2}` }))
  await client.ingest('legacy', events)
  const { buckets, status, matches } = await client.queryLegacy(
    'legacy',
    {
      startTime: at(0),
      endTime: at(5),
      resolution: 'auto',
      aggregations: [{ op: 'count' as never, field: '*' }],
      groupBy: ['host'],
    },
    { noCache: true },
  )
  const totals = buckets.totals?.map(({ group, aggregations }) => [group, aggregations?.[0]?.value])
  expect(totals).toEqual([
    [{ host: 'h0' }, 2],
    [{ host: 'h1' }, 1],
  ])
  expect([status.rowsMatched, matches]).toEqual([3, []])
  const filter = { op: FilterOp.GreaterThanOrEqualTo, field: 'status', value: 500 }
  const found = await client.queryLegacy('legacy', {
    startTime: at(0),
    endTime: at(5),
    resolution: 'auto',
    filter,
  })
  expect(found.matches).toMatchObject([{ _time: at(2), data: { status: 503, host: 'h0' } }])
})

describe('datasets', () => {
  it('are created, described, listed, trimmed and deleted', async () => {
    const client = MANAGER()
    const { datasets } = client
    const created = await datasets.create({ name: 'managed', description: 'By the SDK' })
    expect(created).toMatchObject({
      id: 'managed',
      name: 'managed',
      description: 'By the SDK',
      kind: 'axiom:events:v1',
      who: 'first',
    })
    expect(Math.abs(Date.parse(created.created) - Date.now())).toBeLessThan(3_600_000)
    expect(await datasets.get('managed')).toEqual(created)
    expect(await datasets.list()).toContainEqual(created)
    await expect(datasets.create({ name: 'managed' })).rejects.toMatchObject({ status: 409 })
    expect(await datasets.update('managed', { description: 'Changed' })).toEqual({
      ...created,
      description: 'Changed',
    })

    const now = Date.now()
    const hours = [1, 2, 3].map((ago) => new Date(now - ago * 3_600_000).toISOString())
    const events = [{ _time: hours[0], n: 1 }, { _time: hours[1] }, { _time: hours[2] }]
    await client.ingest('managed', events)
    expect(await datasets.fields('managed')).toMatchObject([
      { name: '_sysTime', type: 'datetime' },
      { name: '_time', type: 'datetime' },
      { name: 'n', type: 'integer', unit: '', hidden: false, description: '' },
    ])
    await datasets.trim('managed', '1h30m0s')
    const left = await client.query("['managed'] | project n")
    expect([...left.tables[0]!.events()]).toEqual([{ n: 1 }])

    await datasets.delete('managed')
    await expect(datasets.get('managed')).rejects.toMatchObject({ status: 404 })
  })

  it('of a token for one of them are exactly this one', async () => {
    const token = await service.makeToken('one', '--query', 'legacy')
    const { datasets } = clientAt('url', token)
    expect((await datasets.list()).map(({ name }) => name)).toEqual(['legacy'])
    expect(await datasets.get('legacy')).toMatchObject({ who: 'first-api', canWrite: false })
    await expect(datasets.get('events-url')).rejects.toMatchObject({ status: 403 })
  })
})

describe('the account', () => {
  it('is that of the token', async () => {
    expect(await MANAGER().users.current()).toEqual({
      id: 'first',
      name: 'first',
      email: '',
      emails: [],
      role: { id: 'owner', name: 'owner' },
    })
    expect(await clientAt('url').users.current()).toMatchObject({ name: 'first-api' })
  })

  it('is in the organization that the client names', async () => {
    const { firstToken: token, address: url } = service
    const member = new AxiomWithoutBatching({ token: token(), url: url(), orgId: 'evq', onError })
    expect(await member.users.current()).toMatchObject({ name: 'first' })
    const other = new AxiomWithoutBatching({ token: token(), url: url(), orgId: 'acme', onError })
    await expect(other.users.current()).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('the token `first` belongs to `evq`'),
    })
  })
})

describe('saved queries', () => {
  let id = ''

  beforeAll(async () => {
    const query = { apl: "['legacy'] | count" }
    const saved = { kind: 'apl', metadata: {}, name: 'All of them', query, who: 'all' }
    const path = '/v2/apl-starred-queries'
    id = (await service.send({ path, type: 'application/json', body: saved })).body.id
  })

  it('are listed and found by id', async () => {
    const { savedQueries } = clientAt('url')
    const found = { id, name: 'All of them', query: { apl: "['legacy'] | count" } }
    expect(await savedQueries.list()).toMatchObject([found])
    expect(await savedQueries.get(id)).toMatchObject(found)
  })
})
