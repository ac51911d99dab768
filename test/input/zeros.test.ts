import { expect, it } from 'vitest'
import { detectInput } from '../../src/input/input.js'

it('stops reading zeros at the beginning of a file at a signal', async () => {
  const stop = new AbortController()
  let reads = 0
  const bytes = {
    ready: () => undefined,
    async read(target: Buffer) {
      reads += 1
      if (reads === 100) stop.abort()
      return reads === 10_000 ? 0 : target.fill(0).length
    },
    async close() {},
  }
  await detectInput({ name: 'sparse.log', bytes, isLive: false, signal: stop.signal })
  expect(reads).toBeLessThan(1_000)
})
