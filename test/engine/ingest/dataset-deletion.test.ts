import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { deferred } from '../../../src/text/deferred.js'
import { wrapped } from '../../support/engine.js'
import { ndjson, TemporaryStore } from '../temporary-store.js'

/** An engine that calls `dropped` after it has dropped a table, and waits for it. */
function afterDrop(dropped: () => Promise<void>): (engine: Engine) => Engine {
  return (engine) =>
    wrapped(engine, {
      async change(change) {
        await engine.change(change)
        if (change.kind === 'drop') await dropped()
      },
    })
}

describe('a dataset that is being deleted', () => {
  it('does not exist for queries while its table is dropped', async () => {
    const isDropped = deferred<void>()
    const goesOn = deferred<void>()
    const evq = await TemporaryStore.open(
      afterDrop(() => {
        isDropped.resolve()
        return goesOn.promise
      }),
    )
    await evq.ingest(ndjson([{ n: 1 }]))
    await evq.ingest(ndjson([{ n: 1 }]), { dataset: 'web' })
    const removed = evq.store.remove('logs')
    await isDropped.promise
    expect(evq.store.schema.datasets).toEqual(['web'])
    const stored = evq.ingest(ndjson([{ n: 2 }, { n: 3 }]))
    goesOn.resolve()
    expect(await removed).toBe(true)
    expect(await stored).toMatchObject({ ingested: 2 })
    expect(await evq.count()).toBe(2)
  })

  it('exists again when its table cannot be dropped', async () => {
    const evq = await TemporaryStore.open((engine) =>
      wrapped(engine, {
        change: (change) =>
          change.kind === 'drop' ? Promise.reject(new Error('refused')) : engine.change(change),
      }),
    )
    await evq.ingest(ndjson([{ n: 1 }]))
    await expect(evq.store.remove('logs')).rejects.toThrow('refused')
    expect(evq.store.schema.datasets).toEqual(['logs'])
    await evq.ingest(ndjson([{ n: 2 }]))
    expect(await evq.count()).toBe(2)
  })
})
