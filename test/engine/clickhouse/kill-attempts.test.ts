import { expect, it } from 'vitest'
import { killUntilEnded } from '../../../src/engine/clickhouse/kill-attempts.js'

/** A statement that ends after a number of attempts, and the recorded calls. */
function statement(attempts: number) {
  const waits: number[] = []
  let kills = 0
  return {
    waits,
    kills: () => kills,
    killing: {
      isRunning: () => kills < attempts,
      async kill() {
        kills++
      },
      async wait(ms: number) {
        waits.push(ms)
      },
    },
  }
}

it('kills until the statement has ended', async () => {
  const { killing, kills, waits } = statement(3)
  expect(await killUntilEnded(killing)).toBe(true)
  expect(kills()).toBe(3)
  expect(waits).toEqual([25, 50])
})

it('does not kill a statement that has ended', async () => {
  const { killing, kills } = statement(0)
  expect(await killUntilEnded(killing)).toBe(true)
  expect(kills()).toBe(0)
})

it('stops after the last attempt, with increasing delays', async () => {
  const { killing, kills, waits } = statement(Number.POSITIVE_INFINITY)
  expect(await killUntilEnded(killing)).toBe(false)
  expect(kills()).toBe(20)
  expect(waits).toEqual([
    ...[25, 50, 100, 200, 400, 800, 1600, 3200],
    ...[5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000, 5000],
  ])
})
