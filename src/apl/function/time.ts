import type { Signature } from '../signature.js'

/** Functions on instants and timespans. */
export const TIME_FUNCTIONS = {
  ago: {
    parameters: [{ name: 'timespan', accepts: ['timespan'] }],
    result: 'datetime',
    summary: 'the instant that long before `now()`',
  },
  dayofweek: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the day of the week, Sunday 0 to Saturday 6',
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
    summary: 'the instant of the query, one for the whole query',
  },
  startofday: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'midnight at the start of the day, moved by a number of days',
  },
} satisfies Record<string, Signature>
