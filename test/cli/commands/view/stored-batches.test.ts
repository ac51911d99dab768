import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StoredBatches } from '../../../../src/cli/commands/view/stored-batches.js'
import type { Batch } from '../../../../src/input/batch.js'
import { RUNS } from '../../../support/runs.js'

const FORM = { name: 'app.log' }

function batchOf({ offset, events }: { offset: number; events: number }): Batch {
  return {
    kind: 'batch',
    input: 'app.log',
    contentType: 'application/x-ndjson',
    body: Buffer.from(`batch at ${offset}`),
    events,
    bytes: 10 * events,
    start: { line: offset / 10 + 1, event: offset / 10, offset },
    lines: events,
    headLines: 0,
    release() {},
  }
}

const NO_FAILURES = { rejected: [], unsent: [], unconfirmed: [], retries: 0 }
const single = (index: number) => ({
  range: { first: index, events: 1 },
  events: 1,
  reason: 'it is bad',
})

/** The fate of an event: it is stored in its turn, rejected, or stored later because of its time. */
const fate = fc.constantFrom('stored', 'stored', 'stored', 'rejected', 'late')

it('finds the place of each event by the number of events that were stored before it', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fate, { minLength: 1, maxLength: 20 })), (batches) => {
      const stored = new StoredBatches<object>()
      const expected: number[] = []
      let offset = 0
      for (const [number, fates] of batches.entries()) {
        const indexes = fates.map((_, index) => index)
        const of = (wanted: string) => indexes.filter((index) => fates[index] === wanted)
        const late = of('late')
        const batch = batchOf({ offset, events: fates.length })
        const untimed = { events: late.length, first: late[0] ?? 0, indexes: late }
        stored.add(
          {
            ...NO_FAILURES,
            ...{ batch, batchId: `${number}`, rejected: of('rejected').map(single) },
            accepted: fates.length - of('rejected').length,
            ...(late.length > 0 && { untimed }),
          },
          FORM,
        )
        expected.push(...[...of('stored'), ...late].map((index) => offset / 10 + index))
        offset += batch.bytes
      }
      const found = expected.map((_, before) => {
        const { batch, index } = stored.find(before)!
        return batch.start.event + index
      })
      expect(found).toEqual(expected)
      expect(stored.find(expected.length)).toBeUndefined()
      expect(stored.events).toBe(expected.length)
    }),
    { numRuns: 10 * RUNS },
  )
})

it('does not know the places of events of which the service did not tell which were rejected', () => {
  const stored = new StoredBatches<object>()
  const rejected = [{ range: { first: 0, events: 5 }, events: 2, reason: 'it is bad' }]
  const batch = batchOf({ offset: 0, events: 5 })
  stored.add({ ...NO_FAILURES, batch, batchId: '1', accepted: 3, rejected }, FORM)
  stored.add(
    { ...NO_FAILURES, batch: batchOf({ offset: 50, events: 1 }), batchId: '2', accepted: 1 },
    FORM,
  )
  expect([0, 2].map((before) => stored.find(before))).toEqual([undefined, undefined])
  expect(stored.find(3)?.batch.start.event).toBe(5)
})

it('joins the small batches of a long stream, and finds the places of their events', () => {
  const stored = new StoredBatches<object>()
  for (let at = 0; at < 20_000; at++) {
    const batch = { ...batchOf({ offset: 20 * at, events: 2 }), isTail: at === 50 }
    stored.add({ ...NO_FAILURES, batch, batchId: at === 50 ? 'last' : '1', accepted: 2 }, FORM)
  }
  expect(stored.find(39_999)?.batch.events).toBeGreaterThan(2)
  for (const before of [0, 1, 99, 100, 101, 102, 20_001, 39_999]) {
    const { batch, index } = stored.find(before)!
    expect(batch.start.event + index).toBe(before)
  }
  stored.remove('last')
  expect(stored.find(100)?.batch.start.event).toBe(102)
})
