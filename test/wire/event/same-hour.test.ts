import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseEventTime, patternOf } from '../../../src/wire/event/event-time.js'
import { hourOf, timeInHour } from '../../../src/wire/event/same-hour.js'
import { parseTimeFormat } from '../../../src/wire/time/time-format.js'
import { RUNS } from '../../support/runs.js'

const HOUR_MS = 3_600_000

const pad = (value: number, digits = 2) => String(value).padStart(digits, '0')
const iso = (ms: number) => new Date(ms).toISOString()
const mail = (ms: number) => new Date(ms).toUTCString()

/** Ways to write a time, with or without its milliseconds. */
const FORMS: Readonly<Record<string, { layout?: string; of(ms: number): string; ms?: true }>> = {
  mail: { of: mail },
  'mail with an offset': { of: (ms) => mail(ms + 2 * HOUR_MS).replace('GMT', '+0200') },
  'access log': {
    of: (ms) => mail(ms).replace(/^\w+, (\d+) (\w+) (\d+) (\S+) GMT$/, '[$1/$2/$3:$4 +0000]'),
  },
  ctime: { of: (ms) => mail(ms).replace(/^(\w+), (\d+) (\w+) (\d+) (\S+) GMT$/, '$1 $3 $2 $5 $4') },
  'ISO 8601 with a space': {
    of: (ms) => iso(ms).replace('T', ' ').replace('Z', ' +00:00'),
    ms: true,
  },
  slashes: { of: (ms) => iso(ms).slice(0, 19).replace('T', ' ').replaceAll('-', '/') },
  'a clock of twelve hours': {
    layout: '1/2/2006 3:04:05 PM',
    of: (ms) => {
      const date = new Date(ms)
      const hour = date.getUTCHours()
      const day = `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${date.getUTCFullYear()}`
      const clock = [pad(date.getUTCMinutes()), pad(date.getUTCSeconds())].join(':')
      return `${day} ${hour % 12 || 12}:${clock} ${hour < 12 ? 'AM' : 'PM'}`
    },
  },
  'no separators': {
    layout: '20060102150405.000',
    of: (ms) => iso(ms).replaceAll(/[-T:Z]/g, ''),
    ms: true,
  },
}

const forms = Object.entries(FORMS)

function hourIn(text: string, layout: string | undefined) {
  const format = layout === undefined ? undefined : parseTimeFormat(layout)
  const pattern = patternOf(text, format)
  return pattern && hourOf(text, pattern)
}

function timeIn(hour: ReturnType<typeof hourIn>, text: string): bigint | undefined {
  // In the middle of other bytes, as in an event.
  const bytes = Buffer.from(`"${text}",0`)
  return hour && timeInHour(hour, bytes, 1, bytes.length - 3)
}

/** Milliseconds from 1970 to 2200. */
const anyTime = fc.integer({ min: 0, max: 7_258_118_400_000 })

describe('the form of the hour of a time', () => {
  it.each(forms)('reads other times of the hour: %s', (_, { layout, of, ms }) => {
    const within = fc.integer({ min: 0, max: HOUR_MS - 1 })
    fc.assert(
      fc.property(anyTime, within, within, (time, one, other) => {
        const begin = time - (time % HOUR_MS)
        const exact = ms ? begin + other : begin + other - (other % 1000)
        const found = timeIn(hourIn(of(begin + one), layout), of(begin + other))
        expect(found).toBe(BigInt(exact) * 1_000_000n)
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it.each(forms)('reads no other texts: %s', (_, { layout, of }) => {
    const character = fc.constantFrom(...'0123456789 :/.-+TZAPMGJan[]é')
    fc.assert(
      fc.property(anyTime, anyTime, fc.nat(40), character, (known, time, at, sign) => {
        const format = layout === undefined ? undefined : parseTimeFormat(layout)
        const hour = hourIn(of(known), layout)
        for (const given of [of(known), of(time)]) {
          const text = given.slice(0, at) + sign + given.slice(at + 1)
          for (const one of [given, text, given.slice(0, -1), `${given}0`]) {
            const found = timeIn(hour, one)
            if (found !== undefined) expect(found).toBe(parseEventTime(one, format))
          }
        }
      }),
      { numRuns: 20 * RUNS },
    )
  })

  it('has parts of other lengths in common', () => {
    const hour = hourIn('2026-01-01 00:05:07.123456789012', '2006-01-02 15:4:5')
    expect(timeIn(hour, '2026-01-01 00:59:00.123456789012')).toBe(1_767_229_140_123_456_789n)
    expect(timeIn(hour, '2026-01-01 00:59:00.223456789012')).toBeUndefined()
    const short = hourIn('2026-01-01 00:5:07', '2006-01-02 15:4:5')
    expect(timeIn(short, '2026-01-01 00:5:59')).toBe(1_767_225_959_000_000_000n)
    expect(timeIn(short, '2026-01-01 00:6:07')).toBeUndefined()
  })

  it('takes a part that a layout has twice from its last place', () => {
    const hour = hourIn('04 2026-01-01 00:05:07', '04 2006-01-02 15:04:05')
    expect(timeIn(hour, '04 2026-01-01 00:59:07')).toBe(1_767_229_147_000_000_000n)
    const other = timeIn(hour, '05 2026-01-01 00:05:07')
    if (other !== undefined) expect(other).toBe(1_767_225_907_000_000_000n)
  })

  it.each(['1900-01-01T00:00:00.5Z', '1900-01-01T00:30:00+00:30', '2262-04-11T23:47:16Z'])(
    'is missing where a part of the hour is out of range: %s',
    (text) => {
      expect(parseEventTime(text)).toBeDefined()
      const hour = hourIn(text, undefined)
      for (const minute of ['00', '29', '47', '59']) {
        const other = text.replace(/:\d\d:/, `:${minute}:`)
        const found = timeIn(hour, other)
        if (found !== undefined) expect(found).toBe(parseEventTime(other))
      }
    },
  )

  it('is missing for numbers and for what is no time', () => {
    for (const text of ['1767225600', '20260101', 'soon', 'Thu, 32 Jan 2026 00:00:00 GMT']) {
      expect(hourIn(text, undefined)).toBeUndefined()
    }
    expect(hourIn('1767225600', 'unix')).toBeUndefined()
  })
})
