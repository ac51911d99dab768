import { describe, expect, it } from 'vitest'
import { instantOfClock, timeZone } from '../../../src/wire/time/time-zone.js'
import { formatTimestamp, parseTimestamp } from '../../../src/wire/time/timestamp.js'

function shown(instant: string, zone: string): string {
  const time = parseTimestamp(instant)!
  return formatTimestamp(time, timeZone(zone)!.offsetAt(time))
}

function readIn(zone: string, clock: string): string {
  return formatTimestamp(instantOfClock(parseTimestamp(`${clock}Z`)!, timeZone(zone)!))
}

describe('a time zone', () => {
  it.each([
    ['2026-01-31T12:00:00.000000001Z', 'Europe/Berlin', '2026-01-31T13:00:00.000000001+01:00'],
    ['2026-07-31T22:30:00Z', 'Europe/Berlin', '2026-08-01T00:30:00+02:00'],
    ['2026-01-01T00:00:00Z', 'America/St_Johns', '2025-12-31T20:30:00-03:30'],
    ['2026-01-31T12:00:00Z', 'Asia/Kathmandu', '2026-01-31T17:45:00+05:45'],
    ['2026-01-31T12:00:00Z', '-09:30', '2026-01-31T02:30:00-09:30'],
    ['2026-01-31T12:00:00Z', '+0200', '2026-01-31T14:00:00+02:00'],
    ['2026-01-31T12:00:00Z', 'UTC', '2026-01-31T12:00:00Z'],
    // Standard time begins in Berlin on 25 October 2026 at 01:00 UTC.
    ['2026-10-25T00:59:59Z', 'Europe/Berlin', '2026-10-25T02:59:59+02:00'],
    ['2026-10-25T01:00:00Z', 'Europe/Berlin', '2026-10-25T02:00:00+01:00'],
    // Standard time began in New York on 30 October 1960 at 06:00 UTC.
    ['1960-10-30T05:59:59Z', 'America/New_York', '1960-10-30T01:59:59-04:00'],
    ['1960-10-30T06:00:00Z', 'America/New_York', '1960-10-30T01:00:00-05:00'],
  ])('shows %s in %s as %s', (instant, zone, expected) => {
    expect(shown(instant, zone)).toBe(expected)
    expect(parseTimestamp(expected)).toBe(parseTimestamp(instant))
  })

  it('converts a local time to an instant', () => {
    expect(readIn('Europe/Berlin', '2026-07-01T10:00:00')).toBe('2026-07-01T08:00:00Z')
    expect(readIn('America/New_York', '2026-01-01T00:00:00')).toBe('2026-01-01T05:00:00Z')
  })

  it('uses the first instant of a time that occurs twice', () => {
    expect(readIn('Europe/Berlin', '2026-10-25T02:30:00')).toBe('2026-10-25T00:30:00Z')
    expect(readIn('Europe/Berlin', '2026-10-25T03:00:00')).toBe('2026-10-25T02:00:00Z')
  })

  it('moves a skipped time as far after the change', () => {
    // Daylight saving time begins in Berlin on 29 March 2026: 02:00 becomes 03:00.
    expect(readIn('Europe/Berlin', '2026-03-29T02:30:00')).toBe('2026-03-29T01:30:00Z')
    expect(readIn('Europe/Berlin', '2026-03-29T01:59:59')).toBe('2026-03-29T00:59:59Z')
    expect(readIn('Europe/Berlin', '2026-03-29T03:00:00')).toBe('2026-03-29T01:00:00Z')
  })

  it.each(['Berlin', '+25:00', '+02:60', '', '02:00', 'Europe/'])('is not %j', (name) => {
    expect(timeZone(name)).toBeUndefined()
  })
})
