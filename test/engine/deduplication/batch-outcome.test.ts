import { describe, expect, it } from 'vitest'
import { decodeOutcome, encodeOutcome } from '../../../src/engine/deduplication/batch-outcome.js'

const COUNTS = { ingested: 7, blocksCreated: 1, bytes: 90, arrivedAt: 1_767_225_600_000_000_001n }

describe('a saved outcome', () => {
  it('has the events, lines and reasons of the outcome', () => {
    const rejected = [
      { index: 0, line: 2, reason: 'not JSON' },
      { index: 3, reason: 'no "object"\n' },
      { index: 4, line: 9, reason: 'not JSON' },
    ]
    const outcome = { ...COUNTS, failed: 3, rejected }
    expect(decodeOutcome(encodeOutcome(outcome))).toEqual(outcome)
  })

  it('writes each reason once', () => {
    const reason = 'x'.repeat(1000)
    const rejected = Array.from({ length: 10_000 }, (_, index) => ({ index, line: index, reason }))
    expect(encodeOutcome({ ...COUNTS, failed: 10_000, rejected }).length).toBeLessThan(200_000)
  })

  it.each(['', '{"ingested":', '[]', '"text"', '{"rows":1}'])('is not decoded from %j', (text) => {
    expect(() => decodeOutcome(text)).toThrow()
  })
})
