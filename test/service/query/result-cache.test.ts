import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EngineResult } from '../../../src/engine/engine.js'
import { type QueryResult, ResultCache } from '../../../src/service/query/result-cache.js'
import type { CompiledQuery } from '../../../src/sql/compiled-query.js'
import { needsEmbedded } from '../../support/engine.js'
import { type Running, run } from '../running.js'

/** It is noon of the 1st, so the morning is a closed range. */
const MORNING = { startTime: '2026-01-01T06:00:00Z', endTime: '2026-01-01T12:00:00Z' }
const COUNT = "['logs'] | summarize n = count(), last = max(i)"

let service: Running

beforeEach(async () => {
  service = await run()
  await ingest('logs', [7, 8, 9])
})

afterEach(() => service.close())

/** Stores an event at each of these hours of the 1st. */
const ingest = (dataset: string, hours: readonly number[]) =>
  service.send({
    path: `/v1/ingest/${dataset}`,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(
      hours.map((hour) => ({
        _time: `2026-01-01T${String(hour).padStart(2, '0')}:00:00Z`,
        i: hour,
      })),
    ),
  })

/** The first row of a response, and whether it was cached. */
async function ask(apl = COUNT, more: object = {}, format = 'tabular') {
  const body = JSON.stringify({ apl, ...MORNING, ...more })
  const { body: response, text } = await service.send({
    path: `/v1/datasets/_apl?format=${format}`,
    body,
  })
  expect(response.status, text).toBeDefined()
  const row = response.tables?.[0].columns.map((column: readonly unknown[]) => column[0])
  return { row, cached: response.status.cacheStatus === 1, status: response.status }
}

// On a shared engine, other services may change the events: there is no cache.
describe('a query of a closed time range', needsEmbedded, () => {
  it('is served from the cache the second time, as its status shows', async () => {
    const first = await ask()
    expect(first).toMatchObject({ row: [3, 9], cached: false, status: { blocksCached: 0 } })
    const second = await ask()
    expect(second).toMatchObject({ row: [3, 9], cached: true })
    const { elapsedTime: _, ...status } = second.status
    expect(status).toEqual({
      ...first.status,
      elapsedTime: undefined,
      cacheStatus: 1,
      blocksCached: 1,
    })
  })

  it('reads nothing from the engine then', async () => {
    await ask()
    const read = vi.spyOn(service.store, 'read')
    await ask()
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  it('runs again after events were added to the range, and only then', async () => {
    await ask()
    await ingest('logs', [13, 5])
    await ingest('web', [8])
    expect(await ask()).toMatchObject({ row: [3, 9], cached: true })
    await ingest('logs', [10])
    expect(await ask()).toMatchObject({ row: [4, 10], cached: false })
    expect(await ask()).toMatchObject({ row: [4, 10], cached: true })
  })

  it('runs again after events were deleted, though the count is the same', async () => {
    await ask()
    await service.store.trim('logs', 1_767_225_600_000_000_000n + 7n * 3_600_000_000_000n + 1n)
    await ingest('logs', [11])
    expect(await ask()).toMatchObject({ row: [3, 11], cached: false })
    await service.store.remove('logs')
    await ingest('logs', [1, 2, 7, 8, 10])
    expect(await ask()).toMatchObject({ row: [3, 10], cached: false })
  })

  it('runs again with other options', async () => {
    await ask("['logs'] | project i | sort by i asc")
    for (const [apl, more] of [
      ["['logs'] | project i | sort by i desc", {}],
      ["['logs'] | project i | sort by i asc", { startTime: '2026-01-01T08:00:00Z' }],
      ["['logs'] | project i | sort by i asc", { defaultLimit: 1 }],
    ] as const)
      expect((await ask(apl, more)).cached).toBe(false)
  })

  it('runs again when the request disables the cache', async () => {
    await ask()
    const queryOptions = { disableCache: true }
    expect((await ask(COUNT, { queryOptions })).cached).toBe(false)
    expect((await ask(COUNT, { queryOptions: { disableCache: false } })).cached).toBe(true)
  })

  it('shows a new field of events outside of the range', async () => {
    await ask("['logs']")
    await service.send({
      path: '/v1/ingest/logs',
      headers: { 'content-type': 'application/json' },
      body: '[{"_time":"2026-01-01T13:00:00Z","new":1}]',
    })
    const { status } = await ask("['logs'] | where isnull(new) | summarize count()")
    expect(status.cacheStatus).toBe(0)
    expect((await ask("['logs']")).row).toHaveLength(4)
  })

  it('runs again when one of its two datasets has changed', async () => {
    await ingest('web', [8])
    const both = "union ['logs'], ['web'] | count"
    expect([(await ask(both)).cached, (await ask(both)).cached]).toEqual([false, true])
    await ingest('web', [9])
    expect(await ask(both)).toMatchObject({ row: [5], cached: false })
  })

  it('is cached in the legacy format, too', async () => {
    await ask(COUNT, {}, 'legacy')
    expect((await ask(COUNT, {}, 'legacy')).cached).toBe(true)
  })
})

describe('a query is never cached', () => {
  it.each([
    ['whose range is open', COUNT, { endTime: null }],
    ['whose range is not over', COUNT, { endTime: '2026-01-01T12:00:01Z' }],
    ['of chance', "['logs'] | extend r = rand() | project r", {}],
    ['without events', 'print 1', {}],
  ])('%s', async (_, apl, more) => {
    await ask(apl, more)
    expect((await ask(apl, more)).cached).toBe(false)
  })
})

describe('ResultCache', () => {
  const named = (n: number) =>
    ({ statement: { kind: 'sql', text: `select ${n}` } }) as unknown as CompiledQuery
  const found = (bytes: number) =>
    ({
      result: { bytes: new Map([['c', Buffer.alloc(bytes)]]) } as unknown as EngineResult,
    }) as unknown as QueryResult
  const MIB = 1024 * 1024

  it('evicts the least recently used results', () => {
    const cache = new ResultCache()
    const one = found(3 * MIB)
    for (let n = 0; n < 30; n++) {
      cache.keep(named(n), 's', one)
      expect(cache.find(named(0), 's')).toBe(one)
    }
    const left = Array.from({ length: 30 }, (_, n) => n).filter((n) => cache.find(named(n), 's'))
    // 64 MiB hold ten results, which count twice.
    expect(left).toEqual([0, 21, 22, 23, 24, 25, 26, 27, 28, 29])
  })

  it('does not keep very large results', () => {
    const cache = new ResultCache()
    cache.keep(named(1), 's', found(5 * MIB))
    expect(cache.find(named(1), 's')).toBeUndefined()
  })
})
