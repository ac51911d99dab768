import { getEventListeners } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { deadlineOf, remainingLimits } from '../../../src/engine/clickhouse/deadline.js'

const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000 }
const REASON = new Error('closed')

describe('the deadline of a query', () => {
  it('is aborted with the reason of its query and of other signals', () => {
    const query = new AbortController()
    const engine = new AbortController()
    const both = () => deadlineOf({ ...LIMITS, signal: query.signal }, engine.signal)
    const ended = both()
    const cleared = both()
    cleared.clear()
    expect(ended.signal.aborted).toBe(false)
    engine.abort(REASON)
    expect(ended.signal.reason).toBe(REASON)
    expect(both().signal.reason).toBe(REASON)
    expect(cleared.signal.aborted).toBe(false)
    query.abort(new Error('later'))
    expect(ended.signal.reason).toBe(REASON)
    ended.clear()
  })

  it('leaves nothing to a signal that outlives it', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { signal } = new AbortController()
    const useOften = async () => {
      for (let i = 0; i < 50_000; i++) {
        deadlineOf(LIMITS, signal).clear()
        if (i % 1_000 === 0) await setImmediate()
      }
      await setImmediate()
      collect()
      return process.memoryUsage().heapUsed
    }
    await useOften()
    const before = await useOften()
    const bytes = (await useOften()) - before
    expect(getEventListeners(signal, 'abort')).toEqual([])
    // An entry of any kind for each of them would be larger.
    expect(bytes / 50_000).toBeLessThan(16)
  })
})

it('a query whose time is over is tried once', () => {
  const left = remainingLimits({ ...LIMITS, timeoutMs: 0 })
  expect(left()).toEqual({ ...LIMITS, timeoutMs: 1 })
  expect(left).toThrow('no response within 0 s')
})
