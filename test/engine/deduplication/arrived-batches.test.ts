import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/engine/engine.js'
import { needsEmbedded, wrapped } from '../../support/engine.js'
import { until } from '../../support/until.js'
import { TemporaryStore } from '../temporary-store.js'

const SOUND = '{"a":1}\n{"a":2}\n'
const BAD = 'bad\n\n[1]\n'

/** An engine that counts the lookups of batches. */
function counting(): { readonly wrap: (engine: Engine) => Engine; lookups: number } {
  const counted = {
    lookups: 0,
    wrap: (engine: Engine): Engine =>
      wrapped(engine, {
        scan: (query, limits) => engine.scan!(query, limits),
        ask: (query) => {
          if (query.text.includes('FROM evq.batch')) counted.lookups++
          return engine.ask(query)
        },
      }),
  }
  return counted
}

let ids = 0

/** Stores batches of one event with new ids until one of them is stored without a lookup; resolves with their number. */
async function storeUntilKnown(
  evq: TemporaryStore,
  counted: { readonly lookups: number },
  dataset = 'logs',
): Promise<number> {
  const first = ids
  await until(async () => {
    const before = counted.lookups
    await evq.ingest('{"a":3}\n', { dataset, batchId: `new-${ids++}` })
    return counted.lookups === before
  }, 'a batch is stored without a lookup')
  return ids - first
}

describe('batches that certainly have not arrived before', needsEmbedded, () => {
  it('are stored without a lookup, and all others once', async () => {
    const evq = await TemporaryStore.open()
    const sound = await evq.ingest(SOUND, { batchId: 'sound' })
    const bad = await evq.ingest(BAD, { batchId: 'bad' })
    await evq.ingest(SOUND, { batchId: 'removed' })
    await evq.store.removeBatches('logs', ['removed', 'fenced'])
    const counted = counting()
    await evq.reopen(counted.wrap)
    const count = await storeUntilKnown(evq, counted)
    expect(await evq.ingest(SOUND, { batchId: 'sound' })).toEqual(sound)
    expect(await evq.ingest(BAD, { batchId: 'bad' })).toEqual(bad)
    const again = await evq.ingest('{"a":3}\n', { batchId: `new-${ids - 1}` })
    expect(again.ingested).toBe(1)
    for (const batchId of ['removed', 'fenced']) {
      await expect(evq.ingest(SOUND, { batchId })).rejects.toMatchObject({ reason: 'removed' })
    }
    await evq.store.removeBatches('logs', ['late'])
    await expect(evq.ingest(SOUND, { batchId: 'late' })).rejects.toMatchObject({
      reason: 'removed',
    })
    expect(await evq.count()).toBe(2 + count)
  })

  it('are known soon in a new dataset, with the batches that had no valid event before it', async () => {
    const evq = await TemporaryStore.open()
    const bad = await evq.ingest(BAD, { batchId: 'bad' })
    await evq.store.removeBatches('logs', ['fenced'])
    expect(evq.store.has('logs')).toBe(false)
    const counted = counting()
    await evq.reopen(counted.wrap)
    await evq.ingest(SOUND, { batchId: 'sound' })
    const count = await storeUntilKnown(evq, counted)
    expect(await evq.ingest(SOUND, { batchId: 'bad' })).toEqual(bad)
    await expect(evq.ingest(SOUND, { batchId: 'fenced' })).rejects.toMatchObject({
      reason: 'removed',
    })
    expect(await evq.count()).toBe(2 + count)
  })

  it('are not those of a dataset that has got its name', async () => {
    const counted = counting()
    const evq = await TemporaryStore.open(counted.wrap)
    await storeUntilKnown(evq, counted, 'web')
    await evq.store.remove('web')
    const first = await evq.ingest(SOUND, { batchId: 'first' })
    await evq.store.rename('logs', 'web')
    expect(await evq.ingest(SOUND, { dataset: 'web', batchId: 'first' })).toEqual(first)
    const count = await storeUntilKnown(evq, counted, 'web')
    expect(await evq.ingest(SOUND, { dataset: 'web', batchId: 'first' })).toEqual(first)
    expect(await evq.count('web')).toBe(2 + count)
  })
})
