import { expect, it } from 'vitest'
import { MessageQueue } from '../../../src/service/syslog/message-queue.js'

const LIMITS = { batchBytes: 1_000, maxBatchBytes: 1_000, batchMs: 3_600_000, queueBytes: 10_000 }
const MESSAGE = Buffer.from('x')

it('is full at the same size after any number of messages', async () => {
  let stored = 0
  let isBusy = false
  let finish = (): void => {}
  const queue = new MessageQueue({
    limits: LIMITS,
    now: () => 0n,
    async store({ steps }) {
      stored += steps.reduce((sum, { extents }) => sum + extents.length / 2, 0)
      if (isBusy) await new Promise<void>((resolve) => (finish = resolve))
    },
  })
  const fill = async (): Promise<number> => {
    isBusy = true
    let added = 0
    while (!queue.isFull && added < 10_000) {
      queue.add(MESSAGE)
      added += 1
    }
    isBusy = false
    finish()
    await queue.close()
    return added
  }
  const first = await fill()
  expect(first).toBeLessThan(10_000)
  for (let i = 0; i < 5_000; i++) {
    await queue.room()
    queue.add(MESSAGE)
  }
  await queue.close()
  expect(await fill()).toBe(first)
  expect(stored).toBe(5_000 + 2 * first)
})
