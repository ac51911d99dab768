import { expect, it } from 'vitest'
import { steadyClock } from '../../../src/engine/cluster/steady-clock.js'

/** A clock on a machine with manual system clocks. */
function suspendable() {
  const machine = { uptime: 5_000, wall: 1_700_000_000_000 }
  const clock = steadyClock({ uptime: () => machine.uptime, wall: () => machine.wall })
  return { machine, clock }
}

it('counts the milliseconds since the system started', () => {
  const { machine, clock } = suspendable()
  expect(clock()).toBe(0)
  machine.uptime += 20
  machine.wall += 21
  expect(clock()).toBe(20)
  machine.uptime += 20
  machine.wall += 19
  expect(clock()).toBe(40)
})

it('includes a pause of a virtual machine that only the wall clock shows', () => {
  const { machine, clock } = suspendable()
  machine.uptime += 100
  machine.wall += 180_100
  expect(clock()).toBe(180_100)
  machine.uptime += 100
  machine.wall += 100
  expect(clock()).toBe(180_200)
})

it('advances when the wall clock is set back', () => {
  const { machine, clock } = suspendable()
  machine.uptime += 1_000
  machine.wall -= 3_600_000
  expect(clock()).toBe(1_000)
  machine.uptime += 1_000
  machine.wall += 1_000
  expect(clock()).toBe(2_000)
})
