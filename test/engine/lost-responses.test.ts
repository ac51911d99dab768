import { describe, expect, it } from 'vitest'
import { EngineError } from '../../src/engine/engine.js'
import { wrapped } from '../support/engine.js'
import { ndjson, TemporaryStore, type Wrap } from './temporary-store.js'

/** Loses the response to the statement with a number, which the engine has run. */
function losing(lost: number): { wrap: Wrap; statements(): number } {
  let statements = 0
  const afterwards = async (response: Promise<void>): Promise<void> => {
    await response
    statements += 1
    if (statements === lost) throw new EngineError('NETWORK_ERROR', 'the response is lost')
  }
  const wrap: Wrap = (engine) =>
    wrapped(engine, {
      change: async (change) => await afterwards(engine.change(change)),
      run: async (statement) => await afterwards(engine.run(statement)),
    })
  return { wrap, statements: () => statements }
}

/** Requests that each change the dataset or its table, as a client sends them. */
const requests: readonly ((evq: TemporaryStore) => Promise<unknown>)[] = [
  (evq) => evq.ingest(ndjson([{ n: 1 }, { n: 2, old: 'x' }]), { batchId: 'first' }),
  (evq) => evq.ingest(ndjson([{ message: 'with a new field of text' }]), { batchId: 'second' }),
  (evq) => evq.ingest(ndjson([{ n: 'of another type' }]), { batchId: 'third' }),
  (evq) => evq.store.removeBatches('logs', ['second']),
  (evq) => evq.store.rename('logs', 'web'),
  (evq) => evq.ingest(ndjson([{ n: 4, size: 0.5 }]), { batchId: 'fourth', dataset: 'web' }),
]

/** Sends the requests, each a second time when the first failed, and returns the number of failures. */
async function sent(evq: TemporaryStore): Promise<number> {
  let failures = 0
  for (const request of requests) {
    try {
      await request(evq)
    } catch {
      failures += 1
      await request(evq)
    }
  }
  return failures
}

async function expectResult(evq: TemporaryStore): Promise<void> {
  expect(evq.store.schema.datasets).toEqual(['web'])
  const lines = await evq.values('line', 'web')
  expect(lines.map((line) => JSON.parse(JSON.parse(line)))).toEqual([
    { n: 1 },
    { n: 2, old: 'x' },
    { n: 'of another type' },
    { n: 4, size: 0.5 },
  ])
}

describe('requests whose responses from the engine are lost', () => {
  it('succeed when they are repeated, whichever statement it was', async () => {
    const { wrap, statements } = losing(0)
    const evq = await TemporaryStore.open(wrap)
    const opened = statements()
    expect(await sent(evq)).toBe(0)
    await expectResult(evq)
    for (let lost = opened + 1; lost <= statements(); lost++) {
      const again = await TemporaryStore.open(losing(lost).wrap)
      expect([lost, await sent(again)]).toEqual([lost, expect.toBeOneOf([0, 1])])
      await expectResult(again)
      await again.reopen()
      await expectResult(again)
    }
  })
})
