import { expect, it } from 'vitest'
import { movingRate } from '../../../../src/cli/ingest/report/meter.js'

it('movingRate covers only the last seconds', () => {
  const rate = movingRate(10_000)
  expect(rate.perSecond()).toBeUndefined()
  for (let second = 0; second <= 100; second++) rate.add(second * 1000, second * 50)
  expect(rate.perSecond()).toBe(50)
  for (let second = 101; second <= 110; second++) rate.add(second * 1000, 5000)
  expect(rate.perSecond()).toBe(0)
})

it('movingRate is undefined for a short time span', () => {
  const rate = movingRate(10_000)
  rate.add(0, 0)
  rate.add(100, 1_000_000)
  expect(rate.perSecond()).toBeUndefined()
})
