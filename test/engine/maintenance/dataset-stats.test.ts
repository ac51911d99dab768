import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { datasetStatistics, firstArrivals } from '../../../src/engine/maintenance/dataset-stats.js'
import { openOwnEngine, openStore } from '../../../src/engine/store.js'
import { sql } from '../../../src/sql/sql.js'
import { needsEmbedded } from '../../support/engine.js'
import { removeDirectory } from '../../support/remove-directory.js'

const NOW = 1_767_225_600_000_000_000n

it('leaves out a dataset that is dropped meanwhile', needsEmbedded, async () => {
  const directory = await mkdtemp(join(tmpdir(), 'evq-stats-'))
  const engine = await openOwnEngine(directory)
  const store = await openStore({ directory, now: () => NOW, ownEngine: engine })
  onTestFinished(async () => {
    await store.close()
    await removeDirectory(directory)
  })
  for (const dataset of ['gone', 'kept']) {
    const bytes = Buffer.from('{"_time":"2026-01-01T00:00:00Z","a":1}\n')
    const lines = { kind: 'bytes', bytes } as const
    await store.ingest({ dataset, lines, arrivedAt: NOW, timestampField: '_time' })
  }
  // Stores the events in the tables.
  await store.statistics()
  await engine.run(sql`DROP TABLE datasets.gone SYNC`)
  expect(await datasetStatistics(engine, ['gone', 'kept'])).toMatchObject([
    { dataset: 'kept', events: 1, times: { first: NOW, last: NOW } },
  ])
  expect([...(await firstArrivals(engine, ['gone', 'kept'])).keys()]).toEqual(['kept'])
})
