import { describe, expect, it } from 'vitest'
import { parseEventTime } from '../../../src/wire/event/event-time.js'

const NEW_YEAR = 1_767_225_600_000_000_000n // date -u -d 2026-01-01 +%s, in ns

describe('parseEventTime', () => {
  it.each([
    ['2026-01-01T00:00:00Z', NEW_YEAR],
    ['2026-01-01T00:00:00.123456789Z', NEW_YEAR + 123_456_789n],
    ['2026-01-01T02:00:00+02:00', NEW_YEAR],
    ['2025-12-31T19:00:00-0500', NEW_YEAR],
    ['2026-01-01 00:00:00', NEW_YEAR],
    ['2026-01-01 00:00:00 UTC', NEW_YEAR],
    ['2026-01-01T00:00', NEW_YEAR],
    ['2026-01-01', NEW_YEAR],
    ['2026-01-01T00:00:00,5', NEW_YEAR + 500_000_000n],
    ['Thu, 01 Jan 2026 00:00:00 GMT', NEW_YEAR],
    ['1 Jan 2026 01:00:00 +0100', NEW_YEAR],
    ['01/Jan/2026:00:00:00 +0000', NEW_YEAR],
    ['[31/Dec/2025:16:00:00 -0800]', NEW_YEAR],
  ])('reads %s', (text, time) => {
    expect(parseEventTime(text)).toBe(time)
  })

  it.each([
    ['1767225600', NEW_YEAR],
    ['1767225600123', NEW_YEAR + 123_000_000n],
    ['1767225600123456', NEW_YEAR + 123_456_000n],
    ['1767225600123456789', NEW_YEAR + 123_456_789n],
    ['1767225600.123456789', NEW_YEAR + 123_456_789n],
    ['1767225600123.456789', NEW_YEAR + 123_456_789n],
    ['1.7672256e9', NEW_YEAR],
    ['0', 0n],
    ['-1.5', -1_500_000_000n],
    ['12', 12_000_000_000n],
  ])('reads the number %s in the unit that makes it recent', (text, time) => {
    expect(parseEventTime(text)).toBe(time)
  })

  it.each([
    '',
    'yesterday',
    '2026-13-01T00:00:00Z',
    '2026-02-30T00:00:00Z',
    '2026-01-01T25:00:00Z',
    '2026-01-01T23:59:60Z',
    '32/Jan/2026:00:00:00 +0000',
    '01/Foo/2026:00:00:00 +0000',
    '1e400',
    '9'.repeat(1000),
  ])('rejects %s', (text) => {
    expect(parseEventTime(text)).toBeUndefined()
  })

  it('accepts times from 1900 to the end of 64-bit nanoseconds', () => {
    expect(parseEventTime('1900-01-01T00:00:00Z')).toBe(-2_208_988_800_000_000_000n)
    expect(parseEventTime('1899-12-31T23:59:59.999999999Z')).toBeUndefined()
    expect(parseEventTime('1900-01-01T00:00:00+02:00')).toBeUndefined()
    expect(parseEventTime('2262-04-11T23:47:16.854775807Z')).toBe(9_223_372_036_854_775_807n)
    expect(parseEventTime('2262-04-11T23:47:16.854775808Z')).toBeUndefined()
  })
})
