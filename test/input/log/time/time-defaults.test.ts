import { describe, expect, it } from 'vitest'
import { findLayout, inferTimes } from '../../../../src/input/log/time/line-layout.js'
import { LineTimes } from '../../../../src/input/log/time/line-times.js'
import { timeZone } from '../../../../src/wire/time/time-zone.js'
import { parseTimestamp } from '../../../../src/wire/time/timestamp.js'
import type { CutOptions } from '../../support.js'
import { cut } from '../../support.js'
import { batchesOf, NOW, read } from '../support.js'

/** `NOW` is 2026-03-01T12:00:00Z. */
const MARCH_2026 = NOW
const FEBRUARY_2024 = at('2024-02-10T12:00:00Z')

describe.each(['text', 'syslog'] as const)('a time without a year in %s', (format) => {
  const times = (lines: readonly string[], options: CutOptions = {}) =>
    timesOf(
      lines.map((line) => `${line} web app: m`),
      { format, ...options },
    )

  it('is in the latest year that is not after the modification time of the file', async () => {
    const lines = ['Nov 20 10:00:00', 'Dec 31 23:59:59', 'Jan  1 00:00:00', 'Feb 10 11:59:59']
    expect(await times(lines, { lastWritten: FEBRUARY_2024 })).toEqual([
      '2023-11-20T10:00:00Z',
      '2023-12-31T23:59:59Z',
      '2024-01-01T00:00:00Z',
      '2024-02-10T11:59:59Z',
    ])
    expect(await times(lines)).toEqual([
      '2025-11-20T10:00:00Z',
      '2025-12-31T23:59:59Z',
      '2026-01-01T00:00:00Z',
      '2026-02-10T11:59:59Z',
    ])
  })

  it('may be a day after the modification time, because it may be in a zone', async () => {
    const lines = ['Feb 11 11:59:59', 'Feb 11 12:00:01']
    expect(await times(lines, { lastWritten: FEBRUARY_2024 })).toEqual([
      '2024-02-11T11:59:59Z',
      '2023-02-11T12:00:01Z',
    ])
  })

  it.each([
    ['1970', '1970-01-01T00:00:00Z'],
    ['1980', '1980-01-01T00:00:00Z'],
    ['the future', '2030-01-01T00:00:00Z'],
  ])('is in the latest year before now for a file of %s', async (_, written) => {
    expect(await times(['Nov 20 10:00:00'], { lastWritten: at(written) })).toEqual([
      '2025-11-20T10:00:00Z',
    ])
  })

  it('is on 29 February of a leap year', async () => {
    expect(await times(['Feb 29 10:00:00'], { lastWritten: at('2023-06-01T00:00:00Z') })).toEqual([
      '2020-02-29T10:00:00Z',
    ])
  })

  it('is in the year of the first line, or the next one', async () => {
    const lines = ['Dec 30 10:00:00', 'Dec 29 23:00:00', 'Dec 31 23:59:60', 'Nov  1 00:00:00']
    expect(await times(lines, { year: 2019 })).toEqual([
      '2019-12-30T10:00:00Z',
      // A little out of order.
      '2019-12-29T23:00:00Z',
      '2020-01-01T00:00:00Z',
      '2020-11-01T00:00:00Z',
    ])
    expect(await times(['Jan  1 00:00:01', 'Dec 31 23:59:59'], { year: 2019 })).toEqual([
      '2019-01-01T00:00:01Z',
      '2018-12-31T23:59:59Z',
    ])
  })

  it('has its year in the description of the input', async () => {
    const lines = ['Nov 20 10:00:00 web app: m', 'Feb 10 11:59:59 web app: m']
    const options = { format, now: MARCH_2026, lastWritten: FEBRUARY_2024 }
    expect(batchesOf(await cut(lines.join('\n'), options)).at(-1)!.lineTime).toEqual({
      kind: 'found',
      layout: 'start:month-name day',
      example: 'Nov 20 10:00:00',
      hasYear: false,
      hasZone: false,
      years: [2023, 2024],
    })
  })
})

describe('times without a year that go back by months', () => {
  const described = async (lines: readonly string[]) =>
    batchesOf(await cut(lines.join('\n'), { format: 'text', now: MARCH_2026 })).at(-1)!.lineTime

  it('are noted', async () => {
    // The first two are of 2024, and in the latest year they are of 2025.
    const lines = ['Nov 20 10:00:00 a', 'Mar 20 10:00:00 b', 'Nov 20 10:00:00 c']
    expect(await described(lines)).toMatchObject({ years: [2025, 2025], goesBack: true })
  })

  it('are not noted within half a year, or at the end of a year', async () => {
    const lines = [
      'Nov 20 10:00:00 a',
      'Jun 20 10:00:00 b',
      'Dec 31 10:00:00 c',
      'Jan  1 10:00:00 d',
    ]
    expect(await described(lines)).not.toHaveProperty('goesBack')
  })
})

describe('the year of the first line', () => {
  it('counts when reading starts at another line', () => {
    const head = ['banner', 'Dec 30 10:00:00 a', 'Jan  2 10:00:00 b']
    const layout = findLayout('start:month-name day')!
    const times = new LineTimes(layout, MARCH_2026, { year: 2019, head })
    expect(times.read('Jan  2 10:00:00 b')).toBe('2020-01-02T10:00:00Z')
  })

  it('counts after a priority', async () => {
    const lines = ['<13>Dec 30 10:00:00 h a: m', '<13>Jan  2 10:00:00 h a: m']
    expect(await timesOf(lines, { format: 'syslog', year: 2019 })).toEqual([
      '2019-12-30T10:00:00Z',
      '2020-01-02T10:00:00Z',
    ])
  })

  it('does not matter to times with a year', async () => {
    expect(await timesOf(['2025-01-01 00:00:00 a'], { format: 'text', year: 2019 })).toEqual([
      '2025-01-01T00:00:00Z',
    ])
  })
})

describe('the latest year', () => {
  it('is that of the line, not of the beginning of the input', async () => {
    let now = at('2025-12-31T23:00:00Z')
    const times = new LineTimes(findLayout('start:month-name day')!, now, {
      lastWritten: () => now,
    })
    expect(times.read('Dec 31 22:59:59 a')).toBe('2025-12-31T22:59:59Z')
    now = at('2026-01-05T00:00:00Z')
    expect(times.read('Jan  4 23:59:59 b')).toBe('2026-01-04T23:59:59Z')
  })
})

describe('a time without a zone', () => {
  const inZone = (zone: string, lines: readonly string[]) =>
    timesOf(lines, { format: 'text', zone: timeZone(zone)! })

  it('is in the zone that was set, also when the clocks change', async () => {
    // Clocks went from 2:00 to 3:00 on 30 March, and from 3:00 to 2:00 on 26 October.
    expect(
      await inZone('Europe/Berlin', [
        '2025-03-30 01:59:59,5 a',
        '2025-03-30 02:30:00 a',
        '2025-03-30 03:00:00 a',
        '2025-03-30 03:00:00 b',
        '2025-10-26 01:59:59 a',
        '2025-10-26 02:30:00 a',
        '2025-10-26 03:00:00 a',
      ]),
    ).toEqual([
      '2025-03-30T00:59:59.5Z',
      // It did not exist: an hour later by the clock.
      '2025-03-30T01:30:00Z',
      '2025-03-30T01:00:00Z',
      '2025-03-30T01:00:00Z',
      '2025-10-25T23:59:59Z',
      // It occurred twice: the first.
      '2025-10-26T00:30:00Z',
      '2025-10-26T02:00:00Z',
    ])
  })

  it('is right in zones with parts of hours', async () => {
    // Lord Howe Island goes back by half an hour, from 2:00 (+11:00) to 1:30 (+10:30).
    expect(
      await inZone('Australia/Lord_Howe', ['2025-04-06 01:29:59 a', '2025-04-06 02:00:00 a']),
    ).toEqual(['2025-04-05T14:29:59Z', '2025-04-05T15:30:00Z'])
    expect(await inZone('Asia/Kathmandu', ['2025-04-06 05:45:00 a'])).toEqual([
      '2025-04-06T00:00:00Z',
    ])
    expect(await inZone('-03:30', ['2025-04-06 05:45:00 a'])).toEqual(['2025-04-06T09:15:00Z'])
  })

  it('is in the zone that was set in syslog', async () => {
    const options = { format: 'syslog', zone: timeZone('America/New_York')! } as const
    expect(
      await timesOf(['Feb 28 23:00:00 h a: m', '2026-02-28T23:00:00Z h a: m'], options),
    ).toEqual(['2026-03-01T04:00:00Z', '2026-02-28T23:00:00Z'])
  })

  it('is in the zone that was set in logfmt', async () => {
    const options = { format: 'logfmt', zone: timeZone('America/New_York')! } as const
    const lines = [
      'ts="2026-02-28 23:00:00.5" a=1',
      'ts=2026-02-28T23:00:00Z a=1',
      'ts=1767323045 a=1',
      'ts="2026-02-28 23:00:00 UTC" a=1',
    ]
    expect(await timesOf(lines, options)).toEqual([
      '2026-03-01T04:00:00.5Z',
      '2026-02-28T23:00:00Z',
      1767323045,
      '2026-02-28 23:00:00 UTC',
    ])
  })

  it('alone is changed by the zone that was set', async () => {
    expect(
      await inZone('Asia/Tokyo', [
        '2026-02-03 04:05:06Z a',
        '2026-02-03 04:05:06 CET a',
        '2026-02-03 04:05:06 +0100 a',
        '2026-02-03 04:05:06 a',
      ]),
    ).toEqual([
      '2026-02-03T04:05:06Z',
      '2026-02-03T03:05:06Z',
      '2026-02-03T03:05:06Z',
      '2026-02-02T19:05:06Z',
    ])
    expect(await inZone('Asia/Tokyo', ['1767323045.5 a'])).toEqual(['2026-01-02T03:04:05.5Z'])
  })

  it.each([
    [
      'start:iso',
      ['2025-10-26 01:59:59.5 A', '2025-10-26 03:00:00.6 B', '2025-03-30 02:30:00.7 C'],
    ],
    ['start:year/month/day', ['2025/10/26 01:59:59 A', '2025/10/26 03:00:00 B']],
    [
      'start:month-name day',
      ['Oct 26 01:59:59 web a', 'Oct 26 03:00:00 web b', 'Mar 30 02:30:00 c'],
    ],
    ['start:ctime', ['Sun Oct 26 01:59:59 2025 A', 'Sun Oct 26 03:00:00 2024 A']],
  ])('does not depend on the line before it, %s', (id, lines) => {
    const zone = timeZone('Europe/Berlin')!
    const times = () => new LineTimes(findLayout(id)!, NOW, { zone })
    for (const before of lines) {
      for (const line of lines) {
        const reader = times()
        reader.read(before)
        expect(reader.read(line)).toBe(times().read(line))
        expect(reader.end).toBe(line.search(/ \S+$/) - (line.includes('web') ? 4 : 0))
      }
    }
  })

  it('makes the most precise column of a line the time', () => {
    const line =
      '- 1117838570 2005.06.03 R02-M1-N0-C:J12-U11 2005-06-03-15.42.50.363779 R02-M1-N0-C:J12-U11 RAS KERNEL INFO x'
    const zone = timeZone('America/Los_Angeles')!
    const found = inferTimes([line], { now: NOW, times: { zone } })
    if (found?.kind !== 'found') throw new Error('no layout')
    expect(new LineTimes(found.layout, NOW, { zone }).read(line)).toBe(
      '2005-06-03T22:42:50.363779Z',
    )
  })
})

function at(text: string): bigint {
  return parseTimestamp(text)!
}

async function timesOf(lines: readonly string[], options: CutOptions): Promise<unknown[]> {
  const { events } = await read(lines.join('\n'), options)
  return events.map((event) => JSON.parse(event)._time)
}
