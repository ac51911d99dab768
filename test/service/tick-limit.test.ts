import { setImmediate as nextTick } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { limitPerTick } from '../../src/service/tick-limit.js'

describe('a limit per tick', () => {
  it('resolves two calls per iteration of the event loop, in the order of the calls', async () => {
    const tick = limitPerTick(2)
    const resolved: number[] = []
    const all = [1, 2, 3, 4, 5].map((n) => tick().then(() => resolved.push(n)))
    await Promise.resolve()
    const seen = [[...resolved]]
    while (resolved.length < 5) {
      await nextTick()
      seen.push([...resolved])
    }
    await Promise.all(all)
    expect(seen).toEqual([
      [1, 2],
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5],
    ])
  })

  it('resolves at once again after an iteration without a call', async () => {
    const tick = limitPerTick(1)
    await tick()
    await tick()
    await nextTick()
    await nextTick()
    let isResolved = false
    void tick().then(() => {
      isResolved = true
    })
    await Promise.resolve()
    expect(isResolved).toBe(true)
  })
})
