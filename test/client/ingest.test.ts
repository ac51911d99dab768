import { describe, expect, it } from 'vitest'
import { ApiError, NetworkError } from '../../src/client/error.js'
import { connectHttp } from '../../src/client/http.js'
import { ingest } from '../../src/client/ingest.js'
import type { RetryDelay, RetryPolicy } from '../../src/client/retry.js'
import { cut, inTurn, json, type Reply, scriptedService, stored } from './scripted-service.js'

const unavailable = json({ code: 503, message: 'Not ready.' }, 503)

describe('ingest', () => {
  it('sends a batch unchanged with its id and its type', async () => {
    const { result, received } = await send(stored)
    expect(result).toMatchObject({ ingested: 2, failed: 0, failures: [] })
    expect(received.length).toBe(1)
    const { method, url, headers, body } = received[0]!
    expect(`${method} ${url}`).toBe('POST /v1/ingest/logs?timestamp-field=ts')
    expect(headers).toMatchObject({
      'content-type': 'application/x-ndjson',
      'x-service-batch-id': 'run-1',
      'content-length': '16',
    })
    expect(body.toString()).toBe('{"a":1}\n{"a":2}\n')
  })

  it('sends a batch again under the same id until it is stored', async () => {
    for (const passing of [408, 429, 430, 500, 502, 503, 504]) {
      const { result, received } = await send(inTurn(json({}, passing), cut, stored))
      expect(result).toMatchObject({ ingested: 2 })
      expect(received.map(({ headers }) => headers['x-service-batch-id'])).toEqual([
        'run-1',
        'run-1',
        'run-1',
      ])
      expect(received.map(({ body }) => body.length)).toEqual([16, 16, 16])
    }
  })

  it('waits as long as the service requests', async () => {
    const busy = json({}, 429, { 'retry-after': '0.123' })
    const { waits } = await send(inTurn(busy, stored))
    expect(waits).toEqual([{ reason: 'status 429', delayMs: 123, waitedMs: expect.any(Number) }])
  })

  it('waits a random time within growing bounds', async () => {
    const { waits, error } = await send(unavailable, { firstDelayMs: 8, maxDelayMs: 30 })
    expect(waits.length).toBe(3)
    const [first, second, third] = waits.map(({ delayMs }) => delayMs) as [number, number, number]
    expect(first).toBeLessThanOrEqual(8)
    expect(second).toBeLessThanOrEqual(16)
    expect(third).toBeLessThanOrEqual(30)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 503, message: 'Not ready.' })
  })

  it('does not retry permanent failures', async () => {
    for (const status of [400, 401, 403, 404, 413, 415, 422, 501]) {
      const { received, error } = await send(json({ message: 'No.' }, status))
      expect(received.length).toBe(1)
      expect(error).toMatchObject({ status, message: 'No.' })
    }
  })

  it('stops waiting when aborted', async () => {
    const stop = new AbortController()
    const { received, error } = await send(unavailable, {
      firstDelayMs: 1e9,
      maxDelayMs: 1e9,
      signal: stop.signal,
      onRetry: () => setImmediate(() => stop.abort()),
    })
    expect(error).toMatchObject({ status: 503 })
    expect(received.length).toBe(1)
  })

  it('fails with the network error when the service is unreachable', async () => {
    const { received, error } = await send(cut)
    expect(error).toBeInstanceOf(NetworkError)
    expect(received.length).toBe(4)
  })
})

describe('an ingest response', () => {
  it('may have null for an empty list, and failures without a position', async () => {
    const none = await send(json({ ingested: 2, failed: 0, failures: null }))
    expect(none.result).toMatchObject({ ingested: 2, failures: [] })
    const failures = [{ timestamp: '2026-01-01T00:00:00Z', error: 'bad' }]
    const one = await send(json({ ingested: 1, failed: 1, failures }))
    expect(one.result).toMatchObject({ failed: 1, failures })
  })

  it('is not success when it has another shape', async () => {
    for (const body of ['<html>welcome</html>', '{}', '[]', '']) {
      const { error } = await send((response) => response.end(body))
      expect(error).toMatchObject({ name: 'MalformedResponseError' })
    }
  })

  it('includes the request id when it is an error', async () => {
    const { error, url } = await send(
      json({ code: 403, message: 'Not allowed.' }, 403, { 'x-service-trace-id': 'trace-7' }),
    )
    expect(error).toMatchObject({
      status: 403,
      code: '403',
      requestId: 'trace-7',
      url: `${url}/v1/ingest/logs`,
    })
  })

  it('may be plain text or of another shape when it is an error', async () => {
    const word = await send(json({ error: 'quota used up', code: 'quota' }, 422))
    expect(word.error).toMatchObject({ code: 'quota', message: 'quota used up' })
    const text = await send((response) => response.writeHead(400).end('malformed body'))
    expect(text.error).toMatchObject({ status: 400, message: 'malformed body' })
  })

  it('is not followed when it is a redirect', async () => {
    const { error, received } = await send((response) =>
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
    )
    expect(error).toMatchObject({
      message: 'The deployment has moved to https://elsewhere.example/.',
    })
    expect(received.length).toBe(1)
  })
})

async function send(reply: Reply, { onRetry, ...policy }: Partial<RetryPolicy> = {}) {
  const { url, received } = await scriptedService(reply)
  const connection = connectHttp({ name: 'the service', url })
  const waits: RetryDelay[] = []
  const retry = {
    attempts: 4,
    firstDelayMs: 1,
    maxDelayMs: 1000,
    maxWaitMs: 10_000,
    ...policy,
    onRetry: (wait: RetryDelay) => {
      waits.push(wait)
      onRetry?.(wait)
    },
  }
  const delivery = await ingest(connection, {
    dataset: 'logs',
    contentType: 'application/x-ndjson',
    body: Buffer.from('{"a":1}\n{"a":2}\n'),
    events: 2,
    batchId: 'run-1',
    parameters: { timestampField: 'ts' },
    retry,
  })
  await connection.close()
  const result = delivery.kind === 'accepted' ? delivery.result : undefined
  const error = delivery.kind === 'failed' ? delivery.error : undefined
  return { delivery, result, error, received, waits, url }
}
