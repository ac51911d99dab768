import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { parseTime } from '../../../src/cli/option/time.js'
import { addTimeOptions, timeRange } from '../../../src/cli/option/time-range.js'
import { timeZone } from '../../../src/wire/time/time-zone.js'
import { formatTimestamp, parseTimestamp } from '../../../src/wire/time/timestamp.js'

// A Saturday.
const NOW = instant('2026-01-31T12:34:56.789012345Z')

function instant(text: string): bigint {
  const parsed = parseTimestamp(text)
  if (parsed === undefined) throw new Error(`not RFC 3339: ${text}`)
  return parsed
}

function meaning(text: string): string {
  return formatTimestamp(parseTime(text, { now: NOW }))
}

describe('a time', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00Z'],
    ['2026-01-31T10:00', '2026-01-31T10:00:00Z'],
    ['2026-01-31 10:00:01.5', '2026-01-31T10:00:01.5Z'],
    ['2026-01-31 10:00:01,250', '2026-01-31T10:00:01.25Z'],
    ['2026-01-31T10:00:00.000000001Z', '2026-01-31T10:00:00.000000001Z'],
    ['2026-01-31T10:00:00+05:30', '2026-01-31T04:30:00Z'],
    // As `date +%FT%T%z` prints it.
    ['2026-01-31T10:00:00+0530', '2026-01-31T04:30:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
    ['10:30', '2026-01-31T10:30:00Z'],
    ['10:30:15', '2026-01-31T10:30:15Z'],
    ['now', '2026-01-31T12:34:56.789012345Z'],
    ['today', '2026-01-31T00:00:00Z'],
    ['yesterday', '2026-01-30T00:00:00Z'],
    ['yesterday+6h', '2026-01-30T06:00:00Z'],
    ['1h', '2026-01-31T11:34:56.789012345Z'],
    ['-1h', '2026-01-31T11:34:56.789012345Z'],
    ['1.5h', '2026-01-31T11:04:56.789012345Z'],
    ['1w2d12h', '2026-01-22T00:34:56.789012345Z'],
    ['500ms', '2026-01-31T12:34:56.289012345Z'],
    ['12ns', '2026-01-31T12:34:56.789012333Z'],
    ['now-15m', '2026-01-31T12:19:56.789012345Z'],
    ['now+1d', '2026-02-01T12:34:56.789012345Z'],
    ['now/d', '2026-01-31T00:00:00Z'],
    ['now-1d/d', '2026-01-30T00:00:00Z'],
    ['now-1h30m', '2026-01-31T11:04:56.789012345Z'],
    ['now/h-30m', '2026-01-31T11:30:00Z'],
    ['now/w', '2026-01-26T00:00:00Z'],
    ['now-1w/w', '2026-01-19T00:00:00Z'],
  ])('%s is %s', (text, expected) => {
    expect(meaning(text)).toBe(expected)
  })

  it.each([
    ['1769862896', '2026-01-31T12:34:56Z'],
    ['1769862896.000000001', '2026-01-31T12:34:56.000000001Z'],
    ['1769862896789', '2026-01-31T12:34:56.789Z'],
    ['1769862896789012', '2026-01-31T12:34:56.789012Z'],
    ['1769862896789012345', '2026-01-31T12:34:56.789012345Z'],
    ['0', '1970-01-01T00:00:00Z'],
  ])('%s is Unix time, its unit told by its size: %s', (text, expected) => {
    expect(meaning(text)).toBe(expected)
  })

  it('can be a week before 1970', () => {
    expect(formatTimestamp(parseTime('now/w', { now: -1n }))).toBe('1969-12-29T00:00:00Z')
  })

  it('can be relative to the start of the range', () => {
    const start = instant('2026-01-31T00:00:00Z')
    expect(formatTimestamp(parseTime('+30m', { now: NOW, start }))).toBe('2026-01-31T00:30:00Z')
    expect(() => parseTime('+30m', { now: NOW })).toThrow('start of the range')
  })

  it.each([
    '',
    'soon',
    '5',
    '30.5',
    '2026',
    '202601',
    '20260131',
    '2026-13-01',
    '2026-02-30',
    '25:00',
    '1x',
    '--1h',
    'now-',
    'now-1',
    '1h ago',
    'now/x',
    'now-1h/',
    'now+-1h',
    'today1h',
  ])('is not %j', (text) => {
    expect(() => meaning(text)).toThrow(`\`${text}\` is not a time. Times look like \`1h\``)
  })
})

describe('a time outside the supported range', () => {
  it.each(['999999w', '17000000000000000000000', 'now+999999w'])('is rejected: %s', (text) => {
    expect(() => meaning(text)).toThrow(`\`${text}\` is outside the years 0000 to 9999.`)
  })
})

describe('a range', () => {
  it('follows its flags under any of their names', () => {
    const expected = { startTime: '2026-01-30T00:00:00Z', endTime: '2026-01-30T01:00:00Z' }
    const rangeOf = (...args: readonly string[]) =>
      timeRange(addTimeOptions(new Command()).parse(args, { from: 'user' }).opts(), NOW)
    expect(rangeOf('--since', 'yesterday', '--until', '+1h')).toEqual(expected)
    expect(rangeOf('--from', 'yesterday', '--to', '+1h')).toEqual(expected)
    expect(rangeOf('--start-time', 'yesterday', '--end-time', '+1h')).toEqual(expected)
    // As of a flag that is repeated, the last value counts.
    expect(rangeOf('--since', '1h', '--from', 'yesterday', '--until', '+1h')).toEqual(expected)
  })

  it('is open without a bound', () => {
    expect(timeRange({}, NOW)).toEqual({})
  })

  it('cannot end before it starts', () => {
    expect(() => timeRange({ since: '1h', until: '2h' }, NOW)).toThrow('before it begins')
  })

  it('cannot be empty, as on the day that Samoa skipped', () => {
    const timezone = timeZone('Pacific/Apia')!
    const skipped = { since: '2011-12-30', until: '2011-12-31', timezone }
    expect(() => timeRange(skipped, NOW)).toThrow(
      'The range is empty: it begins and ends at 2011-12-30T10:00:00Z.',
    )
  })

  it('does not start at a time of today that is in the future', () => {
    const start = { startTime: '2026-01-31T12:30:00Z' }
    expect(timeRange({ since: '12:30' }, NOW)).toEqual(start)
    expect(() => timeRange({ since: '12:35' }, NOW)).toThrow('`12:35` is in the future')
    // Events of the future are found by a date.
    expect(timeRange({ since: '2027-01-01' }, NOW)).toEqual({ startTime: '2027-01-01T00:00:00Z' })
  })
})
