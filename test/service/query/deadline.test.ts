import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openStore, type Store } from '../../../src/engine/store.js'
import { createService } from '../../../src/service/app.js'
import { DEFAULT_LIMITS } from '../../../src/service/limits.js'
import { needsEmbedded } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { NOW, sender } from '../running.js'

/** The least time that each statement takes. */
const STATEMENT_MS = 50
const TIMEOUT_MS = 60_000

// Servers are asked fewer statements.
it('the statements of a query that follow each other share its time', needsEmbedded, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-deadline-'))
  const store = await openStore({ directory, now: () => NOW })
  const timeouts: number[] = []
  const slow: Store = {
    ...store,
    async read(statement, limits) {
      timeouts.push(limits.timeoutMs)
      await sleep(STATEMENT_MS)
      return await store.read(statement, limits)
    },
  }
  const send = sender(
    createService({
      store: slow,
      access: { grantOf: async () => undefined, renameDataset: async () => 0 },
      limits: { ...DEFAULT_LIMITS, queryTimeoutMs: TIMEOUT_MS },
      now: () => NOW,
    }).app,
  )
  try {
    const headers = { 'content-type': 'application/json' }
    const events = '[{"_time":"2026-01-01T10:00:00Z","n":1}]'
    expect((await send({ path: '/v1/ingest/logs', headers, body: events })).status).toBe(200)
    const { status, text } = await send({
      path: '/v1/datasets/_apl?format=tabular',
      // A closed range is looked up in the cache first; a time-binned result has a second query, for its totals.
      body: JSON.stringify({
        apl: 'logs | summarize count() by bin(_time, 1h)',
        startTime: '2026-01-01T09:00:00Z',
        endTime: '2026-01-01T11:00:00Z',
      }),
    })
    expect(status, text).toBe(200)
    const [first = 0] = timeouts
    expect(first).toBeLessThanOrEqual(TIMEOUT_MS)
    expect(timeouts.length).toBeGreaterThanOrEqual(3)
    expect(Math.min(...timeouts)).toBeLessThanOrEqual(first - 2 * STATEMENT_MS)
  } finally {
    await store.close()
    await removeDirectory(directory)
  }
})
