import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ServeLimits } from '../../src/wire/serve-limits.js'
import { until } from '../support/until.js'
import { type Running, run, type Send } from './running.js'

const MIB = 1024 ** 2
const path = '/v1/datasets/_apl?format=tabular'

let service: Running

beforeAll(async () => {
  service = await run({ token: 'xapt-other' })
  const headers = { 'content-type': 'application/x-ndjson' }
  // A string that is unique to each event: 200,000 of them exceed the memory of some queries below.
  const lines = Array.from(
    { length: 200_000 },
    (_, i) => `{"i":${i},"text":"${'x'.repeat(90)}${i}"}\n`,
  )
  await service.send({ path: '/v1/ingest/crowd', headers, body: lines.join('') })
})

afterAll(() => service.close())

function ask(send: Send, apl: string, more: { signal?: AbortSignal } = {}) {
  return send({ path, body: JSON.stringify({ apl }), ...more })
}

const SLOW = 'crowd | summarize dcount(text) by i'

/** Lets queries keep their permits until the returned function is called. */
function holdQueries(): () => void {
  const { read } = service.store
  let release = (): void => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = vi.spyOn(service.store, 'read').mockImplementation(async (...query) => {
    await released
    return await read(...query)
  })
  return () => {
    held.mockRestore()
    release()
  }
}

describe('concurrent queries', () => {
  it('above the limit wait, and all succeed', async () => {
    const send = service.limited({ runningQueries: 1 })
    const responses = await Promise.all(
      Array.from({ length: 5 }, (_, i) => ask(send, `crowd | where i < ${i} | count`)),
    )
    expect(responses.map(({ body }) => body.tables[0].columns[0][0])).toEqual([0, 1, 2, 3, 4])
  })

  it('are refused with 429, Retry-After and the limit when too many are waiting', async () => {
    const send = service.limited({ runningQueries: 1, waitingQueries: 1 })
    const release = holdQueries()
    const pending = [1, 2, 3].map(() => ask(send, 'crowd | count'))
    expect((await Promise.race(pending)).status).toBe(429)
    release()
    const responses = await Promise.all(pending)
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 429])
    const refused = responses.find(({ status }) => status === 429)
    expect(refused?.headers).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': '1',
      'x-ratelimit-remaining': '0',
      // A second after 2026-01-01T12:00:00Z, the time of the service.
      'x-ratelimit-reset': '1767268801',
    })
    expect(refused?.body).toEqual({
      code: 429,
      message: 'Too many queries are waiting. Retry in a second.',
    })
  })

  it('leave the queue when their client disconnects', async () => {
    const send = service.limited({ runningQueries: 1, waitingQueries: 1 })
    const caller = new AbortController()
    const release = holdQueries()
    const first = ask(send, 'crowd | count')
    const second = ask(send, 'crowd | count', { signal: caller.signal })
    const metrics = async () => (await send({ method: 'GET', path: '/metrics' })).text
    await until(
      async () => (await metrics()).includes('\nevq_queries_waiting 1\n'),
      'a query waits',
    )
    caller.abort()
    expect((await second).status).toBe(499)
    // Its place is free: one more can wait.
    const third = ask(send, 'crowd | count')
    release()
    expect([(await third).status, (await first).status]).toEqual([200, 200])
  })

  it('release their permit when they fail', async () => {
    const send = service.limited({ runningQueries: 1, waitingQueries: 0, queryTimeoutMs: 1 })
    expect((await ask(send, SLOW)).status).toBe(432)
    expect((await ask(send, SLOW)).status).toBe(432)
  })
})

describe('a query that exceeds its memory', () => {
  it('sorts on disk', async () => {
    const apl =
      'crowd | extend t = strcat(text, text, text) | sort by t asc | project i | limit 50000'
    const { status, body, text } = await ask(service.limited({ queryMemoryBytes: 128 * MIB }), apl)
    expect(status, text.slice(0, 500)).toBe(200)
    // A digit sorts before the `x` that follows an integer: 0, then 100000 before 1.
    expect(body.tables[0].columns[0].slice(0, 4)).toEqual([0, 100_000, 100_001, 100_002])
  })

  it('groups on disk', async () => {
    const apl =
      'crowd | summarize n = count() by t = strcat(text, text, text) | summarize groups = count(), all = sum(n)'
    const { status, body, text } = await ask(service.limited({ queryMemoryBytes: 64 * MIB }), apl)
    expect(status, text.slice(0, 500)).toBe(200)
    expect(body.tables[0].columns).toEqual([[200_000], [200_000]])
  })
})

/** Runs a slow query, and requires that it is stopped for a reason. */
async function expectStopped(send: Send, ...words: readonly string[]): Promise<void> {
  const { status, body } = await ask(send, SLOW)
  expect(status).toBe(432)
  for (const part of words) expect(body.message).toContain(part)
}

/** A low value of each limit that `evq serve` sets, and a request that exceeds it. */
const EXCEEDED: Readonly<
  Record<keyof ServeLimits, { readonly low: number; check(send: Send): Promise<void> }>
> = {
  bodyBytes: {
    low: 10,
    async check(send) {
      const headers = { 'content-type': 'application/x-ndjson' }
      const request = { path: '/v1/ingest/crowd', headers, body: '{"a":"longer than that"}\n' }
      const { status, body } = await send(request)
      expect([status, body.code]).toEqual([413, 413])
    },
  },
  rows: {
    low: 10,
    async check(send) {
      const { body } = await ask(send, 'crowd | limit 1000')
      expect(body.tables[0].columns[0]).toHaveLength(10)
      expect(body.status.messages).toHaveLength(1)
    },
  },
  queryTimeoutMs: {
    low: 1,
    check: (send) => expectStopped(send, 'exceeded the time limit of the service'),
  },
  queryMemoryBytes: {
    low: 1024,
    check: (send) =>
      expectStopped(send, 'exceeded the memory limit of the service', '`evq serve --query-memory`'),
  },
}

describe('a limit that `evq serve` sets', () => {
  it.each(Object.entries(EXCEEDED))('applies to requests: %s', async (name, { low, check }) => {
    await check(service.limited({ [name]: low }))
  })
})
