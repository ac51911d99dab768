import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { watchProgress } from '../../src/client/http.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Lets bytes arrive at these intervals; returns the time after which the response counts as stalled, if it does. */
function stalledAfter(
  idleMs: number,
  { bytes, everyMs, forMs }: { bytes: number; everyMs: number; forMs: number },
): number | undefined {
  let length = 0
  let stalled: number | undefined
  let now = 0
  const endWatch = watchProgress({ idleMs, length: () => length }, () => {
    stalled ??= now
  })
  while (now < forMs) {
    now += everyMs
    vi.advanceTimersByTime(everyMs)
    length += bytes
  }
  endWatch()
  return stalled
}

describe('the progress of a response', () => {
  it('ends at the timeout for a response that drips or pauses', () => {
    expect(stalledAfter(3000, { bytes: 1, everyMs: 500, forMs: 60_000 })).toBe(3000)
    expect(stalledAfter(3000, { bytes: 600, everyMs: 500, forMs: 60_000 })).toBe(3000)
    expect(stalledAfter(3000, { bytes: 0, everyMs: 500, forMs: 60_000 })).toBe(3000)
  })

  it('goes on for a slow response that takes far longer than the timeout', () => {
    const day = 24 * 3_600_000
    expect(stalledAfter(120_000, { bytes: 100, everyMs: 1000, forMs: day })).toBeUndefined()
    expect(stalledAfter(3000, { bytes: 1_000_000, everyMs: 2500, forMs: day })).toBeUndefined()
  })

  it('has no end without a timeout', () => {
    expect(stalledAfter(0, { bytes: 0, everyMs: 1000, forMs: 3_600_000 })).toBeUndefined()
  })
})
