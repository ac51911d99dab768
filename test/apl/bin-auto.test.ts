import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/apl/analyze.js'
import type { Environment } from '../../src/apl/environment.js'
import { NOW, schema } from './support.js'

const MINUTE = 60_000_000_000n
const HOUR = 60n * MINUTE
const DAY = 24n * HOUR

/** Returns the step of `bin_auto` in nanoseconds. */
function step(environment: Partial<Environment>): bigint | undefined {
  const text = 'logs | summarize count() by bin_auto(_time)'
  const result = analyze(text, { schema, now: NOW, ...environment })
  const [operator] = 'query' in result ? result.query.operators : []
  const value = operator?.kind === 'summarize' ? operator.by[0]?.value : undefined
  const size = value?.kind === 'invocation' ? value.arguments[1] : undefined
  return size?.kind === 'constant' && typeof size.value === 'bigint' ? size.value : undefined
}

function lasting(length: bigint): Partial<Environment> {
  return { range: { start: NOW - length, end: NOW } }
}

describe('bin_auto', () => {
  it.each([
    [MINUTE, MINUTE / 60n],
    [MINUTE + 1n, MINUTE / 12n],
    [15n * MINUTE, MINUTE / 4n],
    [30n * MINUTE, MINUTE / 2n],
    [HOUR, MINUTE],
    [HOUR + 1n, 5n * MINUTE],
    [DAY, 30n * MINUTE],
    [7n * DAY, 3n * HOUR],
    [30n * DAY, 12n * HOUR],
    [60n * DAY, DAY],
    [365n * DAY, 7n * DAY],
    [3_650n * DAY, 30n * DAY],
  ])('divides %d nanoseconds into at most 60 steps', (length, expected) => {
    expect(step(lasting(length))).toBe(expected)
  })

  it('makes at most `maxDataPoints` steps', () => {
    expect(step({ ...lasting(HOUR), maxDataPoints: 4 })).toBe(15n * MINUTE)
    expect(step({ ...lasting(HOUR), maxDataPoints: 1 })).toBe(HOUR)
    expect(step({ ...lasting(HOUR), maxDataPoints: 3_600 })).toBe(MINUTE / 60n)
  })

  it('uses the resolution of the request', () => {
    expect(step({ ...lasting(HOUR), maxDataPoints: 4, resolution: 7n })).toBe(7n)
  })

  it('defaults to now as the end, and to steps of an hour without a start', () => {
    expect(step({ range: { start: NOW - HOUR } })).toBe(MINUTE)
    expect(step({})).toBe(HOUR)
    expect(step({ range: { end: NOW } })).toBe(HOUR)
  })
})
