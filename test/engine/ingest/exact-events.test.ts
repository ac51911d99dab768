import { expect, it } from 'vitest'
import { Dataset } from '../../../src/engine/catalog/dataset.js'
import { FieldStatistics } from '../../../src/engine/catalog/field-statistics.js'
import { ExactEvents } from '../../../src/engine/ingest/exact-events.js'

it('reads short lines in turns with other work', async () => {
  const events = new ExactEvents({
    dataset: new Dataset('logs', { paths: new Map(), columns: new Map() }),
    terms: { timestampField: '_time' },
    arrivedAt: 0n,
    firstRow: 0,
    unexpected: new FieldStatistics(),
  })
  const bytes = Buffer.from('x')
  // They take much longer than a turn.
  const lines = Array.from({ length: 100_000 }, (_, i) => ({ row: i, index: i, bytes }))
  let turns = 0
  let isDone = false
  const work = (): void => {
    turns += 1
    if (!isDone) setImmediate(work)
  }
  setImmediate(work)
  await events.read(lines)
  isDone = true
  expect(events.rejected).toHaveLength(100_000)
  expect(turns).toBeGreaterThan(1)
})
