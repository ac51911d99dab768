import { setImmediate as settled } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Leave, Turns } from '../../src/service/fair-queue.js'

const never = new AbortController().signal

/** Callers that ask in the order of a text, a letter each; the order in which they get their turns. */
async function served(callers: string, turns: Turns): Promise<string> {
  const leaves: Leave[] = []
  let order = ''
  for (const caller of callers) {
    void turns.take(caller, never).then((leave) => {
      order += caller
      leaves.push(leave)
    })
  }
  await settled()
  while (leaves.length > 0) {
    leaves.shift()?.()
    await settled()
  }
  return order
}

describe('turns', () => {
  it('are given in rounds, one to each caller that waits', async () => {
    expect(await served('aaaaabbc', new Turns({ running: 1, waiting: 100 }))).toBe('aabcabaa')
  })

  it('are given at once up to the limit, and no further', async () => {
    const turns = new Turns({ running: 2, waiting: 100 })
    const leaves = [await turns.take('a', never), await turns.take('a', never)]
    const third = turns.take('b', never)
    await settled()
    expect([turns.running, turns.waiting]).toEqual([2, 1])
    leaves[0]?.()
    // Ending twice ends nobody else's turn.
    leaves[0]?.()
    const leave = await third
    expect([turns.running, turns.waiting]).toEqual([2, 0])
    leaves[1]?.()
    leave()
    expect([turns.running, turns.waiting]).toEqual([0, 0])
  })

  it('are refused with 429 and a time to come back when too many wait', async () => {
    const turns = new Turns({ running: 1, waiting: 1 })
    await turns.take('a', never)
    void turns.take('a', never)
    await expect(turns.take('a', never)).rejects.toMatchObject({
      reason: 'too-many-requests',
      retryAfterSeconds: 1,
      message:
        'More queries are waiting than the service takes on. The same request can be sent again in a second.',
    })
  })

  it('are not all taken by one caller: the last of many gives way to the first of another', async () => {
    const turns = new Turns({ running: 1, waiting: 3 })
    const leave = await turns.take('a', never)
    const many = [1, 2, 3].map(() => turns.take('a', never))
    const other = turns.take('b', never)
    await expect(many[2]).rejects.toMatchObject({ reason: 'too-many-requests' })
    expect(turns.waiting).toBe(3)
    leave()
    ;(await many[0])?.()
    ;(await other)()
    ;(await many[1])?.()
    expect([turns.running, turns.waiting]).toEqual([0, 0])
  })

  it('are given up by a caller that goes away', async () => {
    const turns = new Turns({ running: 1, waiting: 1 })
    const leave = await turns.take('a', never)
    const gone = new AbortController()
    const waiting = turns.take('b', gone.signal)
    gone.abort(new Error('went away'))
    await expect(waiting).rejects.toThrow('went away')
    expect(turns.waiting).toBe(0)
    await expect(turns.take('b', gone.signal)).rejects.toThrow('went away')
    leave()
    expect(turns.running).toBe(0)
  })
})
