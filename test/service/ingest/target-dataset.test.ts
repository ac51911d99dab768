import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../../src/service/auth/grant.js'
import type { IngestProtocol } from '../../../src/service/ingest/protocol.js'
import { ingestRoute } from '../../../src/service/ingest/store-events.js'
import { targetDataset } from '../../../src/service/ingest/target-dataset.js'
import { ROUTES } from '../../../src/service/routes.js'
import { type Running, run, type Send, type TestRequest } from '../running.js'

/** NDJSON at a path without a dataset; responses and errors are text, and name the dataset. */
const lines: IngestProtocol = {
  name: 'lines',
  decode(call, service) {
    const batch = { dataset: targetDataset(call, service), timestampField: '_time' }
    return {
      async *decodeBody(body) {
        for await (const piece of body) yield [{ batch, lines: piece, bodyBytes: piece.length }]
      },
      encode: () => ({ status: 200, body: batch.dataset }),
    }
  },
  encodeError: ({ body, retryAfterSeconds = 0 }, { path }) => ({
    status: body.code,
    body: `${path} ${retryAfterSeconds} ${body.message}`,
  }),
}

const routes = [...ROUTES, ingestRoute('POST /lines', lines)]
const shipper: Grant = { name: 'shipper', personal: false, ingest: ['web'] }

let service: Running
let withDefault: Send

beforeAll(async () => {
  service = await run({ routes, grants: { 'xaat-shipper': shipper } })
  withDefault = service.limited({}, 'standard')
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

async function send(to: Send, request: Partial<TestRequest>) {
  const { status, text } = await to({ path: '/lines', body: '{"n":1}\n', ...request })
  return [status, text]
}

const NONE =
  'The request names no dataset. Set the header `X-Axiom-Dataset` or the query parameter `dataset`, or start the service with `evq serve --default-dataset <name>`.'

describe('the dataset of a request whose path names none', () => {
  it('is that of a header, a query parameter or the service, in this order', async () => {
    const header = { 'x-axiom-dataset': 'header' }
    const path = '/lines?dataset=parameter'
    expect(await send(withDefault, { path, headers: header })).toEqual([200, 'header'])
    expect(await send(withDefault, { headers: { 'x-service-dataset': 'own' } })).toEqual([
      200,
      'own',
    ])
    expect(await send(withDefault, { path })).toEqual([200, 'parameter'])
    expect(await send(withDefault, {})).toEqual([200, 'standard'])
    expect(service.store.schema.datasets.toSorted()).toEqual([
      'header',
      'own',
      'parameter',
      'standard',
    ])
  })

  it('is missing when none of them names one', async () => {
    expect(await send(service.send, {})).toEqual([400, `/lines 0 ${NONE}`])
    const empty = { path: '/lines?dataset=', headers: { 'x-axiom-dataset': '' } }
    expect(await send(service.send, empty)).toEqual([400, `/lines 0 ${NONE}`])
  })

  it('has a valid name', async () => {
    const [status, text] = await send(service.send, { path: '/lines?dataset=a/b' })
    expect([status, text]).toEqual([400, expect.stringContaining('`a/b` is not a valid dataset')])
  })

  it('is one that the token allows', async () => {
    const headers = { authorization: 'Bearer xaat-shipper' }
    const sendAs = (dataset: string) =>
      send(service.send, { path: `/lines?dataset=${dataset}`, headers, trusted: false })
    expect(await sendAs('web')).toEqual([200, 'web'])
    expect(await sendAs('secret')).toEqual([
      403,
      '/lines 0 The token `shipper` does not allow ingest into `secret`.',
    ])
  })
})

describe('an error of a protocol with its own encoding', () => {
  it('is encoded by the protocol when the token is refused', async () => {
    const [status, text] = await send(service.send, { trusted: false })
    expect([status, text]).toEqual([403, expect.stringMatching(/^\/lines 0 /)])
  })

  it('has the delay after which a retry may succeed', async () => {
    const busy = service.limited({ waitingRequests: 1 })
    let admitted = () => {}
    const isAdmitted = new Promise<void>((resolve) => {
      admitted = resolve
    })
    let finish = () => {}
    const isFinished = new Promise<void>((resolve) => {
      finish = resolve
    })
    async function* slow() {
      admitted()
      await isFinished
      yield '{"n":1}\n'
    }
    const first = busy({ path: '/lines?dataset=slow', body: slow() })
    await isAdmitted
    const { status, text } = await busy({ path: '/lines?dataset=slow', body: '{"n":2}\n' })
    finish()
    expect([status, text]).toEqual([503, expect.stringMatching(/^\/lines 1 Too many events/)])
    expect((await first).status).toBe(200)
  })
})
