import { describe, expect, it } from 'vitest'
import { type Engine, EngineError } from '../../../src/engine/engine.js'
import { wrapped } from '../../support/engine.js'
import { ARRIVED, ndjson, TemporaryStore } from '../temporary-store.js'

const events = (from: number, count: number) =>
  ndjson(Array.from({ length: count }, (_, i) => ({ n: from + i })))

describe('removing batches', () => {
  it('deletes the events of these batches only, also where others are identical or were stored together', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(events(0, 10), { batchId: 'first' })
    const together = ['a', 'b', 'c', 'd'].map((batchId) =>
      evq.store.ingest({
        dataset: 'logs',
        lines: { kind: 'bytes', bytes: Buffer.from(events(100, 5)) },
        arrivedAt: ARRIVED,
        timestampField: '_time',
        batchId,
      }),
    )
    await Promise.all(together)
    await evq.ingest(events(100, 5))
    await evq.ingest(events(100, 5), { dataset: 'other', batchId: 'b' })
    expect(await evq.store.removeBatches('logs', ['b', 'd', 'never sent'])).toBe(10)
    // Those of `first`, `a`, `c` and of the batch without an id.
    expect(await evq.count()).toBe(25)
    expect(await evq.count('other')).toBe(5)
    expect(await evq.store.removeBatches('logs', ['first'])).toBe(10)
    expect(await evq.values('`n:int`')).toEqual(
      ['a', 'c', 'without'].flatMap(() => ['100', '101', '102', '103', '104']),
    )
  })

  it('prevents them from being stored later, also after a restart, while other ids are stored', async () => {
    const evq = await TemporaryStore.open()
    await evq.ingest(events(0, 3), { batchId: 'old' })
    await evq.ingest('{"n":1}\nbad\n', { batchId: 'with rejects' })
    await evq.store.removeBatches('logs', ['old', 'with rejects', 'in flight'])
    for (let round = 0; round < 2; round++) {
      for (const batchId of ['old', 'with rejects', 'in flight']) {
        await expect(evq.ingest(events(0, 3), { batchId })).rejects.toMatchObject({
          reason: 'removed',
          message:
            'The batch with this id was removed, so none of these events were stored. Send them under another batch id to store them.',
        })
      }
      await evq.reopen()
    }
    expect(await evq.count()).toBe(0)
    expect(await evq.ingest(events(0, 3), { batchId: 'new' })).toMatchObject({ ingested: 3 })
    expect(await evq.count()).toBe(3)
  })

  it('leaves nothing of batches in flight, in whatever order they are stored and removed', async () => {
    const evq = await TemporaryStore.open()
    for (let round = 0; round < 4; round++) {
      // Each second batch has a new field, so that it takes the slow path with exclusive access.
      const fresh = round % 2 === 0 ? ndjson([{ [`field${round}`]: 1 }]) : ''
      const ids = Array.from({ length: 6 }, (_, i) => `${round}-${i}`)
      const stored = Promise.allSettled(
        ids.map((batchId) => evq.ingest(`${events(0, 200)}${fresh}`, { batchId })),
      )
      const some = ids.slice(0, 3)
      await evq.store.removeBatches('logs', some)
      const ended = await stored
      expect(ended.slice(3).map(({ status }) => status)).toEqual(Array(3).fill('fulfilled'))
      const each = 200 + (fresh === '' ? 0 : 1)
      expect(await evq.count()).toBe(3 * each)
      expect(await evq.store.removeBatches('logs', ids)).toBeGreaterThanOrEqual(3 * each)
      expect(await evq.count()).toBe(0)
    }
  })

  it('resolves with the same number when it is repeated, also after a failure between its steps', async () => {
    let isBroken = false
    const breakable = (engine: Engine): Engine =>
      wrapped(engine, {
        change: (change) =>
          isBroken && change.kind === 'events'
            ? Promise.reject(new EngineError(1, 'broken'))
            : engine.change(change),
      })
    const evq = await TemporaryStore.open(breakable)
    await evq.ingest(events(0, 7), { batchId: 'a' })
    await evq.ingest(events(7, 4), { batchId: 'b' })
    isBroken = true
    await expect(evq.store.removeBatches('logs', ['a'])).rejects.toThrow('broken')
    isBroken = false
    expect(await evq.store.removeBatches('logs', ['a'])).toBe(7)
    await evq.reopen()
    expect(await evq.store.removeBatches('logs', ['a', 'a', 'b'])).toBe(11)
    expect(await evq.count()).toBe(0)
  })

  it('removes nothing of an unknown dataset, and its batches can no longer be stored', async () => {
    const evq = await TemporaryStore.open()
    expect(await evq.store.removeBatches('logs', [])).toBe(0)
    expect(await evq.store.removeBatches('logs', ['late'])).toBe(0)
    expect(evq.store.schema.datasets).toEqual([])
    await expect(evq.ingest(events(0, 1), { batchId: 'late' })).rejects.toMatchObject({
      reason: 'removed',
    })
    expect(evq.store.schema.datasets).toEqual([])
  })
})
