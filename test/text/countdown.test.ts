import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Countdown } from '../../src/text/countdown.js'
import { standStill } from '../support/stand-still.js'

/** Timers that are due, and what follows them. */
async function turns(): Promise<void> {
  for (let i = 0; i < 3; i++) await setImmediate()
}

it('ends', async () => {
  await new Promise<void>((resolve) => {
    const countdown = new Countdown(120, () => {
      expect(countdown.isOver).toBe(true)
      resolve()
    })
    expect(countdown.isOver).toBe(false)
  })
})

it('does not count the time in which the process stands still', async () => {
  let hasEnded = false
  let hasTimedOut = false
  const countdown = new Countdown(500, () => {
    hasEnded = true
  })
  setTimeout(() => {
    hasTimedOut = true
  }, 500)
  standStill(1_000)
  await turns()
  expect([hasTimedOut, hasEnded, countdown.isOver]).toEqual([true, false, false])
  countdown.stop()
})

it('ends after what arrived while the process stood still', async () => {
  const order: string[] = []
  const server = createServer((socket) => socket.on('data', () => order.push('data')))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  await once(server, 'connection')
  await new Promise<void>((resolve) => {
    setTimeout(() => order.push('timeout'), 10)
    new Countdown(10, () => {
      order.push('end')
      resolve()
    })
    client.write('x')
    standStill(100)
  })
  expect(order).toEqual(['timeout', 'data', 'end'])
  client.destroy()
  server.close()
})

it('is not over when it was stopped', async () => {
  const countdown = new Countdown(1, () => expect.unreachable())
  countdown.stop()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(countdown.isOver).toBe(false)
})
