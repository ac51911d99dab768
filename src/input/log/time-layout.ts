import type { TimePart } from '../../wire/time/time-pattern.js'
import {
  CLOCK,
  FRACTION,
  GAP,
  HALF,
  LATER_HALF,
  MILLISECONDS,
  MONTH,
  NOT_HALF,
  NOTHING,
  NUMBER,
  SHORT_CLOCK,
  SHORT_YEAR,
  SHORTEST_CLOCK,
  secondsOfParts,
  TWO,
  WEEKDAY,
  YEAR,
  type YearRule,
  ZONE,
} from './time-parts.js'

/** A form in which programs write the time of a line. */
export interface TimeLayout {
  /** Identifies the layout in a checkpoint. */
  readonly name: string
  readonly example: string
  /** The order of an all-numeric date, where it is not obvious: `day/month/year`. */
  readonly order?: string
  readonly hasYear: boolean
  /** True for a number that could also be something else. */
  readonly isNumber: boolean
  /** True when nothing but a zone follows the fraction. */
  readonly isPlain: boolean
  /** A regular expression with four groups: date and clock, fraction, zone, and the rest (a year, or AM or PM). */
  readonly pattern: string
  /**
   * Returns the seconds since 1970 of the first and the last group, without the zone; undefined when there is no such
   * time. `yearRule` chooses the year of a time without one.
   */
  seconds(written: string, rest: string, yearRule: YearRule): number | undefined
  /** Returns the digits after the decimal point. */
  fraction(digits: string): string
}

interface LayoutOptions {
  readonly order?: string
  readonly isNumber?: boolean
  readonly fraction?: string
  readonly zone?: string
  /** The pattern of the last group, and its meaning. */
  readonly rest?: readonly [pattern: string, part?: TimePart]
}

const MINUTES: readonly TimePart[] = ['hour', 'minute']
const TIME: readonly TimePart[] = [...MINUTES, 'second']
const YMD: readonly TimePart[] = ['year', 'month', 'day']
const LATER = { rest: [LATER_HALF, 'half'], fraction: MILLISECONDS } as const

/**
 * In the order of preference. Layouts that share a pattern read the same numbers in different orders: the one that the
 * lines allow is used.
 */
export const TIME_LAYOUTS: readonly TimeLayout[] = [
  layout('iso', '2026-11-20T15:16:47,163', `${YEAR}-${NUMBER}-${NUMBER}${GAP}${SHORT_CLOCK}`, [
    ...YMD,
    ...TIME,
  ]),
  layout(
    'iso minutes',
    '2026-11-20 15:16',
    `${YEAR}-${TWO}-${TWO}[T ](\\d\\d):(\\d\\d)(?![:.]?\\d)`,
    [...YMD, ...MINUTES],
    { fraction: NOTHING },
  ),
  layout(
    'year/month/day',
    '2026/03/01 00:00:00.000000',
    `${YEAR}[/.]${NUMBER}[/.]${NUMBER}${GAP}${SHORT_CLOCK}`,
    [...YMD, ...TIME],
    { fraction: MILLISECONDS },
  ),
  ...orders(
    '17/06/09 20:10:40',
    `${TWO}/${TWO}/${TWO} ${CLOCK}`,
    [
      ['short-year', 'month', 'day'],
      ['day', 'month', 'short-year'],
      ['month', 'day', 'short-year'],
    ],
    { fraction: MILLISECONDS, rest: [NOT_HALF] },
  ),
  ...orders(
    '3/4/26 10:00:00:123',
    `${NUMBER}/${NUMBER}/${SHORT_YEAR},? ${SHORTEST_CLOCK}`,
    [
      ['day', 'month', 'short-year'],
      ['month', 'day', 'short-year'],
    ],
    LATER,
  ),
  ...orders(
    '03/04/2026 10:00:00',
    `${NUMBER}[/-]${NUMBER}[/-]${YEAR}${GAP}${SHORTEST_CLOCK}`,
    [
      ['day', 'month', 'year'],
      ['month', 'day', 'year'],
    ],
    LATER,
  ),
  layout(
    'day.month.year',
    '20.11.2026 10:00:00',
    `${NUMBER}\\.${NUMBER}\\.${YEAR}${GAP}${SHORTEST_CLOCK}`,
    ['day', 'month', 'year', ...TIME],
  ),
  layout(
    'day.month.year short',
    '20.11.26 10:00:00',
    `${NUMBER}\\.${NUMBER}\\.${SHORT_YEAR},? (\\d{1,2}):(\\d\\d)(?::(\\d\\d))?`,
    ['day', 'month', 'short-year', ...TIME],
  ),
  layout(
    'yymmdd hhmmss',
    '081109 203615',
    `${SHORT_YEAR}${TWO}${TWO} ${TWO}${TWO}${TWO}`,
    ['short-year', 'month', 'day', ...TIME],
    { isNumber: true },
  ),
  layout('yymmdd clock', '081109 20:36:15', `${SHORT_YEAR}${TWO}${TWO}  ?${SHORT_CLOCK}`, [
    'short-year',
    'month',
    'day',
    ...TIME,
  ]),
  layout(
    'yyyymmdd clock',
    '20171223-22:15:29:606',
    `${YEAR}${TWO}${TWO}[-T_ ]${SHORT_CLOCK}`,
    [...YMD, ...TIME],
    { fraction: MILLISECONDS },
  ),
  layout('basic', '20261120T101500Z', `${YEAR}${TWO}${TWO}[-T_ ]${TWO}${TWO}${TWO}`, [
    ...YMD,
    ...TIME,
  ]),
  layout('digits', '20261120101500', `${YEAR}${TWO}${TWO}${TWO}${TWO}${TWO}`, [...YMD, ...TIME], {
    isNumber: true,
    fraction: '(?:[.,]?(\\d{1,9}))?',
  }),
  layout(
    'day/month-name/year',
    '01/Mar/2026:10:00:00 +0100',
    `${NUMBER}/${MONTH}/${YEAR}[: ]${CLOCK}`,
    ['day', 'month-name', 'year', ...TIME],
  ),
  layout(
    'day month-name year',
    '20 Nov 2026 10:00:00.123',
    `${WEEKDAY}${NUMBER}[ -]${MONTH}[ -]${YEAR}(?:::|${GAP})${SHORT_CLOCK}${HALF}`,
    ['day', 'month-name', 'year', ...TIME, 'half'],
  ),
  layout(
    'day month-name year short',
    '20-NOV-26 10.00.00.123456 AM',
    `${WEEKDAY}${NUMBER}[ -]${MONTH}[ -]${SHORT_YEAR} ${SHORT_CLOCK}`,
    ['day', 'month-name', 'short-year', ...TIME],
    LATER,
  ),
  layout(
    'year month-name day',
    '2026-Nov-20 10:00:00.123',
    `${YEAR}[ -]${MONTH}[ -]{1,2}${NUMBER}[T ]${CLOCK}`,
    ['year', 'month-name', 'day', ...TIME],
  ),
  layout(
    'month-name day year',
    'Nov 20, 2026 3:16:47 PM',
    `${WEEKDAY}${MONTH} {1,2}${NUMBER},? ${YEAR},?(?: at)? ${SHORTEST_CLOCK}`,
    ['month-name', 'day', 'year', ...TIME],
    LATER,
  ),
  layout(
    'ctime',
    'Sun Dec 04 04:47:44 2005',
    `${WEEKDAY}${MONTH} {1,2}${NUMBER} ${CLOCK}${HALF}`,
    ['month-name', 'day', ...TIME, 'half'],
    { rest: [` ${YEAR}`, 'year'] },
  ),
  layout('month-name day', 'Mar  1 10:00:00', `${WEEKDAY}${MONTH} {1,2}${NUMBER} ${CLOCK}`, [
    'month-name',
    'day',
    ...TIME,
  ]),
  layout('month-day', '03-17 16:13:38.811', `${TWO}-${TWO} ${CLOCK}`, ['month', 'day', ...TIME]),
  layout('month/day-clock', '11/20-10:00:00.123456', `${TWO}/${TWO}-${CLOCK}`, [
    'month',
    'day',
    ...TIME,
  ]),
  ...orders('11/20 10:00:00', `${TWO}/${TWO} ${CLOCK}`, [
    ['month', 'day'],
    ['day', 'month'],
  ]),
  ...orders('10.30 16:49:06', `${TWO}\\.${TWO} ${CLOCK}`, [
    ['month', 'day'],
    ['day', 'month'],
  ]),
  layout(
    'klog',
    'I1120 10:00:00.123456',
    `[IWEFDC]${TWO}${TWO} ${CLOCK}`,
    ['month', 'day', ...TIME],
    { zone: NOTHING },
  ),
  layout(
    'glog',
    'I20261120 10:00:00.123456',
    `[IWEFDC]${YEAR}${TWO}${TWO} ${CLOCK}`,
    [...YMD, ...TIME],
    { zone: NOTHING },
  ),
  {
    name: 'unix',
    example: '1793787407.163',
    hasYear: true,
    isNumber: true,
    isPlain: false,
    // Ten digits until 2286; then a fraction, with or without a point: milliseconds, microseconds or nanoseconds.
    pattern: '([1-9]\\d{9})(?:(?:\\.(?=\\d)|(?=(?:\\d{3}){1,3}(?!\\d)))(\\d{1,9})\\d*)?()()',
    seconds: (written) => Number(written),
    fraction: (digits) => digits,
  },
]

/** Layouts of which the first is used when lines allow several; of the others none is. */
const USUAL: ReadonlySet<string> = new Set(['year/month/day short', 'month/day', 'month.day'])

/** True when a layout is used although the lines allow another order. */
export function isUsual({ name }: TimeLayout): boolean {
  return USUAL.has(name)
}

/** Returns layouts that read the same numbers in different orders. */
function orders(
  example: string,
  written: string,
  dates: readonly (readonly TimePart[])[],
  options: LayoutOptions = {},
): readonly TimeLayout[] {
  const separator = example.includes('/') ? '/' : '.'
  return dates.map((date) => {
    const order = date.map((part) => part.replace('short-', '')).join(separator)
    const name = date.includes('short-year')
      ? `${order} short${written.startsWith(NUMBER) ? ' loose' : ''}`
      : order
    return layout(name, example, written, [...date, ...TIME], { ...options, order })
  })
}

function layout(
  name: string,
  example: string,
  written: string,
  parts: readonly TimePart[],
  options: LayoutOptions = {},
): TimeLayout {
  const { order, isNumber = false, fraction = FRACTION, zone = ZONE, rest = [NOTHING] } = options
  const [restPattern, restPart] = rest
  const matches = new RegExp(
    `^${written}${restPart === 'year' ? '\\|(\\d+)' : restPart ? '\\|(.*)' : ''}$`,
  )
  const all = restPart === undefined ? parts : [...parts, restPart]
  return {
    name,
    example,
    ...(order !== undefined && { order }),
    hasYear: all.some((part) => part.endsWith('year')),
    isNumber,
    isPlain: fraction !== NOTHING && !isNumber && restPart === undefined,
    pattern: `(${written.replace(/\((?!\?)/g, '(?:')})${fraction}${zone}${restPattern}`,
    seconds(text, tail, yearRule) {
      const match = matches.exec(restPart === undefined ? text : `${text}|${tail}`)
      return match === null ? undefined : secondsOfParts(match, all, yearRule)
    },
    // After a colon milliseconds have no leading zeros.
    fraction: (digits) => (digits.startsWith(':') ? digits.slice(1).padStart(3, '0') : digits),
  }
}
