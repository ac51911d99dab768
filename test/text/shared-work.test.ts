import { expect, it } from 'vitest'
import { type Deferred, deferred } from '../../src/text/deferred.js'
import { sharedWhileRunning, startedAfterCall } from '../../src/text/shared-work.js'

/** Work whose runs end when the test says so; each run returns its number, from 1. */
function controlled() {
  const ends: Deferred<void>[] = []
  return {
    ends,
    async work(): Promise<number> {
      const end = deferred()
      const run = ends.push(end)
      await end.promise
      return run
    },
  }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it('shares a run among the calls until its end, also when it fails', async () => {
  const { ends, work } = controlled()
  const run = sharedWhileRunning(work)
  const calls = [run(), run()]
  ends[0]!.resolve()
  expect(await Promise.all(calls)).toEqual([1, 1])
  const failing = [run(), run()]
  ends[1]!.reject(new Error('broken'))
  for (const call of failing) await expect(call).rejects.toThrow('broken')
  const last = run()
  ends[2]!.resolve()
  expect(await last).toBe(3)
})

it('gives each call a run that starts after it', async () => {
  const { ends, work } = controlled()
  const run = startedAfterCall(work)
  const first = [run(), run()]
  await turn()
  // The first run has started: these calls share the next one, even if the first fails.
  const second = [run(), run()]
  await turn()
  expect(ends).toHaveLength(1)
  ends[0]!.reject(new Error('broken'))
  for (const call of first) await expect(call).rejects.toThrow('broken')
  await turn()
  expect(ends).toHaveLength(2)
  ends[1]!.resolve()
  expect(await Promise.all(second)).toEqual([2, 2])
})

it('waits for more calls before a run when asked to', async () => {
  const { ends, work } = controlled()
  const gathered = deferred()
  const run = startedAfterCall(work, () => gathered.promise)
  const calls = [run()]
  await turn()
  calls.push(run())
  expect(ends).toHaveLength(0)
  gathered.resolve()
  await turn()
  ends[0]!.resolve()
  expect(await Promise.all(calls)).toEqual([1, 1])
})
