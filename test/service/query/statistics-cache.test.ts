import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StatisticsCache } from '../../../src/service/query/statistics-cache.js'
import { raw } from '../../../src/sql/sql.js'
import { needsEmbedded } from '../../support/engine.js'
import { NOW, type Running, run } from '../running.js'

const LIMITS = { timeoutMs: 60_000, memoryBytes: 2 ** 30 }
const SECOND = 1_000_000_000n

let service: Running
let now: bigint
let reads: number
let steady: StatisticsCache

beforeEach(async () => {
  service = await run()
  now = NOW
  reads = 0
  steady = new StatisticsCache(() => now)
  await ingest('logs', 2)
  await ingest('other', 1)
})

afterEach(() => service.close())

async function ingest(dataset: string, events: number): Promise<void> {
  const body = Array.from({ length: events }, (_, i) => JSON.stringify({ i })).join('\n')
  const headers = { 'content-type': 'application/x-ndjson' }
  const { status } = await service.send({ path: `/v1/ingest/${dataset}`, headers, body })
  expect(status).toBe(200)
}

/** The number of events, read through the cache. */
async function count(dataset: string): Promise<string | undefined> {
  const { store } = service
  const counting = {
    ...store,
    read: (...given: Parameters<typeof store.read>) => {
      reads += 1
      return store.read(...given)
    },
  }
  const query = raw(`select count() as events from ${dataset}`)
  const { columns } = await steady.of(counting, [dataset]).read(query, LIMITS)
  return columns.get('events')
}

// Other services may change the events of a shared engine.
describe('statistics of a dataset', needsEmbedded, () => {
  it('are read from the engine once', async () => {
    expect([await count('logs'), await count('logs'), await count('logs')]).toEqual(
      Array(3).fill('[2]'),
    )
    expect(reads).toBe(1)
  })

  it('are read again after events were stored in that dataset', async () => {
    await count('logs')
    await count('other')
    await ingest('logs', 3)
    expect([await count('logs'), await count('other')]).toEqual(['[5]', '[1]'])
    expect(reads).toBe(3)
  })

  it('are read again after events were deleted', async () => {
    await count('logs')
    await service.store.trim('logs', 2n ** 62n)
    expect(await count('logs')).toBe('[0]')
  })

  it('are read again after ten seconds, since the engine merges parts', async () => {
    await count('logs')
    now += 9n * SECOND
    await count('logs')
    expect(reads).toBe(1)
    now += 2n * SECOND
    await count('logs')
    expect(reads).toBe(2)
  })

  it('are never older than a concurrent change', async () => {
    const { store } = service
    const late = {
      ...store,
      async read(...given: Parameters<typeof store.read>) {
        const response = await store.read(...given)
        await ingest('logs', 1)
        return response
      },
    }
    const query = raw('select count() as events from logs')
    await steady.of(late, ['logs']).read(query, LIMITS)
    expect(await count('logs')).toBe('[3]')
  })

  it('are not cached when other services can change the events', async () => {
    const others = { ...service.store, changes: () => undefined }
    const query = raw('select count() as events from logs')
    await steady.of(others, ['logs']).read(query, LIMITS)
    await service.store.trim('logs', 2n ** 62n)
    const { columns } = await steady.of(others, ['logs']).read(query, LIMITS)
    expect(columns.get('events')).toBe('[0]')
  })
})
