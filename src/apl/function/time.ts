import { PLAIN_NUMBER, type Signature } from './signature.js'

/** Functions on instants and timespans. */
export const TIME_FUNCTIONS = {
  ago: {
    parameters: [{ name: 'timespan', accepts: ['timespan'] }],
    result: 'datetime',
    summary: 'the time that long before `now()`',
  },
  datetime_add: {
    parameters: [
      { name: 'part', accepts: ['string'] },
      { name: 'amount', accepts: ['int'] },
      { name: 'time', accepts: ['datetime'] },
    ],
    result: 'datetime',
    summary:
      'the time plus a number of years, days, hours …; a day that the month does not have becomes its last day',
  },
  datetime_diff: {
    parameters: [
      { name: 'part', accepts: ['string'] },
      { name: 'later', accepts: ['datetime'] },
      { name: 'earlier', accepts: ['datetime'] },
    ],
    result: 'int',
    summary: 'the number of boundaries of years, days, hours … between two times',
  },
  datetime_part: {
    parameters: [
      { name: 'part', accepts: ['string'] },
      { name: 'time', accepts: ['datetime'] },
    ],
    result: 'int',
    summary: 'the year, month, day, hour … of a time',
  },
  dayofmonth: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the day of the month, 1 to 31',
  },
  dayofweek: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the day of the week, Sunday 0 to Saturday 6',
  },
  dayofyear: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the day of the year, 1 to 366',
  },
  endofday: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the last nanosecond of the day plus a number of days',
  },
  endofmonth: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the last nanosecond of the month plus a number of months',
  },
  endofweek: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the last nanosecond of the week, a Saturday plus a number of weeks',
  },
  endofyear: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the last nanosecond of the year plus a number of years',
  },
  getmonth: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the month, 1 to 12',
  },
  getyear: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the year',
  },
  hourofday: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the hour, 0 to 23',
  },
  now: {
    parameters: [{ name: 'offset', accepts: ['timespan'], optional: true }],
    result: 'datetime',
    summary: 'the time of the query, the same for all rows',
  },
  startofday: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'midnight at the start of the day plus a number of days',
  },
  startofmonth: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the start of the month plus a number of months',
  },
  startofweek: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the start of the week, a Sunday plus a number of weeks',
  },
  startofyear: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'the start of the year plus a number of years',
  },
  unixtime_microseconds_todatetime: {
    parameters: [{ name: 'microseconds', accepts: PLAIN_NUMBER }],
    result: 'datetime',
    summary:
      'the time that many microseconds after 1970-01-01, truncated; null if it is out of range',
  },
  unixtime_milliseconds_todatetime: {
    parameters: [{ name: 'milliseconds', accepts: PLAIN_NUMBER }],
    result: 'datetime',
    summary:
      'the time that many milliseconds after 1970-01-01, truncated; null if it is out of range',
  },
  unixtime_nanoseconds_todatetime: {
    parameters: [{ name: 'nanoseconds', accepts: PLAIN_NUMBER }],
    result: 'datetime',
    summary:
      'the time that many nanoseconds after 1970-01-01, truncated; null if it is out of range',
  },
  unixtime_seconds_todatetime: {
    parameters: [{ name: 'seconds', accepts: PLAIN_NUMBER }],
    result: 'datetime',
    summary: 'the time that many seconds after 1970-01-01, truncated; null if it is out of range',
  },
  week_of_year: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the ISO 8601 week, 1 to 53; weeks begin on Monday',
  },
} satisfies Record<string, Signature>
