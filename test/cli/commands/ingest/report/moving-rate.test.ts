import { expect, it } from 'vitest'
import { MovingRate } from '../../../../../src/cli/commands/ingest/report/meter.js'

it('tells a rate of the last seconds alone', () => {
  const rate = new MovingRate(10_000)
  expect(rate.perSecond()).toBeUndefined()
  for (let second = 0; second <= 100; second++) rate.add(second * 1000, second * 50)
  expect(rate.perSecond()).toBe(50)
  for (let second = 101; second <= 110; second++) rate.add(second * 1000, 5000)
  expect(rate.perSecond()).toBe(0)
})

it('tells none from a moment', () => {
  const rate = new MovingRate(10_000)
  rate.add(0, 0)
  rate.add(100, 1_000_000)
  expect(rate.perSecond()).toBeUndefined()
})
