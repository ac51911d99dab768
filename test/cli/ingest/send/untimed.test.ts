import { expect, it } from 'vitest'
import type { Outcome } from '../../../../src/cli/ingest/send/outcome.js'
import { eventsWithInvalidTime } from '../../../../src/cli/ingest/send/untimed.js'
import type { Batch } from '../../../../src/input/batch.js'

const BODY = '{"ts":1767323045}\n{"ts":"soon"}\n{"ts":1767323046}\n{"ts":"later"}\n'

it.each([
  [2, '{"ts":"soon"}\n{"ts":"later"}\n'],
  [1, undefined],
  [3, undefined],
])('selects events of a service that names none of %i rejected ones', (events, expected) => {
  const all = { first: 0, events: 4 }
  const rejected = [{ range: all, events, reason: 'invalid time' }]
  const outcome: Outcome = { accepted: 4 - events, rejected, unsent: [], unconfirmed: [] }
  const found = eventsWithInvalidTime(batch(), outcome, {})
  expect(found?.batch.body.toString()).toBe(expected)
  expect(found?.batch.timestampField).toBeUndefined()
})

it('counts an event that is rejected again under its place in the batch', () => {
  const one = (first: number) => ({ range: { first, events: 1 }, events: 1, reason: 'bad' })
  const none = { unsent: [], unconfirmed: [], retries: 0 }
  const whole = { accepted: 2, rejected: [one(1), one(3)], ...none }
  const found = eventsWithInvalidTime(batch(), whole, {})
  const repeated = { accepted: 1, rejected: [one(1)], ...none, retries: 1 }
  expect(found?.combine(whole, repeated)).toEqual({
    ...{ accepted: 3, rejected: [one(3)], unsent: [], unconfirmed: [], retries: 1 },
    untimed: { events: 1, first: 1, indexes: [1] },
  })
})

function batch(): Batch {
  const body = Buffer.from(BODY)
  return {
    ...{ kind: 'batch', input: 'app.ndjson', contentType: 'application/x-ndjson', body },
    ...{ events: 4, bytes: body.length, start: { line: 1, event: 0, offset: 0 }, lines: 4 },
    ...{ headLines: 0, timestampField: 'ts', release() {} },
  }
}
