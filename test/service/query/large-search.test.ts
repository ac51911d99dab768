import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore, type Store } from '../../../src/engine/store.js'
import { createService } from '../../../src/service/app.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'
import { needsEmbedded } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { NOW, type Send, sender } from '../running.js'

// A search that reads more than a million events finds out first in which columns its term may be.

const BATCHES = 12
const BATCH = 100_000

let directory: string
let store: Store
let send: Send
let statements: string[] = []

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'evq-search-'))
  store = await openStore({ directory, now: () => NOW })
  const watched: Store = {
    ...store,
    async read(statement, limits) {
      statements.push(statement.text)
      return await store.read(statement, limits)
    },
  }
  const access = { grantOf: async () => undefined, renameDataset: async () => 0 }
  send = sender(
    createService({ store: watched, access, limits: DEFAULT_LIMITS, now: () => NOW }).app,
  )
  for (let batch = 0; batch < BATCHES; batch++) {
    const lines = Array.from({ length: BATCH }, (_, i) => {
      const n = batch * BATCH + i
      const rare = n === 777_777 ? ' needle' : ''
      return `{"_time":"2026-01-01T10:00:00Z","message":"even ${n % 2 === 0}${rare}","id":"id${n}"}\n`
    })
    const headers = { 'content-type': 'application/x-ndjson' }
    const { status } = await send({ path: '/v1/ingest/logs', headers, body: lines.join('') })
    expect(status).toBe(200)
  }
})

afterAll(async () => {
  await store.close()
  await removeDirectory(directory)
})

/** Returns the first value of a result, the number of matching events, and the number of statements that were divided. */
async function searched(apl: string) {
  statements = []
  const range = { startTime: '2025-12-01T00:00:00Z', endTime: '2026-02-01T00:00:00Z' }
  const { status, text, body } = await send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl, queryOptions: { disableCache: true }, ...range }),
  })
  expect(status, text).toBe(200)
  const divided = statements.filter((statement) => statement.includes('exists(SELECT 1'))
  const { tables, status: found } = body
  return [tables[0].columns[0]?.[0], found.rowsMatched, divided.length]
}

describe('a search of many events', needsEmbedded, () => {
  it('finds each event with the term in any column', async () => {
    expect(await searched("logs | search 'true' | count")).toEqual([600_000, 600_000, 1])
    expect(await searched("search in (logs) 'even' | count")).toEqual([1_200_000, 1_200_000, 1])
    // Merges may have built the indexes, which then exclude most events: such a search is not divided.
    const rare = await searched("logs | search 'needle' | summarize count() by id")
    expect(rare.slice(0, 2)).toEqual(['id777777', 1])
    expect((await searched("logs | search 'nothing' | count")).slice(0, 2)).toEqual([0, 0])
  })

  it('counts the events of which it returns the first ones', async () => {
    const [, matched, divided] = await searched("logs | search 'false' | take 3")
    expect([matched, divided]).toEqual([600_000, 1])
  })

  it('reads all columns where the time excludes most events', async () => {
    const later = "logs | where _time > datetime(2026-01-02) | search 'true' | count"
    expect(await searched(later)).toEqual([0, 0, 0])
  })
})
