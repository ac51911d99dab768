import { describe, expect, it } from 'vitest'
import { compileLayout } from '../../../src/wire/time/go-layout.js'
import { parseTimeFormat } from '../../../src/wire/time/time-format.js'
import { parseByPattern } from '../../../src/wire/time/time-pattern.js'

/** Returns the nanoseconds of a time as parsed by the platform. */
function instant(text: string, nanoseconds = 0): bigint {
  return BigInt(Date.parse(text)) * 1_000_000n + BigInt(nanoseconds)
}

function parse(layout: string, text: string): bigint | undefined {
  const format = parseTimeFormat(layout)
  if (format === undefined || typeof format.reads === 'number') throw new Error('no layout')
  return parseByPattern(text, format.reads)
}

// From the documentation and the tests of Go's package `time`; all are the same time.
const IN_GO = instant('2010-02-04T21:00:57-08:00')

describe('a layout', () => {
  it.each([
    ['Jan 2, 2006 at 3:04pm (MST)', 'Feb 3, 2013 at 7:54pm (PST)', '2013-02-03T19:54:00-08:00'],
    ['2006-Jan-02', '2013-Feb-03', '2013-02-03T00:00:00Z'],
    ['RFC3339', '2006-01-02T15:04:05Z', '2006-01-02T15:04:05Z'],
    ['RFC3339', '2006-01-02T15:04:05+07:00', '2006-01-02T08:04:05Z'],
    ['UnixDate', 'Wed Feb 25 11:06:39 PST 2015', '2015-02-25T19:06:39Z'],
  ])('%s reads %s as Go documents', (layout, text, time) => {
    expect(parse(layout, text)).toBe(instant(time))
  })

  it.each([
    ['UnixDate', 'Thu Feb  4 21:00:57 PST 2010'],
    ['RubyDate', 'Thu Feb 04 21:00:57 -0800 2010'],
    ['RFC850', 'Thursday, 04-Feb-10 21:00:57 PST'],
    ['RFC1123', 'Thu, 04 Feb 2010 21:00:57 PST'],
    ['RFC1123', 'Thu, 04 Feb 2010 22:00:57 PDT'],
    ['RFC1123Z', 'Thu, 04 Feb 2010 21:00:57 -0800'],
    ['RFC3339', '2010-02-04T21:00:57-08:00'],
    ['2006-01-02 15:04:05-07', '2010-02-04 21:00:57-08'],
    ['2006-01-02 15:04:05.9999 -0700 MST', '2010-02-04 21:00:57 -0800 PST'],
    ['2006-01-02T15:04:05Z0700', '2010-02-05T05:00:57Z'],
    ['2006-01-02 15:04:05 -07:00:00', '2010-02-04 21:00:57 -08:00:00'],
    ['2006-01-02 15:04:05 Z070000', '2010-02-04 21:00:57 -080000'],
    ['2006-01-02 15:04:05 MST', '2010-02-05 08:00:57 GMT+3'],
  ])('%s reads %s', (layout, text) => {
    expect(parse(layout, text)).toBe(IN_GO)
  })

  it.each([
    ['ANSIC', 'Thu Feb  4 21:00:57 2010'],
    // The amount of white space and case are ignored.
    ['ANSIC', 'Thu Feb 4 21:00:57 2010'],
    ['ANSIC', 'Thu      Feb     4     21:00:57     2010'],
    ['ANSIC', 'THU FEB 4 21:00:57 2010'],
    ['ANSIC', 'thu feb 4 21:00:57 2010'],
    ['2006-01-02 002 15:04:05', '2010-02-04 035 21:00:57'],
    ['2006-01 002 15:04:05', '2010-02 035 21:00:57'],
    ['2006-002 15:04:05', '2010-035 21:00:57'],
    ['200600201 15:04:05', '201003502 21:00:57'],
    ['2006__2 15:04:05', '2010 35 21:00:57'],
    ['20060102150405', '20100204210057'],
    ['1/2/06 3:4:5 PM', '2/4/10 9:00:57 PM'],
    ['January 02, 2006 03:04:05PM', 'February 04, 2010 09:00:57PM'],
    ['Monday, 2 Jan 2006 15h04m05s', 'thursday, 4 feb 2010 21h00m57s'],
    ['2006_2006-1-_2 15:04:05', '1999_2010-2- 4 21:00:57'],
    ['2006-01-02 [Janet] 15:04:05', '2010-02-04 [Janet] 21:00:57'],
  ])('%s reads %s', (layout, text) => {
    expect(parse(layout, text)).toBe(instant('2010-02-04T21:00:57Z'))
  })

  it.each([
    ['ANSIC', 'Thu Feb  4 21:00:57.0 2010', 0],
    ['ANSIC', 'Thu Feb  4 21:00:57.012345678 2010', 12_345_678],
    ['ANSIC', 'Thu Feb  4 21:00:57,0123456789 2010', 12_345_678],
    ['Mon Jan _2 15:04:05.000 2006', 'Thu Feb  4 21:00:57.012 2010', 12_000_000],
    ['Mon Jan _2 15:04:05,000 2006', 'Thu Feb  4 21:00:57.012 2010', 12_000_000],
    ['2006-01-02 15:04:05.000000', '2010-02-04 21:00:57,012345', 12_345_000],
    ['2006-01-02 15:04:05,999', '2010-02-04 21:00:57.0123456', 12_345_600],
    ['2006-01-02 15:04:05,999', '2010-02-04 21:00:57', 0],
  ])('%s reads the fraction of %s', (layout, text, nanoseconds) => {
    expect(parse(layout, text)).toBe(instant('2010-02-04T21:00:57Z', nanoseconds))
  })

  it.each([
    ['ANSIC', 'Feb  4 21:00:57 2010'],
    ['ANSIC', 'Thu Feb  4 21:00:57 @2010'],
    ['ANSIC', 'Thu Feb  4 21:00:60 2010'],
    ['ANSIC', 'Thu Feb  4 21:61:57 2010'],
    ['ANSIC', 'Thu Feb  4 24:00:00 2010'],
    ['ANSIC', 'Thu Jan 99 21:00:57 2010'],
    ['ANSIC', 'Thu Feb 29 21:00:57 2010'],
    ['ANSIC', 'Thu Feb -1 21:00:57 2010'],
    ['ANSIC', 'Thu Feb 00 21:00:57 2010'],
    ['Mon Jan _2 15:04:05.000 2006', 'Thu Feb  4 23:00:59x01 2010'],
    ['Mon Jan _2 15:04:05.000 2006', 'Thu Feb  4 23:00:59.xxx 2010'],
    ['Mon Jan _2 15:04:05.000 2006', 'Thu Feb  4 23:00:59.1234 2010'],
    ['RFC3339', '2006-01-02T15:04:05Z07:00'],
    ['RFC3339', '2006-01-02T15:04:05Z_abc'],
    ['RFC3339', '2006-01-02T15:04:05+0700'],
    ['2006-01-02', '2010-2-04'],
    ['2006-01-02', '2010-13-04'],
    ['2006-01-02', '2010-02-04 '],
    ['2006-01-02 03:04', '2010-02-04 13:00'],
    ['2006-01-02 3:04PM', '2010-02-04 1:00pm'],
    ['2006-002', '2010-366'],
    ['2006-002', '2010-000'],
    ['2006-01-02 002', '2010-02-04 036'],
    // Two digits are read where there are two, whatever remains for the rest.
    ['2006-01-02 15405', '2010-02-04 123'],
    // Known zones only: reading an unknown one as UTC would be hours off.
    ['2006-01-02 15:04 MST', '2010-02-04 13:00 IST'],
    ['2006-01-02 15:04 MST', '2010-02-04 13:00 mst'],
  ])('%s does not read %s', (layout, text) => {
    expect(parse(layout, text)).toBeUndefined()
  })

  it.each(['', 'yesterday', '15:04:05', 'Jan _2 15:04:05', '%Y-%m-%d'])(
    '%s is rejected because times would have no year',
    (layout) => {
      expect(compileLayout(layout)).toBeUndefined()
    },
  )

  it('accepts 29 February in leap years', () => {
    expect(parse('ANSIC', 'Wed Feb 29 21:00:57 2012')).toBe(instant('2012-02-29T21:00:57Z'))
    expect(parse('2006-002', '2012-060')).toBe(instant('2012-02-29T00:00:00Z'))
    expect(parse('2006-002', '2012-366')).toBe(instant('2012-12-31T00:00:00Z'))
  })

  it('reads two digits of a year as 1969 to 2068', () => {
    expect(parse('06-01-02', '69-01-01')).toBe(instant('1969-01-01T00:00:00Z'))
    expect(parse('06-01-02', '68-01-01')).toBe(instant('2068-01-01T00:00:00Z'))
  })
})
