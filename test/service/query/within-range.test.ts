import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../../src/engine/store.js'
import { createService } from '../../../src/service/app.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'
import { StatisticsCache } from '../../../src/service/query/statistics-cache.js'
import { needsEmbedded } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { NOW, type Send, sender } from '../running.js'

// When all events are within the range of a request, their times are not compared with it.

const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T12:00:00Z' }
const INSIDE = '2026-01-01T10:00:00Z'
const OUTSIDE = '2025-12-31T10:00:00Z'
const LIMITS = { timeoutMs: 60_000, memoryBytes: 2 ** 30 }

let directory: string
let store: Store
let send: Send
let statements: string[]
/** Runs once, before the next statement that does not compare times. */
let meanwhile: (() => Promise<void>) | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evq-range-'))
  store = await openStore({ directory, now: () => NOW })
  statements = []
  meanwhile = undefined
  const watched: Store = {
    ...store,
    async read(statement, limits) {
      statements.push(statement.text)
      const work = comparesTimes(statement.text) ? undefined : meanwhile
      if (work !== undefined) meanwhile = undefined
      await work?.()
      return await store.read(statement, limits)
    },
  }
  const access = { grantOf: async () => undefined, renameDataset: async () => 0 }
  send = sender(
    createService({ store: watched, access, limits: DEFAULT_LIMITS, now: () => NOW }).app,
  )
  await ingest(INSIDE, INSIDE)
})

afterEach(async () => {
  await store.close()
  await removeDirectory(directory)
})

async function ingest(...times: readonly string[]): Promise<void> {
  const body = JSON.stringify(times.map((_time) => ({ _time, service: 'api', took: 3 })))
  const headers = { 'content-type': 'application/json' }
  expect((await send({ path: '/v1/ingest/logs', headers, body })).status).toBe(200)
}

async function tables(apl: string, range: object = RANGE) {
  const body = JSON.stringify({ apl, queryOptions: { disableCache: true }, ...range })
  const {
    status,
    text,
    body: result,
  } = await send({
    path: '/v1/datasets/_apl?format=tabular',
    body,
  })
  expect(status, text).toBe(200)
  return result.tables
}

/** The number of events in the range. */
async function count(range: object = RANGE): Promise<number> {
  const [table] = await tables("logs | where service == 'api' | summarize n = count()", range)
  return table.columns[0][0]
}

function comparesTimes(statement: string): boolean {
  return /`_time` (?:>=|<)/.test(statement)
}

describe('a query whose range has all events', needsEmbedded, () => {
  it('does not compare their times once the range of the events is known', async () => {
    expect(await count()).toBe(2)
    expect(statements.some(comparesTimes)).toBe(true)
    statements = []
    expect(await count()).toBe(2)
    expect(statements).not.toHaveLength(0)
    expect(statements.some(comparesTimes)).toBe(false)
  })

  it.each([
    { startTime: '2026-01-01T10:00:00.000000001Z' },
    { endTime: INSIDE },
    { startTime: OUTSIDE, endTime: INSIDE },
  ])('compares them with %j, which has none', async (range) => {
    await count(range)
    expect(await count(range)).toBe(0)
  })

  it('compares them again after an event was stored outside of it', async () => {
    await count()
    await ingest(OUTSIDE)
    expect([await count(), await count()]).toEqual([2, 2])
    expect(await count({})).toBe(3)
  })

  it('does not include an event that is stored outside of it while the query runs', async () => {
    await count()
    meanwhile = () => ingest(OUTSIDE, INSIDE)
    expect(await count()).toBe(3)
    expect(meanwhile).toBeUndefined()
  })

  it('has the same totals', async () => {
    const apl = 'logs | summarize count(), rate(took) by bin(_time, 1m), service'
    const [first, second] = [await tables(apl), await tables(apl)]
    expect(first).toHaveLength(2)
    expect(second).toEqual(first)
    const rate = 'logs | summarize rate(took)'
    expect(await tables(rate)).toEqual(await tables(rate))
  })
})

describe('the known parts of a dataset', needsEmbedded, () => {
  it('are not those that were read while a batch was in flight', async () => {
    const cache = new StatisticsCache(() => NOW)
    const changing = { ...store, isChanging: () => true }
    await cache.of(changing, ['logs']).parts(['logs'], LIMITS)
    expect(cache.of(store, ['logs']).known()).toBeUndefined()
  })

  it('are known until a change begins', async () => {
    const reader = new StatisticsCache(() => NOW).of(store, ['logs'])
    expect(reader.known()).toBeUndefined()
    await reader.parts(['logs'], LIMITS)
    expect(reader.known()?.parts).toMatchObject([{ events: 2 }])
    const change = store.clear('logs')
    await change
    expect(reader.known()).toBeUndefined()
  })

  it('are in change while a batch is in flight', async () => {
    const seen = [store.isChanging('logs')]
    let isStored = false
    const stored = ingest(INSIDE).finally(() => {
      isStored = true
    })
    while (!isStored) {
      seen.push(store.isChanging('logs'))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await stored
    expect(seen[0]).toBe(false)
    expect(seen).toContain(true)
    expect(store.isChanging('logs')).toBe(false)
  })
})
