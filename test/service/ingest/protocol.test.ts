import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { StoreError } from '../../../src/engine/store-error.js'
import type { Grant } from '../../../src/service/auth/grant.js'
import { json } from '../../../src/service/http.js'
import type {
  BatchResult,
  DecodedBatch,
  DecodingSteps,
  IngestProtocol,
} from '../../../src/service/ingest/protocol.js'
import { ingestRoute } from '../../../src/service/ingest/store-events.js'
import { ROUTES } from '../../../src/service/routes.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { type Running, run, spoolIsEmpty, type TestResponse } from '../running.js'

/**
 * A line is the name of a dataset, a blank and an event, or `*` and a number of lines that are no events. The response has a
 * status for each line.
 */
const bulk: IngestProtocol = {
  name: 'bulk',
  decode({ request }) {
    const batchId = request.headers['x-bulk-id']
    const batches = new Map<string, DecodedBatch>()
    const datasets: string[] = []
    const batchOf = (dataset: string): DecodedBatch => {
      const batch = batches.get(dataset) ?? {
        dataset,
        timestampField: '_time',
        ...(batchId !== undefined && { batchId }),
      }
      batches.set(dataset, batch)
      return batch
    }
    return {
      async *decodeBody(body): AsyncGenerator<DecodingSteps> {
        const pieces: Buffer[] = []
        for await (const piece of body) pieces.push(piece)
        const text = Buffer.concat(pieces).toString()
        for (const [line, dataset = '', event = ''] of text.matchAll(/(\S+) (.*)\n/g)) {
          datasets.push(dataset)
          yield [{ batch: batchOf(dataset), lines: linesOf(event), bodyBytes: line.length }]
        }
      },
      encode(results) {
        if (request.query.has('fail')) throw new RangeError('Invalid string length')
        const statuses = [...batches.keys()].map(
          (dataset, i) => [dataset, statusesOf(results[i]!)] as const,
        )
        const next = new Map(statuses)
        return json(
          207,
          datasets.map((dataset) => next.get(dataset)?.next().value),
        )
      },
    }
  },
}

function linesOf(event: string): Buffer {
  return event.startsWith('*')
    ? Buffer.alloc(2 * Number(event.slice(1)), 'x\n')
    : Buffer.from(`${event}\n`)
}

/** Returns the status of the events of a batch, one after the other. */
function* statusesOf(result: BatchResult): Generator<string, string> {
  for (let index = 0; ; index++) {
    if (result instanceof StoreError) yield `failed: ${result.reason}`
    else {
      const rejected = result.rejected.find((event) => event.index === index)
      yield rejected === undefined ? 'stored' : `rejected: ${rejected.reason}`
    }
  }
}

/** The length of each piece of a body, and the turns of other work before it came. */
const received: { readonly length: number; readonly turns: number }[] = []
let turns = 0

/** Takes longer for each piece than a turn lasts, and stores nothing. */
const slow: IngestProtocol = {
  name: 'slow',
  decode: () => ({
    async *decodeBody(body): AsyncGenerator<DecodingSteps> {
      for await (const { length } of body) {
        received.push({ length, turns })
        const end = performance.now() + 10
        while (performance.now() < end);
      }
      yield []
    },
    encode: () => json(200, {}),
  }),
}

const NDJSON = 'application/x-ndjson'
const routes = [...ROUTES, ingestRoute('POST /bulk', bulk), ingestRoute('POST /slow', slow)]
const shipper: Grant = { name: 'shipper', personal: false, ingest: ['web', 'app'] }
const board: Grant = { name: 'board', personal: false, query: ['*'] }
const agent: Grant = { name: 'agent', personal: false, ingest: ['*'] }
const grants = { 'xaat-shipper': shipper, 'xaat-board': board, 'xaat-agent': agent }

let directory: string
let service: Running

const open = async () => {
  service = await run({ directory, routes, grants })
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evq-protocol-'))
  await open()
})

afterEach(() => spoolIsEmpty(service.store))

afterAll(async () => {
  await service.close()
  await removeDirectory(directory)
})

const sendBulk = (body: string, headers: Readonly<Record<string, string>> = {}) =>
  service.send({ path: '/bulk', headers, body })

const sendAs = (token: string, body: string) =>
  service.send({
    path: '/bulk',
    headers: { authorization: `Bearer ${token}` },
    body,
    trusted: false,
  })

const sendNative = (dataset: string, body: string, headers: Readonly<Record<string, string>>) =>
  service.send({
    path: `/v1/ingest/${dataset}`,
    headers: { 'content-type': NDJSON, ...headers },
    body,
  })

async function count(dataset: string): Promise<number> {
  const path = '/v1/datasets/_apl?format=tabular'
  const { body } = await service.send({
    path,
    body: JSON.stringify({ apl: `['${dataset}'] | count` }),
  })
  return body.tables[0].columns[0][0]
}

describe('a protocol whose requests have events for several datasets', () => {
  it('stores each event in its dataset, and returns a status for each in the order of the request', async () => {
    const { status, body } = await sendBulk(
      'one {"n":1}\ntwo {"n":2}\none nothing\ntwo [3]\none {"n":4}\n',
    )
    expect(status).toBe(207)
    expect(body).toEqual([
      'stored',
      'stored',
      expect.stringMatching(/^rejected: not JSON/),
      expect.stringMatching(/^rejected: /),
      'stored',
    ])
    expect([await count('one'), await count('two')]).toEqual([2, 1])
  })

  it('returns the failure of one dataset along with the outcome of another', async () => {
    const { body } = await sendBulk('much *1048577\nlittle {"n":1}\n')
    expect(body).toEqual(['failed: too-many-lines', 'stored'])
    expect(await count('little')).toBe(1)
    expect(service.store.schema.datasets).not.toContain('much')
  })

  it('is counted under its name', async () => {
    const path = '/metrics'
    const before = (await service.send({ method: 'GET', path })).text
    expect(before).toContain('evq_ingested_events_total{protocol="native"} 0')
    await sendBulk('counted {"n":1}\ncounted bad\ncounted-too {"n":2}\n')
    const after = (await service.send({ method: 'GET', path })).text
    const grown = (metric: string) => {
      const value = (text: string) =>
        Number(new RegExp(`^${metric}{protocol="bulk"} (\\d+)$`, 'm').exec(text)?.[1])
      return value(after) - value(before)
    }
    expect([
      grown('evq_ingested_events_total'),
      grown('evq_rejected_events_total'),
      // The length of the body.
      grown('evq_ingested_bytes_total'),
    ]).toEqual([2, 1, 48])
  })
})

describe('the body of a request', () => {
  it('is decoded in pieces of 64 KiB at most, in turns with other work', async () => {
    const isDone = new AbortController()
    const work = (): void => {
      turns += 1
      if (!isDone.signal.aborted) setImmediate(work)
    }
    work()
    const { status } = await service.send({
      path: '/slow',
      body: [Buffer.alloc(150_000), Buffer.alloc(70_000), Buffer.alloc(5)],
    })
    isDone.abort()
    expect(status).toBe(200)
    expect(received.map(({ length }) => length)).toEqual([65_536, 65_536, 18_928, 65_536, 4_464, 5])
    const [first, , , second, , third] = received.map(({ turns }) => turns)
    expect(second).toBeGreaterThan(first!)
    expect(third).toBeGreaterThan(second!)
  })
})

describe('a refused request of a protocol', () => {
  const refusal = ({ status, body }: TestResponse) => [status, body.message]
  it('has events for a dataset that its token does not allow, and stores none of them', async () => {
    expect((await sendAs('xaat-shipper', 'web {"n":1}\napp {"n":1}\n')).status).toBe(207)
    expect(refusal(await sendAs('xaat-shipper', 'web {"n":2}\nsecret {"n":2}\n'))).toEqual([
      403,
      'The token `shipper` does not allow ingest into `secret`.',
    ])
    expect(await count('web')).toBe(1)
    expect(service.store.schema.datasets).not.toContain('secret')
    expect(service.refused.at(-1)).toMatchObject({ token: 'shipper', path: '/bulk' })
  })

  it('has a token without ingest permission', async () => {
    expect(refusal(await sendAs('xaat-board', ''))).toEqual([
      403,
      'The token `board` does not allow ingest.',
    ])
  })

  it('has an invalid dataset name', async () => {
    const [status, message] = refusal(await sendBulk('good {"n":1}\n-bad {"n":1}\n'))
    expect([status, message]).toEqual([400, expect.stringContaining('is not a valid dataset name')])
    expect(service.store.schema.datasets).not.toContain('good')
  })

  it('has events for more than 256 datasets', async () => {
    // As if they existed.
    const has = vi.spyOn(service.store, 'has').mockReturnValue(true)
    const lines = Array.from({ length: 257 }, (_, i) => `many-${i} {"n":1}\n`)
    expect(refusal(await sendBulk(lines.join('')))).toEqual([
      413,
      'The request has events for more than 256 datasets: none of the events were stored. Send several smaller requests.',
    ])
    has.mockRestore()
    expect(service.store.schema.datasets).not.toContain('many-0')
  })

  it('exceeds the size limit', async () => {
    const send = service.limited({ bodyBytes: 10 })
    expect((await send({ path: '/bulk', body: 'long {"n":1}\n' })).status).toBe(413)
  })
})

describe('a request for more than 32 datasets that do not exist', () => {
  const datasets = Array.from({ length: 34 }, (_, i) => `new-${i}`)
  const body = datasets.map((name) => `${name} {"n":1}\n`).join('')
  const missing = () => datasets.filter((name) => !service.store.has(name))

  it('creates 32 of them and stores nothing, so that all is stored when it is repeated', async () => {
    const response = await sendAs('xaat-agent', body)
    expect([response.status, response.headers['retry-after'], response.body.message]).toEqual([
      503,
      '1',
      'The request has events for 34 datasets that did not exist. 32 of them, the maximum per request, were created now; none of the events were stored. Retry in a second.',
    ])
    expect(missing()).toEqual(['new-32', 'new-33'])
    expect(await count('new-0')).toBe(0)
    const again = await sendAs('xaat-agent', body)
    expect(again.body).toEqual(Array(34).fill('stored'))
    expect([await count('new-0'), await count('new-33')]).toEqual([1, 1])
  })

  it('creates them in the name of its caller', async () => {
    const { body: dataset } = await service.send({ method: 'GET', path: '/v1/datasets/new-0' })
    expect(dataset).toMatchObject({ name: 'new-0', who: 'agent' })
  })
})

describe('a batch id repeated through another protocol', () => {
  const R = /^not JSON/

  it('returns the first outcome, encoded by the other protocol', async () => {
    const first = await sendNative('shared', '{"n":1}\nbad\n', { 'x-service-batch-id': 'one' })
    const { error } = first.body.failures[0]
    expect(error).toMatch(R)
    for (const _ of ['from memory', 'from the data']) {
      const again = await sendBulk('shared {"n":1}\nshared {"n":2}\n', { 'x-bulk-id': 'one' })
      expect(again.body).toEqual(['stored', `rejected: ${error}`])
      await service.close()
      await open()
    }
    expect(await count('shared')).toBe(1)
  })

  it('works in the other direction, with the failures that the request asks for', async () => {
    const first = await sendBulk('back bad\nback {"n":1}\nback bad\n', { 'x-bulk-id': 'two' })
    const error = first.body[0].slice('rejected: '.length)
    expect(first.body).toEqual([
      expect.stringMatching(/^rejected: not JSON/),
      'stored',
      first.body[0],
    ])
    const counts = '"processedBytes":31,"blocksCreated":1,"walLength":0}'
    const failure = (index: number) =>
      `{"timestamp":"2026-01-01T12:00:00Z","index":${index},"line":${index + 1},"error":${JSON.stringify(error)}}`
    const headers = { 'x-service-batch-id': 'two' }
    for (const _ of ['from memory', 'from the data']) {
      expect((await sendNative('back', '', headers)).text).toBe(
        `{"ingested":1,"failed":2,"failures":[${failure(0)},${failure(2)}],${counts}`,
      )
      const limited = { ...headers, 'x-service-failure-limit': '1' }
      expect((await sendNative('back', '', limited)).text).toBe(
        `{"ingested":1,"failed":2,"failures":[${failure(0)}],"failuresOmitted":1,${counts}`,
      )
      await service.close()
      await open()
    }
    expect(await count('back')).toBe(1)
  })
})

describe('a response that cannot be encoded', () => {
  const send = (path: string) => service.send({ path, body: 'kept {"n":1}\n' })

  it('reports that the events are stored', async () => {
    const { status, body } = await send('/bulk?fail')
    expect([status, body.message]).toEqual([
      500,
      expect.stringContaining(
        'These events are stored, but the response could not be produced. Sending them again stores them twice, except under the same batch id.',
      ),
    ])
    expect(await count('kept')).toBe(1)
  })
})
