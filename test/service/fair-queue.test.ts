import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FairQueue, type Release } from '../../src/service/fair-queue.js'

const never = new AbortController().signal

/** Lets callers, one per letter of the string, queue in this order; returns the order in which they are served. */
async function served(callers: string, queue: FairQueue): Promise<string> {
  const releases: Release[] = []
  let order = ''
  for (const caller of callers) {
    void queue.acquire(caller, never).then((release) => {
      order += caller
      releases.push(release)
    })
  }
  await settled()
  while (releases.length > 0) {
    releases.shift()?.()
    await settled()
  }
  return order
}

describe('FairQueue', () => {
  it('serves waiting callers round robin', async () => {
    expect(await served('aaaaabbc', new FairQueue({ running: 1, waiting: 100 }))).toBe('aabcabaa')
  })

  it('serves a caller that asks again after those who wait', async () => {
    const queue = new FairQueue({ running: 1, waiting: 100 })
    let order = ''
    const ask = async (caller: string, times: number): Promise<void> => {
      for (let i = 0; i < times; i++) {
        const release = await queue.acquire(caller, never)
        order += caller
        await settled()
        release()
      }
    }
    const first = await queue.acquire('x', never)
    const all = [ask('a', 1), ask('a', 1), ask('a', 1), ask('c', 3)]
    first()
    await Promise.all(all)
    expect(order).toBe('acaacc')
  })

  it('grants permits immediately up to the limit, and no more', async () => {
    const queue = new FairQueue({ running: 2, waiting: 100 })
    const releases = [await queue.acquire('a', never), await queue.acquire('a', never)]
    const third = queue.acquire('b', never)
    await settled()
    expect([queue.running, queue.waiting]).toEqual([2, 1])
    releases[0]?.()
    // Releasing twice does not release another caller's permit.
    releases[0]?.()
    const release = await third
    expect([queue.running, queue.waiting]).toEqual([2, 0])
    releases[1]?.()
    release()
    expect([queue.running, queue.waiting]).toEqual([0, 0])
  })

  it('refuses with 429 and Retry-After when too many are waiting', async () => {
    const queue = new FairQueue({ running: 1, waiting: 1 })
    await queue.acquire('a', never)
    void queue.acquire('a', never)
    await expect(queue.acquire('a', never)).rejects.toMatchObject({
      reason: 'too-many-requests',
      retryAfterSeconds: 1,
      message: 'Too many queries are waiting. Retry in a second.',
    })
  })

  it('drops the last request of a caller with many in favor of the first request of another', async () => {
    const queue = new FairQueue({ running: 1, waiting: 3 })
    const release = await queue.acquire('a', never)
    const many = [1, 2, 3].map(() => queue.acquire('a', never))
    const other = queue.acquire('b', never)
    await expect(many[2]).rejects.toMatchObject({ reason: 'too-many-requests' })
    expect(queue.waiting).toBe(3)
    release()
    ;(await many[0])?.()
    ;(await other)()
    ;(await many[1])?.()
    expect([queue.running, queue.waiting]).toEqual([0, 0])
  })

  it('removes a waiting caller that disconnects', async () => {
    const queue = new FairQueue({ running: 1, waiting: 1 })
    const release = await queue.acquire('a', never)
    const gone = new AbortController()
    const waiting = queue.acquire('b', gone.signal)
    gone.abort(new Error('went away'))
    await expect(waiting).rejects.toThrow('went away')
    expect(queue.waiting).toBe(0)
    await expect(queue.acquire('b', gone.signal)).rejects.toThrow('went away')
    release()
    expect(queue.running).toBe(0)
  })
})
