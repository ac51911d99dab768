import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimeRange } from '../../../src/input/inspect/time-range.js'
import { parseEventTime } from '../../../src/wire/event/event-time.js'
import { RUNS } from '../../support/runs.js'

describe('TimeRange', () => {
  it('spans the first to the last time, to the nanosecond', () => {
    const range = new TimeRange()
    for (const text of [
      '2026-01-31T10:00:00.000000002Z',
      '1769853600000000001',
      '2026-01-31 10:00:00.5',
      '2026-01-31T09:59:60Z',
    ]) {
      add(range, text)
    }
    expect(range.range()).toEqual({
      first: '2026-01-31T10:00:00.000000001Z',
      last: '2026-01-31T10:00:00.5Z',
    })
  })

  it('is undefined without a time', () => {
    expect(new TimeRange().range()).toBeUndefined()
  })

  it.each([
    '2026-02-30T10:00:00Z',
    '2026-01-31T24:00:00Z',
    '2026-01-31T10:61:00Z',
    '1899-12-31T00:00:00Z',
    '2300-01-01T00:00:00Z',
    '9300000000',
    '17000000001',
    '2026-01-31T10:00:00.',
    '2026-01-31T10:00:00+01:00',
    '0000000000',
  ])('does not parse unusual times: %s', (text) => {
    expect(add(new TimeRange(), text)).toBe(false)
  })

  it('parses each text like the service', () => {
    const two = fc.nat(99).map((n) => String(n).padStart(2, '0'))
    const texts = fc.oneof(
      fc
        .tuple(fc.nat(9999), two, two, two, two, two, fc.constantFrom('', '.5', '.123456789'))
        .map(
          ([year, month, day, hour, minute, second, fraction]) =>
            `${String(year).padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}${fraction}Z`,
        ),
      fc
        .date({ min: new Date('1901-01-02'), max: new Date('2261-12-31'), noInvalidDate: true })
        .map((date) => date.toISOString()),
      fc.stringMatching(/^\d{9,20}$/),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const range = new TimeRange()
        if (!add(range, text)) return
        const other = new TimeRange()
        other.add(parseEventTime(text)!)
        expect(range.range()).toEqual(other.range())
      }),
      { numRuns: 50 * RUNS },
    )
  })
})

function add(range: TimeRange, text: string): boolean {
  const bytes = Buffer.from(`"${text}"`)
  return range.addText(bytes, 1, bytes.length - 1)
}
