import { afterEach, describe, expect, it } from 'vitest'
import { firstMatch, untilNow } from '../../src/service/legacy/streaming.js'
import { runningWith, type Send, type TestResponse } from './running.js'

const HEADERS = { 'content-type': 'application/x-ndjson' }
const service = runningWith({ live: '{"_time":"2026-01-01T10:00:00Z","n":0}' })

const cancelled: AbortController[] = []

afterEach(() => {
  for (const controller of cancelled.splice(0)) controller.abort()
})

/** A request for events since 11:00 that is held for up to a minute; the service's clock says 12:00. */
function stream(body: object, send: Send = service.send): Promise<TestResponse> {
  const controller = new AbortController()
  cancelled.push(controller)
  return send({
    path: '/v1/datasets/live/query?streaming-duration=1m0s',
    body: JSON.stringify({ startTime: '2026-01-01T11:00:00Z', ...body }),
    signal: controller.signal,
  })
}

async function store(n: number, time: string): Promise<void> {
  const body = JSON.stringify({ _time: time, n })
  const { status } = await service.send({ path: '/v1/ingest/live', headers: HEADERS, body })
  expect(status).toBe(200)
}

const numbers = ({ body }: TestResponse) =>
  body.matches.map(({ data }: { data: { n: number } }) => data.n)

describe('a legacy query with `streaming-duration`', () => {
  it('is held until an event matches', async () => {
    const filter = { op: '>', field: 'n', value: 10 }
    const held = stream({ filter })
    await store(1, '2026-01-01T11:30:00Z')
    await store(11, '2026-01-01T11:30:00Z')
    expect(numbers(await held)).toEqual([11])
    // Now there is a match from the beginning.
    expect(numbers(await stream({ filter }))).toEqual([11])
  })

  it('ends when the time is up', async () => {
    const path = '/v1/datasets/live/query?streaming-duration=300ms'
    const body = JSON.stringify({ startTime: '2026-01-01T11:59:00Z' })
    const response = await service.send({ path, body })
    expect([response.status, numbers(response)]).toEqual([200, []])
  })

  it('occupies no permit while it waits', async () => {
    const send = service.limited({ runningQueries: 1 })
    const startTime = '2026-01-01T11:45:00Z'
    const held = [1, 2, 3, 4].map(() => stream({ startTime }, send))
    const other = await send({
      path: '/v1/datasets/_apl?format=tabular',
      body: '{"apl":"live | count"}',
    })
    expect(other.status).toBe(200)
    await store(20, '2026-01-01T11:50:00Z')
    expect((await Promise.all(held)).map(numbers)).toEqual([[20], [20], [20], [20]])
  })

  it('ends when its client disconnects', async () => {
    const held = stream({ startTime: '2026-01-01T11:58:00Z' })
    cancelled.at(-1)?.abort()
    expect((await held).status).toBe(499)
  })

  it('has a duration', async () => {
    const path = '/v1/datasets/live/query?streaming-duration=soon'
    const { status, body } = await service.send({ path, body: '{}' })
    expect([status, body.message]).toEqual([422, expect.stringContaining('`soon`')])
  })
})

describe('a held query', () => {
  const { signal } = new AbortController()

  it('runs again only when events were stored', async () => {
    let runs = 0
    const run = async () => ++runs
    const unchanged = { holdMs: 700, signal, hasMatch: () => false, changes: () => 1 }
    expect(await firstMatch(run, unchanged)).toBe(1)
    let state = 0
    const changing = { holdMs: 60_000, signal, changes: () => state++ }
    expect(await firstMatch(run, { ...changing, hasMatch: (runs) => runs === 4 })).toBe(4)
  })

  it('ends now if it ended when it was sent', () => {
    const arrivedAt = 1_767_268_800_000_000_000n
    const now = arrivedAt + 3_000_000_000n
    const end = (endTime: string | undefined) =>
      untilNow(endTime === undefined ? {} : { endTime }, { arrivedAt, now }).endTime
    expect(end('2026-01-01T11:59:58Z')).toBe('2026-01-01T12:00:03Z')
    expect(end('now')).toBe('2026-01-01T12:00:03Z')
    expect(end('2026-01-01T11:59:50Z')).toBe('2026-01-01T11:59:50Z')
    expect(end('2026-01-01T13:00:00Z')).toBe('2026-01-01T13:00:00Z')
    expect(end(undefined)).toBe(undefined)
  })
})
