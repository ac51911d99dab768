import { expect, it } from 'vitest'
import { formatDuration } from '../../src/wire/duration.js'

// The texts are those of Go's `time.Duration.String`.
it.each([
  [0n, '0s'],
  [1n, '1ns'],
  [999n, '999ns'],
  [1_100n, '1.1µs'],
  [2_200_000n, '2.2ms'],
  [3_300_000_000n, '3.3s'],
  [80_000_000_000n, '1m20s'],
  [60_000_000_000n, '1m0s'],
  [245_000_000_000n, '4m5s'],
  [245_001_000_000n, '4m5.001s'],
  [18_367_001_000_000n, '5h6m7.001s'],
  [480_000_000_001n, '8m0.000000001s'],
  [604_800_000_000_000n, '168h0m0s'],
  [9_223_372_036_854_775_807n, '2562047h47m16.854775807s'],
  [-9_223_372_036_854_775_808n, '-2562047h47m16.854775808s'],
  [-1_500_000n, '-1.5ms'],
])('writes %s ns as %s', (nanoseconds, text) => {
  expect(formatDuration(nanoseconds)).toBe(text)
})
