import { type Signature, signature } from './signature.js'

const partOf = signature('time: datetime', 'int')
const boundOf = signature('time: datetime, [offset: int]', 'datetime')

function timeSince(unit: string, example: string): Signature {
  return signature(`${unit}: int|real`, 'datetime')(
    `the time that many ${unit} after 1970-01-01, truncated; null if it is out of range`,
    example,
  )
}

export const TIME_FUNCTIONS = {
  ago: signature('timespan: timespan', 'datetime')(
    'the time that long before `now()`',
    "['logs'] | where _time > ago(1h)",
  ),
  datetime_add: signature('part: string, amount: int, time: datetime', 'datetime')(
    'the time plus a number of years, days, hours …; a day that the month does not have becomes its last day',
    'print datetime_add("month", 1, datetime(2026-01-31)) // "2026-02-28T00:00:00Z"',
  ),
  datetime_diff: signature('part: string, later: datetime, earlier: datetime', 'int')(
    'the number of boundaries of years, days, hours … between two times',
    'print datetime_diff("day", datetime(2026-02-01), datetime(2026-01-30)) // 2',
  ),
  datetime_part: signature('part: string, time: datetime', 'int')(
    'the year, month, day, hour … of a time',
    'print datetime_part("hour", datetime(2026-01-31T10:30:00Z)) // 10',
  ),
  dayofmonth: partOf(
    'the day of the month, 1 to 31',
    'print dayofmonth(datetime(2026-01-31)) // 31',
  ),
  dayofweek: partOf(
    'the day of the week, Sunday 0 to Saturday 6',
    'print dayofweek(datetime(2026-02-01)) // 0',
  ),
  dayofyear: partOf('the day of the year, 1 to 366', 'print dayofyear(datetime(2026-02-01)) // 32'),
  endofday: boundOf(
    'the last nanosecond of the day plus a number of days',
    'print endofday(datetime(2026-01-31T10:30:00Z)) // "2026-01-31T23:59:59.999999999Z"',
  ),
  endofmonth: boundOf(
    'the last nanosecond of the month plus a number of months',
    'print endofmonth(datetime(2026-02-03)) // "2026-02-28T23:59:59.999999999Z"',
  ),
  endofweek: boundOf(
    'the last nanosecond of the week, a Saturday plus a number of weeks',
    'print endofweek(datetime(2026-02-02)) // "2026-02-07T23:59:59.999999999Z"',
  ),
  endofyear: boundOf(
    'the last nanosecond of the year plus a number of years',
    'print endofyear(datetime(2026-02-03)) // "2026-12-31T23:59:59.999999999Z"',
  ),
  getmonth: partOf('the month, 1 to 12', 'print getmonth(datetime(2026-01-31)) // 1'),
  getyear: partOf('the year', 'print getyear(datetime(2026-01-31)) // 2026'),
  hourofday: partOf('the hour, 0 to 23', 'print hourofday(datetime(2026-01-31T10:30:00Z)) // 10'),
  now: signature('[offset: timespan]', 'datetime')(
    'the time of the query, the same for all rows',
    "['logs'] | where _time > now(-15m)",
  ),
  startofday: boundOf(
    'midnight at the start of the day plus a number of days',
    'print startofday(datetime(2026-01-31T10:30:00Z)) // "2026-01-31T00:00:00Z"',
  ),
  startofmonth: boundOf(
    'the start of the month plus a number of months',
    'print startofmonth(datetime(2026-01-31)) // "2026-01-01T00:00:00Z"',
  ),
  startofweek: boundOf(
    'the start of the week, a Sunday plus a number of weeks',
    'print startofweek(datetime(2026-02-03)) // "2026-02-01T00:00:00Z"',
  ),
  startofyear: boundOf(
    'the start of the year plus a number of years',
    'print startofyear(datetime(2026-02-03), -1) // "2025-01-01T00:00:00Z"',
  ),
  unixtime_microseconds_todatetime: timeSince(
    'microseconds',
    'print unixtime_microseconds_todatetime(1769853600000000) // "2026-01-31T10:00:00Z"',
  ),
  unixtime_milliseconds_todatetime: timeSince(
    'milliseconds',
    'print unixtime_milliseconds_todatetime(1769853600000) // "2026-01-31T10:00:00Z"',
  ),
  unixtime_nanoseconds_todatetime: timeSince(
    'nanoseconds',
    'print unixtime_nanoseconds_todatetime(1769853600000000000) // "2026-01-31T10:00:00Z"',
  ),
  unixtime_seconds_todatetime: timeSince(
    'seconds',
    'print unixtime_seconds_todatetime(1769853600) // "2026-01-31T10:00:00Z"',
  ),
  week_of_year: partOf(
    'the ISO 8601 week, 1 to 53; weeks begin on Monday',
    'print week_of_year(datetime(2026-01-04)) // 1',
  ),
} satisfies Record<string, Signature>
