import { assert, bigInt, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  formatTimestamp,
  parseRequestTime,
  parseTimestamp,
} from '../../../src/wire/time/timestamp.js'
import '../../support/runs.js'

const HOUR = 3_600_000_000_000n

describe('parseTimestamp', () => {
  it('reads an instant to the nanosecond', () => {
    expect(parseTimestamp('2001-09-09T01:46:40.123456789Z')).toBe(1_000_000_000_123_456_789n)
  })

  it('reads instants before 1970', () => {
    expect(parseTimestamp('1969-12-31T23:59:59.999999999Z')).toBe(-1n)
    expect(parseTimestamp('1900-01-01T00:00:00Z')).toBe(-2_208_988_800_000_000_000n)
  })

  it('subtracts an offset', () => {
    expect(parseTimestamp('1970-01-01T02:30:00+02:30')).toBe(0n)
    expect(parseTimestamp('1969-12-31T23:00:00-01:00')).toBe(0n)
  })

  it('accepts leap days', () => {
    expect(parseTimestamp('2000-02-29T00:00:00Z')).toBe(951_782_400_000_000_000n)
    expect(parseTimestamp('2024-02-29T00:00:00Z')).toBe(1_709_164_800_000_000_000n)
    expect(parseTimestamp('1900-02-29T00:00:00Z')).toBeUndefined()
    expect(parseTimestamp('2023-02-29T00:00:00Z')).toBeUndefined()
  })

  it.each([
    '',
    'now',
    '2026-01-31',
    '2026-01-31T10:00:00',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00.Z',
    ' 2026-01-01T00:00:00Z',
  ])('rejects %j', (text) => {
    expect(parseTimestamp(text)).toBeUndefined()
  })
})

describe('parseRequestTime', () => {
  const now = 1_000n * HOUR

  it('reads times relative to now', () => {
    expect(parseRequestTime('now', now)).toBe(now)
    expect(parseRequestTime('now-1h', now)).toBe(999n * HOUR)
    expect(parseRequestTime('now-7d', now)).toBe((1_000n - 7n * 24n) * HOUR)
    expect(parseRequestTime('now-1w+12h', now)).toBe((1_000n - 7n * 24n + 12n) * HOUR)
    expect(parseRequestTime('now-1ns', now)).toBe(now - 1n)
  })

  it('reads an absolute time', () => {
    expect(parseRequestTime('1970-01-01T01:00:00Z', now)).toBe(HOUR)
  })

  it.each(['now-', 'now-1', 'now-1y', 'now -1h', 'yesterday', '1h'])('rejects %j', (text) => {
    expect(parseRequestTime(text, now)).toBeUndefined()
  })
})

describe('formatTimestamp', () => {
  it('omits the trailing zeros of a fraction', () => {
    expect(formatTimestamp(1_767_225_600_010_000_000n)).toBe('2026-01-01T00:00:00.01Z')
    expect(formatTimestamp(1_767_225_600_000_000_000n)).toBe('2026-01-01T00:00:00Z')
  })

  it('writes instants before 1970', () => {
    expect(formatTimestamp(-1n)).toBe('1969-12-31T23:59:59.999999999Z')
  })

  it("agrees with the platform's calendar on every millisecond", () => {
    const milliseconds = bigInt({ min: -62_135_596_800_000n, max: 253_402_300_799_999n })
    assert(
      property(milliseconds, (time) => {
        const calendar = new Date(Number(time)).toISOString().replace(/\.?0*Z$/, 'Z')
        expect(formatTimestamp(time * 1_000_000n)).toBe(calendar)
      }),
    )
  })

  it('writes what is parsed as the same instant', () => {
    const nanoseconds = bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    assert(
      property(nanoseconds, (time) => {
        expect(parseTimestamp(formatTimestamp(time))).toBe(time)
      }),
    )
  })
})
