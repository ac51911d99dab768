import { describe, expect, it } from 'vitest'
import { connectHttp } from '../../src/client/http.js'
import { type IngestRequest, ingest } from '../../src/client/ingest.js'
import { INGEST_RETRY } from '../../src/client/limits.js'
import type { RetryDelay, RetryPolicy } from '../../src/client/retry.js'
import { cut, inTurn, json, type Reply, scriptedService, stored } from './scripted-service.js'

describe('Retry-After', () => {
  it('may be a date', async () => {
    const began = Date.now()
    const date = new Date(began + 86_400_000).toUTCString()
    const { impatient } = await send(json({}, 429, { 'retry-after': date }))
    // A date has no fractional seconds.
    expect(impatient[0]?.delayMs).toBeGreaterThanOrEqual(Date.parse(date) - Date.now())
    expect(impatient[0]?.delayMs).toBeLessThanOrEqual(Date.parse(date) - began)
  })

  it('is ignored when it is in the past or malformed', async () => {
    const past = json({}, 503, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' })
    const odd = json({}, 503, { 'retry-after': 'soon' })
    const { waits, delivery } = await send(inTurn(past, odd, stored))
    expect(waits.map(({ delayMs }) => delayMs < 100)).toEqual([true, true])
    expect(delivery.kind).toBe('accepted')
  })

  it('ends the retries when it exceeds the remaining time', async () => {
    const { waits, impatient, received } = await send(json({}, 429, { 'retry-after': '86400' }))
    expect(waits).toEqual([])
    expect(impatient).toEqual([
      { reason: 'status 429', delayMs: 86_400_000, waitedMs: expect.any(Number) },
    ])
    expect(received.length).toBe(1)
  })

  it('ends the retries when the requests themselves took the time', async () => {
    const late: Reply = (response, request) =>
      setTimeout(() => json({}, 503, { 'retry-after': '0.1' })(response, request), 100)
    const { received } = await send(late, { maxWaitMs: 250 })
    expect(received.length).toBe(2)
  })

  it('close to 0 does not cause endless retries', async () => {
    const { received, delivery } = await send(json({}, 429, { 'retry-after': '0' }))
    expect(received.length).toBe(4)
    expect(delivery.kind).toBe('failed')
  })
})

describe('a batch that failed', () => {
  it('may be stored when an attempt got no response or an ambiguous one', async () => {
    for (const untold of [cut, json({}, 500), json({}, 502), json({}, 504)]) {
      const { delivery } = await send(inTurn(untold, json({}, 503)))
      expect(delivery).toMatchObject({ kind: 'failed', mayBeStored: true })
    }
  })

  it('is not stored when every response rejects it', async () => {
    for (const status of [400, 403, 404, 408, 413, 429, 430, 501, 503]) {
      const { delivery } = await send(json({}, status))
      expect(delivery).toMatchObject({ kind: 'failed', mayBeStored: false })
    }
  })

  it('reports the denial of an empty request when it was large', async () => {
    const reply: Reply = (response, request) => {
      if (request.body.length > 0) cut(response, request)
      else json({ message: 'The token is not known.' }, 403)(response, request)
    }
    const large = { body: Buffer.alloc(300 * 1024, '{"n":1}\n') }
    const { delivery, received } = await send(reply, {}, large)
    expect(delivery).toMatchObject({ error: { status: 403 }, mayBeStored: false })
    expect(received.map(({ body }) => body.length)).toEqual([300 * 1024, 0])
    expect(received[1]?.headers['x-service-batch-id']).toBe(undefined)
  })

  it('has the events that an error response lists', async () => {
    const listed = json({ message: 'bad', failures: [{ index: 3, error: 'no' }] }, 400)
    expect((await send(listed)).delivery).toMatchObject({ named: [{ index: 3, error: 'no' }] })
    const worded = json({ code: 400, message: 'failed to parse event at index 12: EOF' }, 400)
    expect((await send(worded)).delivery).toMatchObject({ named: [{ index: 12 }] })
    const silent = json({ message: 'reindex 5 failed' }, 400)
    expect((await send(silent)).delivery).toMatchObject({ named: [] })
  })
})

async function send(
  reply: Reply,
  policy: Partial<RetryPolicy> = {},
  more: Partial<IngestRequest> = {},
) {
  const { url, received } = await scriptedService(reply)
  const connection = connectHttp({ name: 'the service', url })
  const waits: RetryDelay[] = []
  const impatient: RetryDelay[] = []
  const delivery = await ingest(connection, {
    dataset: 'logs',
    contentType: 'application/x-ndjson',
    body: Buffer.from('{"n":1}\n'),
    events: 1,
    batchId: 'run-1',
    ...more,
    retry: {
      ...INGEST_RETRY,
      attempts: 4,
      firstDelayMs: 1,
      ...policy,
      onRetry: (wait) => waits.push(wait),
      onWaitTooLong: (wait) => impatient.push(wait),
    },
  })
  await connection.close()
  return { delivery, received, waits, impatient }
}
