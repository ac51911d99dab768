import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openStore, type Store } from '../../src/engine/store.js'
import { deleteExpired, type Expiry, startRetention } from '../../src/service/retention.js'
import { openSharedEngine } from '../support/engine.js'
import { removeDirectory } from '../support/remove-directory.js'
import { until } from '../support/until.js'

/** 2026-01-31T00:00:00Z */
const NOW = 1_769_817_600_000_000_000n
const DAY_MS = 86_400_000

let directory: string
let store: Store
let now: bigint
let running: { stop(): void } | undefined

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evq-retention-'))
  store = await open()
  now = NOW
})

afterEach(async () => {
  running?.stop()
  await store.close()
  await removeDirectory(directory)
})

async function open(): Promise<Store> {
  const engine = await openSharedEngine(directory)
  return await openStore({ directory, now: () => now, ...(engine && { engine }) })
}

/** Stores events of these ages in days. */
const ingest = (dataset: string, ages: readonly number[], batchId?: string) =>
  store.ingest({
    dataset,
    lines: {
      kind: 'bytes',
      bytes: Buffer.from(
        ages
          .map((age) => `{"_time":${Number(NOW / 1_000_000n) - age * DAY_MS},"age":${age}}\n`)
          .join(''),
      ),
    },
    arrivedAt: NOW,
    timestampField: '_time',
    ...(batchId !== undefined && { batchId }),
  })

const events = async (dataset: string) => (await store.statistics(dataset))[0]?.events

/** Waits until a dataset contains exactly this number of events. */
const holds = (dataset: string, count: number) =>
  until(async () => (await events(dataset)) === count, `${count} events in ${dataset}`)

let expired: Expiry[]

const keep = (keptMs: number | undefined, report?: (error: unknown) => void) => {
  expired = []
  running = startRetention({
    store,
    keptMs,
    now: () => now,
    expired: (expiry) => expired.push(expiry),
    ...(report && { report }),
  })
}

describe('retention', () => {
  it('deletes older events of all datasets, and nothing else', async () => {
    await ingest('logs', [0, 10, 29, 31, 400])
    await ingest('web', [31])
    await ingest('new', [1, -5])
    keep(30 * DAY_MS)
    await holds('web', 0)
    expect(await events('logs')).toBe(3)
    expect(await events('new')).toBe(2)
  })

  it('prefers the setting of a dataset to the default', async () => {
    await ingest('logs', [0, 10, 31])
    await ingest('short', [0, 10, 31])
    await ingest('long', [0, 10, 31])
    await store.retention.put({ id: 'short', body: '5d' })
    await store.retention.put({ id: 'long', body: '52w' })
    keep(30 * DAY_MS)
    await holds('short', 1)
    await holds('logs', 2)
    expect(await events('long')).toBe(3)
  })

  it('without a default deletes only from datasets with a setting', async () => {
    await ingest('logs', [31])
    await ingest('short', [0, 31])
    await store.retention.put({ id: 'short', body: '5d' })
    keep(undefined)
    await holds('short', 1)
    expect(await events('logs')).toBe(1)
  })

  it('pauses for at least a second, however short the maximum age is', async () => {
    await ingest('logs', [1])
    await store.retention.put({ id: 'logs', body: '1ms' })
    const pass = { isFirst: true, isStopped: () => false }
    expect(await deleteExpired({ store, now: () => now }, pass)).toBe(1_000)
    expect(await events('logs')).toBe(0)
  })

  it('reports what it deleted', async () => {
    await ingest('logs', [0, 29, 31, 400])
    await ingest('new', [1])
    keep(30 * DAY_MS)
    await until(() => expired.length, 'events are deleted')
    expect(expired).toEqual([{ dataset: 'logs', events: 2, before: '2026-01-01T00:00:00Z' }])
  })

  it('runs again when more events have become old', async () => {
    await ingest('logs', [0, 1])
    now = NOW - BigInt(DAY_MS) * 1_000_000n
    await ingest('logs', [40])
    // 1/24 of it has soon passed.
    keep(240)
    await holds('logs', 2)
    now = NOW
    await holds('logs', 1)
  })

  it('still recognizes the batches that were stored', async () => {
    expect(await ingest('logs', [31, 32], 'old')).toMatchObject({ ingested: 2 })
    keep(30 * DAY_MS)
    await holds('logs', 0)
    expect(await ingest('logs', [31, 32], 'old')).toMatchObject({ ingested: 2 })
    expect(await events('logs')).toBe(0)
  })

  it('reports a failure and continues', async () => {
    await ingest('logs', [31])
    const expired: unknown[] = []
    const holdings = vi.spyOn(store, 'trim').mockRejectedValueOnce(new Error('no'))
    keep(240, (error) => expired.push(error))
    await holds('logs', 0)
    expect(expired).toEqual([new Error('no')])
    holdings.mockRestore()
  })

  it('is silent when the store is closed while it runs', async () => {
    await ingest('logs', [31])
    const expired: unknown[] = []
    keep(240, (error) => expired.push(error))
    running?.stop()
    await store.close()
    expect(expired).toEqual([])
    store = await open()
  })
})
