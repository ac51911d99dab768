import { expect, it } from 'vitest'
import { formatDuration, parseDuration } from '../../../src/wire/time/duration.js'

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
])('formatDuration writes %s ns as %s', (nanoseconds, text) => {
  expect(formatDuration(nanoseconds)).toBe(text)
})

it.each([
  ['7ns', 7n],
  ['250us', 250_000n],
  ['250µs', 250_000n],
  ['500ms', 500_000_000n],
  ['0s', 0n],
  ['1m30s', 90_000_000_000n],
  ['1.5h', 5_400_000_000_000n],
  ['1d', 86_400_000_000_000n],
  ['1w2d12h', 820_800_000_000_000n],
  ['1.5w', 907_200_000_000_000n],
  ['2weeks', 1_209_600_000_000_000n],
  ['0.0000000015s', 1n],
])('parseDuration reads %s as %s ns', (text, nanoseconds) => {
  expect(parseDuration(text)).toBe(nanoseconds)
})

it.each(['', '1', 's', '-1s', '1 h', '1h 30m', '1x', '1h30', '.5h', '1.h', '1S', '1constructor'])(
  'parseDuration rejects %j',
  (text) => {
    expect(parseDuration(text)).toBeUndefined()
  },
)
