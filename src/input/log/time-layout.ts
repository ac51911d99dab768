import {
  MONTHS,
  parseByPattern,
  type TimePart,
  type TimePattern,
  ZONE_HOURS,
  zoneSeconds,
} from '../../wire/time/time-pattern.js'

/** A form in which programs write the time of a line. */
export interface TimeLayout {
  /** Identifies the layout in a checkpoint. */
  readonly name: string
  readonly example: string
  /** The order of an all-numeric date, where it is not obvious: `day/month/year`. */
  readonly order?: string
  readonly hasYear: boolean
  /** True when nothing but a zone follows the fraction, which has the usual form. */
  readonly isPlain: boolean
  /** A regular expression with four groups: date and clock, fraction, zone, and the rest (a year, or AM or PM). */
  readonly pattern: string
  /**
   * Returns the seconds since 1970 of the first and the last group, without the zone; undefined when there is no such
   * time. A time without a year gets the latest year in which it is not in the future.
   */
  seconds(written: string, rest: string, now: bigint): number | undefined
  /** Returns the digits after the decimal point. */
  fraction(digits: string): string
}

interface LayoutOptions {
  readonly order?: string
  readonly fraction?: string
  readonly zone?: string
  /** The last group, and its meaning. */
  readonly rest?: readonly [pattern: string, part: TimePart]
}

const SECOND = 1_000_000_000n
const DAY = 86_400_000_000_000n
/** The longest distance between two leap years, so that 29 February finds its year. */
const YEARS_BACK = 8

const CLOCK = '(\\d\\d):(\\d\\d):(\\d\\d)'
/** Single digits occur too: `3:16:47 PM`, `23:7:20`. */
const SHORT_CLOCK = '(\\d{1,2}):(\\d{1,2}):(\\d{1,2})'
const MONTH = `(${MONTHS.map((name) => name[0]!.toUpperCase() + name.slice(1)).join('|')})`
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const FRACTION = '(?:[.,](\\d{1,9})\\d*)?'
const MILLISECONDS = '(?:[.,:](\\d{1,9})\\d*)?'
const ZONE = `(?: ?(Z|[+-](?:0\\d|1[0-4])(?::?[0-5]\\d)?|${Object.keys(ZONE_HOURS).join('|')})(?!\\w))?`
const NOTHING = '()'
const HALF = ['(?: ?([AaPp][Mm]))?', 'half'] as const

/**
 * In the order of preference. Layouts that share a pattern read the same numbers in different orders: the one that all
 * lines allow is used.
 */
export const TIME_LAYOUTS: readonly TimeLayout[] = [
  layout(
    'iso',
    '2026-11-20T15:16:47,163',
    ['year', 'month', 'day'],
    `(\\d{4})-(\\d\\d)-(\\d\\d)[T ]${CLOCK}`,
  ),
  layout(
    'year/month/day',
    '2026/03/01 00:00:00.000000',
    ['year', 'month', 'day'],
    `(\\d{4})[/.](\\d\\d)[/.](\\d\\d)[ T-]${CLOCK}`,
  ),
  ...orders('17/06/09 20:10:40', `(\\d\\d)/(\\d\\d)/(\\d\\d) ${CLOCK}`, [
    ['short-year', 'month', 'day'],
    ['day', 'month', 'short-year'],
    ['month', 'day', 'short-year'],
  ]),
  ...orders(
    '03/04/2026 10:00:00',
    `(\\d{1,2})[/-](\\d{1,2})[/-](\\d{4}),? ${SHORT_CLOCK}`,
    [
      ['day', 'month', 'year'],
      ['month', 'day', 'year'],
    ],
    { rest: HALF },
  ),
  layout(
    'day.month.year',
    '20.11.2026 10:00:00',
    ['day', 'month', 'year'],
    `(\\d{1,2})\\.(\\d{1,2})\\.(\\d{4}),? ${CLOCK}`,
  ),
  layout(
    'yymmdd hhmmss',
    '081109 203615',
    ['short-year', 'month', 'day'],
    '(\\d\\d)(\\d\\d)(\\d\\d) (\\d\\d)(\\d\\d)(\\d\\d)',
  ),
  layout(
    'yymmdd clock',
    '081109 20:36:15',
    ['short-year', 'month', 'day'],
    `(\\d\\d)(\\d\\d)(\\d\\d)  ?${SHORT_CLOCK}`,
  ),
  layout(
    'yyyymmdd clock',
    '20171223-22:15:29:606',
    ['year', 'month', 'day'],
    `(\\d{4})(\\d\\d)(\\d\\d)[-T ]${SHORT_CLOCK}`,
    { fraction: MILLISECONDS },
  ),
  layout(
    'day/month-name/year',
    '01/Mar/2026:10:00:00 +0100',
    ['day', 'month-name', 'year'],
    `(\\d{1,2})/${MONTH}/(\\d{4})[: ]${CLOCK}`,
  ),
  layout(
    'day month-name year',
    '20 Nov 2026 10:00:00.123',
    ['day', 'month-name', 'year'],
    `(?:${WEEKDAY},? )?(\\d{1,2})[ -]${MONTH}[ -](\\d{4}),? ${CLOCK}`,
  ),
  layout(
    'month-name day year',
    'Nov 20, 2026 3:16:47 PM',
    ['month-name', 'day', 'year'],
    `${MONTH} {1,2}(\\d{1,2}),? (\\d{4}),? ${SHORT_CLOCK}`,
    { rest: HALF },
  ),
  layout(
    'ctime',
    'Sun Dec 04 04:47:44 2005',
    ['month-name', 'day'],
    `(?:${WEEKDAY} )?${MONTH} {1,2}(\\d{1,2}) ${CLOCK}`,
    { rest: [' (\\d{4})', 'year'] },
  ),
  layout(
    'month-name day',
    'Mar  1 10:00:00',
    ['month-name', 'day'],
    `(?:${WEEKDAY} )?${MONTH} {1,2}(\\d{1,2}) ${CLOCK}`,
  ),
  layout('month-day', '03-17 16:13:38.811', ['month', 'day'], `(\\d\\d)-(\\d\\d) ${CLOCK}`),
  ...orders('10.30 16:49:06', `(\\d\\d)\\.(\\d\\d) ${CLOCK}`, [
    ['month', 'day'],
    ['day', 'month'],
  ]),
  layout('klog', 'I1120 10:00:00.123456', ['month', 'day'], `[IWEF](\\d\\d)(\\d\\d) ${CLOCK}`, {
    zone: NOTHING,
  }),
  {
    name: 'unix',
    example: '1793787407.163',
    hasYear: true,
    isPlain: false,
    // Ten digits until 2033; then a fraction, with or without a point: milliseconds, microseconds or nanoseconds.
    pattern: '(1\\d{9})(?:(?:\\.(?=\\d)|(?=(?:\\d{3}){1,3}(?!\\d)))(\\d{1,9}))?()()',
    seconds: (written) => Number(written),
    fraction: (digits) => digits,
  },
]

/** Layouts of which the first is used when lines allow several; of the others none is. */
const USUAL: ReadonlySet<string> = new Set(['year/month/day short', 'month.day'])

/** True when a layout is used although the lines allow another order. */
export function isUsual({ name }: TimeLayout): boolean {
  return USUAL.has(name)
}

/** Returns layouts that read the same numbers in different orders. */
function orders(
  example: string,
  pattern: string,
  dates: readonly (readonly TimePart[])[],
  options: LayoutOptions = {},
): readonly TimeLayout[] {
  const separator = example.includes('/') ? '/' : '.'
  return dates.map((date) => {
    const order = date.map((part) => part.replace('short-', '')).join(separator)
    const name = date.includes('short-year') ? `${order} short` : order
    return layout(name, example, date, pattern, { ...options, order })
  })
}

function layout(
  name: string,
  example: string,
  date: readonly TimePart[],
  written: string,
  { order, fraction = FRACTION, zone = ZONE, rest }: LayoutOptions = {},
): TimeLayout {
  const [restPattern, restPart] = rest ?? [NOTHING]
  const hasYear = [...date, restPart].some((part) => part?.endsWith('year'))
  const parts = [...date, 'hour', 'minute', 'second', ...(restPart ? [restPart] : [])] as TimePart[]
  const pattern: TimePattern = hasYear
    ? { matches: new RegExp(`^${written}\\|(.*)$`), parts }
    : { matches: new RegExp(`^(\\d{4})\\|${written}$`), parts: ['year', ...parts] }
  return {
    name,
    example,
    ...(order !== undefined && { order }),
    hasYear,
    isPlain: fraction === FRACTION && rest === undefined,
    pattern: `(${written.replace(/\((?!\?)/g, '(?:')})${fraction}${zone}${restPattern}`,
    seconds: (text, tail, now) =>
      hasYear ? secondsOf(`${text}|${tail}`, pattern) : latestYear(text, pattern, now),
    // After a colon milliseconds have no leading zeros.
    fraction: fraction === MILLISECONDS ? (digits) => digits.padStart(3, '0') : (digits) => digits,
  }
}

/** Returns the time in the latest year in which it is at most a day in the future, as clocks and zones differ. */
function latestYear(text: string, pattern: TimePattern, now: bigint): number | undefined {
  const latest = Number((now + DAY) / SECOND)
  const thisYear = new Date(latest * 1000).getUTCFullYear()
  for (let year = thisYear; year >= thisYear - YEARS_BACK; year--) {
    const found = secondsOf(`${String(year).padStart(4, '0')}|${text}`, pattern)
    if (found !== undefined && found <= latest) return found
  }
  return undefined
}

function secondsOf(text: string, pattern: TimePattern): number | undefined {
  const time = parseByPattern(text, pattern)
  return time === undefined ? undefined : Number(time / SECOND)
}

/** Returns the offset of a zone in seconds east of UTC: `Z`, `+01`, `-0800`, `+05:30` or an abbreviation. */
export function zoneOffset(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)?$/.exec(zone) ?? []
  if (sign === undefined) return zone === 'Z' ? 0 : (zoneSeconds(zone) ?? 0)
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60)
}
